import { LRUCache } from 'lru-cache';
import type { ErrorCode, Failure } from '../errors.ts';

/** How long a first failure of a kind is remembered, in milliseconds; 0 never. Each repetition doubles it, up to `maxMs`. */
export interface NegativeLifetimes {
  /** No index, no descriptor. */
  absentMs: number;
  /** Credentials, rights or payment are wanted, or a challenge is to be passed. */
  forbiddenMs: number;
  /** A web page where a document should be. */
  pageMs: number;
  /** A document that cannot be used. The first one is not remembered: it may have been caught half-way through a deployment. */
  documentMs: number;
  /** The name does not resolve, or no trusted connection is possible. */
  nameMs: number;
  timeoutMs: number;
  /** The server failed, or the connection did. */
  serverMs: number;
  maxMs: number;
}

type Kind = Exclude<keyof NegativeLifetimes, 'maxMs'>;

/** What is not listed is not remembered: refusals of our own cost no request, and pauses are the pacing's. */
const KINDS: Partial<Record<ErrorCode, Kind>> = {
  INDEX_NOT_FOUND: 'absentMs',
  SKILL_NOT_FOUND: 'absentMs',
  AUTH_REQUIRED: 'forbiddenMs',
  PERMISSION_DENIED: 'forbiddenMs',
  PAYMENT_REQUIRED: 'forbiddenMs',
  BLOCKED: 'forbiddenMs',
  HTML_INSTEAD: 'pageMs',
  NOT_JSON: 'documentMs',
  EMPTY_BODY: 'documentMs',
  BAD_ENCODING: 'documentMs',
  BODY_TOO_LARGE: 'documentMs',
  TOO_DEEP: 'documentMs',
  STRING_TOO_LONG: 'documentMs',
  VALIDATION_ERROR: 'documentMs',
  VERSION_INCOMPATIBLE: 'documentMs',
  HTTP_STATUS: 'documentMs',
  HEADERS_TOO_LARGE: 'documentMs',
  REDIRECT_REFUSED: 'documentMs',
  DNS_FAILURE: 'nameMs',
  TLS_FAILURE: 'nameMs',
  TIMEOUT: 'timeoutMs',
  SERVER_ERROR: 'serverMs',
  NETWORK_FAILURE: 'serverMs',
};

/** How long the `repetition`th failure in a row of this code's kind is remembered, from 1. */
export function negativeLifetimeMs(
  code: ErrorCode,
  repetition: number,
  lifetimes: NegativeLifetimes,
): number {
  const kind = KINDS[code];
  if (kind === undefined || lifetimes[kind] === 0) return 0;
  const doublings = kind === 'documentMs' ? repetition - 2 : repetition - 1;
  return doublings < 0 ? 0 : Math.min(lifetimes[kind] * 2 ** doublings, lifetimes.maxMs);
}

interface Remembered {
  failure: Failure;
  failedAt: number;
  until: number;
  repetition: number;
}

/** Keys remembered, and characters of their failures, at most. */
const MAX_ENTRIES = 50_000;
const MAX_CHARACTERS = 16 * 2 ** 20;

/** The failures that need no new look yet, by cache key. A success forgets them. */
export class NegativeCache {
  readonly #lifetimes: NegativeLifetimes;
  readonly #failures = new LRUCache<string, Remembered>({
    // Without `max`, for which it would set aside memory at once.
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ failure }, key) => key.length + JSON.stringify(failure).length,
  });

  constructor(lifetimes: NegativeLifetimes) {
    this.#lifetimes = lifetimes;
  }

  /** The failure that still stands in for a request. After the clock was set back nothing does. */
  get(key: string, now: number): Remembered | undefined {
    const known = this.#failures.get(key);
    return known && known.failedAt <= now && now < known.until ? known : undefined;
  }

  remember(key: string, failure: Failure, now: number): void {
    const known = this.#failures.get(key);
    const isSameKind = known !== undefined && KINDS[known.failure.code] === KINDS[failure.code];
    const repetition = isSameKind ? known.repetition + 1 : 1;
    const until = now + negativeLifetimeMs(failure.code, repetition, this.#lifetimes);
    this.#failures.set(key, { failure, failedAt: now, until, repetition });
    if (this.#failures.size > MAX_ENTRIES) this.#failures.pop();
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
