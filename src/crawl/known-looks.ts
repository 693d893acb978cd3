import { LRUCache } from 'lru-cache';
import type { ProviderOutcome, Traffic } from '../protocol/index.ts';
import type { KeptCopy, Transport } from '../transport/index.ts';
import type { ProviderResult } from './discover-provider.ts';
import { toRecord } from './resolve-descriptor.ts';
import { noTraffic } from './traffic.ts';

/** Of all looks together, with the texts of their copies, most of which the cache of answers has as well. */
const MAX_BYTES = 64 * 2 ** 20;
/** What a look takes for each of its documents besides their texts; measured. */
const DOCUMENT_BYTES = 1500;

interface KnownLook {
  /** Its outcome without skills. */
  result: ProviderResult;
  copies: readonly KeptCopy[];
}

/**
 * The latest looks, by domain, of which every document is kept and no entry was rejected: while each copy that one was made of
 * is still the one that is kept, and fresh, another look would come out the same without a request. At most 64 MiB.
 */
export class KnownLooks {
  readonly #byDomain = new LRUCache<string, KnownLook>({
    // Without `max`, for which it would set aside memory at once.
    maxSize: MAX_BYTES,
    sizeCalculation: ({ copies }) =>
      copies.reduce((sum, { key, entry }) => sum + DOCUMENT_BYTES + key.length + entry.bytes, 0),
  });
  readonly #areFresh: Transport['areFresh'];

  constructor(areFresh: Transport['areFresh']) {
    this.#areFresh = areFresh;
  }

  /** The look as it comes out at `now`, where that can be told without looking. What its outcome holds is the caller's own. */
  repeat(domain: string, now: number): ProviderResult | undefined {
    const known = this.#byDomain.get(domain);
    if (known === undefined) return undefined;
    if (!this.#areFresh(known.copies, now)) {
      this.#byDomain.delete(domain);
      return undefined;
    }
    const { result } = known;
    const skills = result.accepted.map(({ entry, reading }) => toRecord(entry, reading, now));
    return { ...result, at: now, outcome: { ...ownCopy(result.outcome), skills } };
  }

  /** Takes up a look where it can be repeated. `copies` are those of its index and of what it accepted. */
  remember(result: ProviderResult, copies: readonly (KeptCopy | undefined)[]): void {
    const { outcome } = result;
    if (outcome.rejected.length > 0 || !copies.every((copy) => copy !== undefined)) return;
    const repeated = { ...ownCopy(outcome), ...unasked(copies.length) };
    this.#byDomain.set(outcome.domain, { result: { ...result, outcome: repeated }, copies });
  }
}

/** Without its skills. Cloned as a whole it takes three times as long. */
function ownCopy(outcome: ProviderOutcome): ProviderOutcome {
  const { provider, warnings, redirects, documents } = outcome;
  return {
    ...outcome,
    ...(provider && { provider: structuredClone(provider) }),
    skills: [],
    rejected: [],
    warnings: warnings.map((warning) => ({ ...warning })),
    redirects: [...redirects],
    documents: { ...documents },
  };
}

/** What a look costs where every document is at hand. */
function unasked(hit: number): Pick<ProviderOutcome, keyof Traffic | 'cacheStatus' | 'durationMs'> {
  const { documents, ...traffic } = noTraffic();
  return { ...traffic, documents: { ...documents, hit }, cacheStatus: 'hit', durationMs: 0 };
}
