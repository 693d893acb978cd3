import { type Clock, systemClock } from '../clock.ts';
import type { CrawlLimits, DescriptorOrigins } from '../crawl/index.ts';
import type { Approve, InvokeContext } from '../invoke/index.ts';
import { parseUrl } from '../parse-url.ts';
import {
  type CrawlEvent,
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_STRING_LENGTH,
  validateProtocolVersion,
} from '../protocol/index.ts';
import { createMemoryStore, type Lock, LockIndex, requireLock, type Store } from '../registry/index.ts';
import type { CacheStore, TransportOptions } from '../transport/index.ts';
import { HOME, VERSION } from '../version.ts';
import { type CredentialLookup, type Credentials, credentialLookup, isFieldValue } from './credentials.ts';
import { type InvocationCredentials, invocationSigners } from './invocation-credentials.ts';
import { requireKnown, requireType } from './require.ts';

/** Everything is optional. A value out of range, or an option that does not exist, is a TypeError that names it. */
export interface ClientOptions {
  /** The protocol version this consumer supports. Default `1.0.0`. */
  protocolVersion?: string | undefined;
  /** Default `skillscout/<version> (+<home>)`. */
  userAgent?: string | undefined;
  /**
   * What sends requests: `node` is `node:http` and `node:https`, `ky` is ky over fetch, several times slower. Default: `node`
   * in Node.js, unless `fetch` or `http.proxy` is given; else `ky`.
   */
  transport?: NonNullable<TransportOptions['transport']> | undefined;
  /**
   * Another fetch than the platform's. It takes no dispatcher, so the address guard can judge only literal addresses; each
   * outcome then carries the warning `ADDRESS_CHECK_LITERAL`.
   */
  fetch?: typeof globalThis.fetch | undefined;
  clock?: Clock | undefined;
  /**
   * Name resolution, called as `dns.lookup` with `{ all: true }`. Node only. Default: by c-ares, and as the system does where that may know
   * more; search lists for names with a dot and unusual NSS modules of Linux take `dns.lookup` itself.
   */
  lookup?: NonNullable<TransportOptions['lookup']> | undefined;
  /** Where response bodies are kept. Default: in memory, bounded by `cache.maxEntries` and `cache.maxBytes`. */
  cacheStore?: CacheStore | undefined;
  /**
   * Where skills are kept, and responses too where it has a place for them and `cacheStore` is not given. Default: in memory. A
   * store that is passed in is not closed with the client.
   */
  store?: (Store & { readonly responses?: CacheStore }) | undefined;
  credentials?: Credentials | undefined;
  /**
   * What the consumer has agreed to use: a skill that is not in it, or is not what was locked, is rejected as `LOCK_MISMATCH`
   * by a crawl and given out by no query. Default: none.
   */
  lock?: Lock | undefined;
  http?:
    | {
        /** For one document: connecting, headers, body, retries and redirects; waiting for a free slot does not count. Default 10,000. */
        timeoutMs?: number | undefined;
        /** After decompression. Default 8 MiB. */
        maxBodyBytes?: number | undefined;
        /** Default 5. */
        maxRedirects?: number | undefined;
        /** Times a reset connection or a 5xx answer is tried again. Default 2. */
        retries?: number | undefined;
        /** The longest `Retry-After` that is waited for. Default 30,000. */
        maxRetryAfterMs?: number | undefined;
        /** URL of an HTTP proxy. It resolves the names, so it must guard the addresses too: `ADDRESS_CHECK_PROXIED` says so. Node only. */
        proxy?: string | undefined;
        /** PEM certificates to trust besides the platform's. Node only. */
        ca?: string | undefined;
      }
    | undefined;
  concurrency?:
    | {
        /** Requests under way in all. Default 64. */
        global?: number | undefined;
        /** Requests under way to one origin. Default 2: its answers come faster over few connections than over many new ones. */
        perOrigin?: number | undefined;
        /** Least time between the starts of two requests to one origin. Default 0. */
        minGapMs?: number | undefined;
        /** Domains in progress at once. Default 64. */
        providers?: number | undefined;
      }
    | undefined;
  cache?:
    | {
        /** Default 50,000. */
        maxEntries?: number | undefined;
        /** Of bodies, their headers and URLs. Default 128 MiB. */
        maxBytes?: number | undefined;
        /** Floor for the freshness of a document, where its server does not forbid it (`no-store`, `no-cache`). Default 60,000. */
        minFreshMs?: number | undefined;
        /** Ceiling for it. Default 86,400,000 (a day). */
        maxFreshMs?: number | undefined;
        /** How long after its freshness a good copy stands in for a failed refresh, at most. Default 604,800,000 (seven days). */
        staleIfErrorMs?: number | undefined;
        /**
         * How long a first failure is remembered, by kind; 0 never. Each repetition in a row doubles it, up to `maxMs`; a success
         * ends it, and `cacheMode: 'refresh'` asks anyway.
         */
        negative?:
          | {
              /** `INDEX_NOT_FOUND`, `SKILL_NOT_FOUND`. Default 3,600,000 (an hour). */
              absentMs?: number | undefined;
              /** `AUTH_REQUIRED`, `PERMISSION_DENIED`, `PAYMENT_REQUIRED`, `BLOCKED`. Default 3,600,000 (an hour). */
              forbiddenMs?: number | undefined;
              /** `HTML_INSTEAD`. Default 600,000 (ten minutes). */
              pageMs?: number | undefined;
              /** A document that cannot be used, from the second time on. Default 60,000. */
              documentMs?: number | undefined;
              /** `DNS_FAILURE`, `TLS_FAILURE`. Default 60,000. */
              nameMs?: number | undefined;
              /** `TIMEOUT`. Default 30,000. */
              timeoutMs?: number | undefined;
              /** `SERVER_ERROR`, `NETWORK_FAILURE`. Default 15,000. */
              serverMs?: number | undefined;
              /** Default 86,400,000 (a day). */
              maxMs?: number | undefined;
            }
          | undefined;
      }
    | undefined;
  limits?:
    | {
        /** An index that lists more is rejected as `TOO_MANY_SKILLS`. Default 20,000. */
        maxSkillsPerIndex?: number | undefined;
        /** Nesting of objects and arrays in a document. Default 64. */
        maxDepth?: number | undefined;
        /** Of one string in a document, in UTF-16 units. Default 2,097,152. */
        maxStringLength?: number | undefined;
        /** Default 50,000. */
        maxRequestsPerDomain?: number | undefined;
        /** After decompression. Default 64 MiB. */
        maxBytesPerDomain?: number | undefined;
        /** Default 300,000 (five minutes). */
        maxMsPerDomain?: number | undefined;
        /**
         * How long a skill that no look can confirm is kept, and how long changes and removed skills are remembered. Default
         * 2,592,000,000 (thirty days).
         */
        retentionMs?: number | undefined;
      }
    | undefined;
  /** Default `same-site`. */
  descriptorOrigins?: DescriptorOrigins | undefined;
  unsafe?:
    | {
        /** Fetch http URLs too. Default false. */
        allowHttp?: boolean | undefined;
        /** Connect to private and reserved addresses: all, or those in these CIDR ranges. Metadata services stay refused. Default false. */
        allowPrivateAddresses?: boolean | readonly string[] | undefined;
      }
    | undefined;
  /** How skills are invoked. */
  invocation?:
    | {
        /** Those of `credentials` are for discovery: no endpoint gets them. */
        credentials?: InvocationCredentials | undefined;
        /** Sees the skill, its provenance and warnings, and the inputs before anything leaves. Default: all are approved. */
        approve?: Approve | undefined;
      }
    | undefined;
  /** Gets every event of `crawl`, `crawlAll`, `refresh` and `discover`. What it throws ends the call. */
  onEvent?: ((event: CrawlEvent) => void) | undefined;
}

/** Ranges and defaults of every numeric option: [default, least, most]. */
const NUMBERS = {
  http: {
    timeoutMs: [10_000, 1, 3_600_000],
    maxBodyBytes: [8 * 2 ** 20, 1, 2 ** 29],
    maxRedirects: [5, 0, 20],
    retries: [2, 0, 10],
    maxRetryAfterMs: [30_000, 0, 3_600_000],
  },
  concurrency: {
    global: [64, 1, 10_000],
    perOrigin: [2, 1, 1000],
    minGapMs: [0, 0, 3_600_000],
    providers: [64, 1, 10_000],
  },
  cache: {
    maxEntries: [50_000, 1, 100_000_000],
    maxBytes: [128 * 2 ** 20, 1, Number.MAX_SAFE_INTEGER],
    minFreshMs: [60_000, 0, 31_536_000_000],
    maxFreshMs: [86_400_000, 0, 31_536_000_000],
    staleIfErrorMs: [604_800_000, 0, 31_536_000_000],
  },
  'cache.negative': {
    absentMs: [3_600_000, 0, 31_536_000_000],
    forbiddenMs: [3_600_000, 0, 31_536_000_000],
    pageMs: [600_000, 0, 31_536_000_000],
    documentMs: [60_000, 0, 31_536_000_000],
    nameMs: [60_000, 0, 31_536_000_000],
    timeoutMs: [30_000, 0, 31_536_000_000],
    serverMs: [15_000, 0, 31_536_000_000],
    maxMs: [86_400_000, 0, 31_536_000_000],
  },
  limits: {
    maxSkillsPerIndex: [20_000, 1, 10_000_000],
    maxDepth: [DEFAULT_MAX_DEPTH, 4, 1000],
    maxStringLength: [DEFAULT_MAX_STRING_LENGTH, 1000, 2 ** 29],
    maxRequestsPerDomain: [50_000, 1, 1_000_000_000],
    maxBytesPerDomain: [64 * 2 ** 20, 1, Number.MAX_SAFE_INTEGER],
    maxMsPerDomain: [300_000, 1, 86_400_000],
    retentionMs: [2_592_000_000, 0, Number.MAX_SAFE_INTEGER],
  },
} as const satisfies Record<string, Record<string, readonly [number, number, number]>>;

type Numbers<Group extends keyof typeof NUMBERS> = Record<keyof (typeof NUMBERS)[Group], number>;

const OPTIONS = [
  'http',
  'concurrency',
  'cache',
  'limits',
  'protocolVersion',
  'userAgent',
  'transport',
  'fetch',
  'clock',
  'lookup',
  'cacheStore',
  'store',
  'credentials',
  'lock',
  'descriptorOrigins',
  'unsafe',
  'invocation',
  'onEvent',
];

/** The injectable parts, and what is called of each. */
const PORTS = [
  ['clock', ['now', 'sleep', 'random']],
  ['store', ['apply', 'find', 'get', 'changes', 'providers', 'collisions', 'revision', 'close']],
  ['cacheStore', ['get', 'set', 'delete']],
] as const;

export interface ResolvedOptions {
  protocolVersion: string;
  clock: Clock;
  store: Store;
  ownsStore: boolean;
  credential: CredentialLookup;
  lock: LockIndex | undefined;
  maxRetryAfterMs: number;
  concurrency: Numbers<'concurrency'>;
  limits: CrawlLimits;
  retentionMs: number;
  json: { maxDepth: number; maxStringLength: number };
  descriptorOrigins: DescriptorOrigins;
  onEvent: ((event: CrawlEvent) => void) | undefined;
  invocation: Pick<InvokeContext, 'signerFor' | 'approve'>;
  transport: Omit<TransportOptions, 'credential' | 'sameSite' | 'schedule' | 'maxIdleSockets'>;
}

/** Fills in the defaults; throws TypeError for what cannot be used. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  requireKnown('options', options, OPTIONS);
  const {
    protocolVersion = '1.0.0',
    clock = systemClock,
    userAgent = `skillscout/${VERSION} (+${HOME})`,
  } = options;
  const { descriptorOrigins = 'same-site', onEvent, unsafe = {}, invocation = {} } = options;
  requireKnown('unsafe', unsafe, ['allowHttp', 'allowPrivateAddresses']);
  const { allowHttp = false, allowPrivateAddresses = false } = unsafe;
  const { proxy, ca } = options.http ?? {};
  if (!validateProtocolVersion({ version: protocolVersion }).ok) {
    throw new TypeError('protocolVersion: expected MAJOR.MINOR.PATCH');
  }
  if (!isFieldValue(userAgent)) throw new TypeError('userAgent: expected the value of a request header');
  requireType('unsafe.allowHttp', allowHttp, 'boolean');
  if (typeof allowPrivateAddresses !== 'boolean' && !Array.isArray(allowPrivateAddresses)) {
    throw new TypeError('unsafe.allowPrivateAddresses: expected a boolean or a list of CIDR ranges');
  }
  if (onEvent !== undefined) requireType('onEvent', onEvent, 'function');
  requireKnown('invocation', invocation, ['credentials', 'approve']);
  if (invocation.approve !== undefined) requireType('invocation.approve', invocation.approve, 'function');
  for (const [name, methods] of PORTS) requireMethods(name, options[name], methods);
  const { transport } = options;
  if (transport !== undefined && transport !== 'node' && transport !== 'ky') {
    throw new TypeError("transport: expected 'node' or 'ky'");
  }
  if (options.fetch !== undefined) requireType('fetch', options.fetch, 'function');
  if (options.lookup !== undefined) requireType('lookup', options.lookup, 'function');
  if (proxy !== undefined && !/^https?:$/.test(parseUrl(proxy)?.protocol ?? '')) {
    throw new TypeError('http.proxy: expected an http or https URL');
  }
  if (ca !== undefined) requireType('http.ca', ca, 'string');
  if (
    descriptorOrigins !== 'same-site' &&
    descriptorOrigins !== 'any' &&
    typeof descriptorOrigins !== 'function'
  ) {
    throw new TypeError("descriptorOrigins: expected 'same-site', 'any' or a function");
  }
  const cacheStore = options.cacheStore ?? options.store?.responses;
  const { maxRetryAfterMs, ...http } = numbers('http', options.http, ['proxy', 'ca']);
  const { maxDepth, maxStringLength, retentionMs, ...limits } = numbers('limits', options.limits);
  return {
    protocolVersion,
    clock,
    store: options.store ?? createMemoryStore(),
    ownsStore: options.store === undefined,
    credential: credentialLookup(options.credentials),
    lock: options.lock && new LockIndex(requireLock(options.lock)),
    maxRetryAfterMs,
    concurrency: numbers('concurrency', options.concurrency),
    limits,
    retentionMs,
    json: { maxDepth, maxStringLength },
    descriptorOrigins,
    onEvent,
    invocation: {
      signerFor: invocationSigners(invocation.credentials),
      approve: invocation.approve,
    },
    transport: {
      clock,
      userAgent,
      ...(transport && { transport }),
      ...(options.fetch && { fetch: options.fetch }),
      ...(options.lookup && { lookup: options.lookup }),
      ...(cacheStore && { cacheStore }),
      http: { ...http, ...(proxy !== undefined && { proxy }), ...(ca !== undefined && { ca }) },
      cache: {
        ...numbers('cache', options.cache, ['negative']),
        negative: numbers('cache.negative', options.cache?.negative),
      },
      unsafe: { allowHttp, allowPrivateAddresses },
    },
  };
}

function numbers<Group extends keyof typeof NUMBERS>(
  group: Group,
  given: object = {},
  others: readonly string[] = [],
): Numbers<Group> {
  const table: Record<string, readonly [number, number, number]> = NUMBERS[group];
  requireKnown(group, given, [...Object.keys(table), ...others]);
  const entries = Object.entries(table).map(([name, [fallback, least, most]]) => {
    const value: unknown = (given as Record<string, unknown>)[name] ?? fallback;
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
      throw new TypeError(`${group}.${name}: expected a whole number from ${least} to ${most}`);
    }
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function requireMethods(name: string, given: unknown, methods: readonly string[]): void {
  if (given === undefined) return;
  const has = (method: string) => typeof (given as Record<string, unknown> | null)?.[method] === 'function';
  if (!methods.every(has)) throw new TypeError(`${name}: expected an object with ${methods.join(', ')}`);
}
