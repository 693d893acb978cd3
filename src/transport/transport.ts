import { createNetwork } from '#network';
import { abortable } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { type Failure, SkillscoutError } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';
import { createAddressPolicy } from './address-policy.ts';
import { Alarms } from './alarms.ts';
import { createCacheKeys } from './cache-key.ts';
import type { CacheStore } from './cache-store.ts';
import { toResponse } from './cached-copy.ts';
import {
  answerFromCache,
  areFresh,
  askServer,
  type CachedGetContext,
  failureReport,
  NOTHING_SENT,
  type Wanted,
  withoutSecret,
} from './cached-get.ts';
import { Deadline } from './deadline.ts';
import { type Ask, type Credential, exchange, type Schedule } from './exchange.ts';
import { Flights } from './flights.ts';
import type { GetRequest, GetResult, HttpGet, KeptCopy } from './http-get.ts';
import type { HttpSend, SendResult } from './http-send.ts';
import { JudgedCopies } from './judged-copies.ts';
import { readEntry } from './kept-entries.ts';
import { createLruCacheStore } from './lru-cache-store.ts';
import { NegativeCache, type NegativeLifetimes } from './negative-cache.ts';
import type { Lookup, TransportName } from './network.ts';
import { createNetwork as createPortableNetwork } from './network-portable.ts';
import { createTargetPolicy, publicUrl } from './target-policy.ts';

export interface TransportOptions {
  clock: Clock;
  userAgent: string;
  /** Default: `node` where that can be, else `ky`: outside Node, with another fetch, with a proxy. */
  transport?: TransportName;
  /** Another fetch than the platform's. It takes no dispatcher, so the guard judges literal addresses only. */
  fetch?: typeof globalThis.fetch;
  /** Default: by c-ares, and as the system does where that gives nothing. */
  lookup?: Lookup;
  http: {
    /** For a whole chain: connecting, headers, body, retries, redirects and back-off, but not waiting in `schedule`. */
    timeoutMs: number;
    /** After decompression. */
    maxBodyBytes: number;
    maxRedirects: number;
    /** Per chain. */
    retries: number;
    /** URL of an HTTP proxy. It resolves the names, so address checks are left to it. */
    proxy?: string;
    /** PEM certificates to trust besides the platform's. */
    ca?: string;
  };
  cache: {
    maxEntries: number;
    /** Of bodies, their headers and URLs. */
    maxBytes: number;
    /** Floor of every freshness lifetime; `no-store` and `no-cache` stay below it. */
    minFreshMs: number;
    /** Ceiling of every freshness lifetime. */
    maxFreshMs: number;
    /** How long after its freshness a good copy stands in for a failed refresh, at most. */
    staleIfErrorMs: number;
    /** How long failures are remembered. */
    negative: NegativeLifetimes;
  };
  /** Default: in memory, bounded by `cache.maxEntries` and `cache.maxBytes`. */
  cacheStore?: CacheStore;
  unsafe: {
    allowHttp: boolean;
    /** All, or those in these CIDR ranges. Metadata services stay refused. */
    allowPrivateAddresses: boolean | readonly string[];
  };
  /** What to send to an origin, if anything. Asked once for every call. */
  credential: (origin: string) => Promise<Credential | undefined> | undefined;
  /** Whether a redirect from the first URL to this one stays on the publisher's site. */
  sameSite: (from: URL, to: URL) => boolean | Promise<boolean>;
  /** Of `node`: sockets kept open without a request. Fewer than the requests that follow each other need are opened again and again. */
  maxIdleSockets: number;
  /** The concurrency gates; every single hop runs inside. */
  schedule: Schedule;
}

export interface Transport {
  get: HttpGet;
  send: HttpSend;
  /** Whether each of these copies would still answer at `now`. */
  areFresh: (copies: readonly KeptCopy[], now: number) => boolean;
  /** Why a URL would not be asked, as far as it shows without resolving its name: scheme, port, user information, literal address. */
  judgeTarget: (url: URL) => Failure | undefined;
  close(): Promise<void>;
}

/** Longest wait for a connection where the time limit allows for more. */
const MAX_CONNECT_TIMEOUT_MS = 10_000;

/**
 * The way to the network: {@link HttpGet} over the `transport` of the options. Opens nothing before the first request.
 * After `close()`, which aborts what is under way, every call rejects with `CLIENT_CLOSED`.
 * Throws TypeError for an option that cannot be used.
 */
export function createTransport(options: TransportOptions): Transport {
  const { clock, http, cache, unsafe } = options;
  const judgeAddress = createAddressPolicy(unsafe.allowPrivateAddresses);
  const networkOptions = {
    judgeAddress,
    clock,
    connectTimeoutMs: Math.min(http.timeoutMs, MAX_CONNECT_TIMEOUT_MS),
    maxIdleSockets: options.maxIdleSockets,
    ...(options.transport && { transport: options.transport }),
    ...(options.lookup && { lookup: options.lookup }),
    ...(http.proxy !== undefined && { proxy: http.proxy }),
    ...(http.ca !== undefined && { ca: http.ca }),
  };
  const network = options.fetch
    ? createPortableNetwork(networkOptions, options.fetch)
    : createNetwork(networkOptions);
  const context: CachedGetContext = {
    clock,
    alarms: new Alarms(clock),
    hop: network.hop,
    prepare: network.prepare,
    addressCheck: network.addressCheck,
    userAgent: options.userAgent,
    timeoutMs: http.timeoutMs,
    maxBodyBytes: http.maxBodyBytes,
    maxRedirects: http.maxRedirects,
    retries: http.retries,
    judgeTarget: createTargetPolicy(judgeAddress, unsafe.allowHttp),
    sameSite: options.sameSite,
    schedule: options.schedule,
    bounds: cache,
    staleIfErrorMs: cache.staleIfErrorMs,
    store: options.cacheStore ?? createLruCacheStore(cache),
    negative: new NegativeCache(cache.negative),
    judged: options.cacheStore ? undefined : new JudgedCopies(),
  };
  const cacheKey = createCacheKeys(context.store.secret);
  const flights = new Flights<GetResult<unknown>>();
  const messages = new Flights<SendResult>();
  const lifetime = new AbortController();

  async function get<T>(request: GetRequest<T>): Promise<GetResult<T>> {
    const { check, cacheMode, maxStaleMs = 0, signal } = request;
    lifetime.signal.throwIfAborted();
    signal?.throwIfAborted();
    const target = judge(request.url);
    if (!target.ok) return failed(target.failure.code, target.failure.message, target.shown);
    const { url } = target;

    let credential: Credential | undefined;
    try {
      const given = options.credential(url.origin);
      credential = given && (await usable(given, signal));
    } catch {
      lifetime.signal.throwIfAborted();
      signal?.throwIfAborted();
      return failed('CREDENTIAL_FAILED', `no usable credential for ${url.origin}`, publicUrl(url));
    }
    const made = cacheMode === 'bypass' ? undefined : cacheKey(request.kind, url, credential);
    const key = made instanceof Promise ? await made : made;
    const read = key === undefined ? undefined : readEntry(key, context);
    const stored = read instanceof Promise ? await read : read;
    lifetime.signal.throwIfAborted();
    signal?.throwIfAborted();
    const wanted: Wanted<T> = { url, credential, check, key, stored, maxStaleMs };
    const cached = cacheMode === 'use' ? answerFromCache(wanted, context) : undefined;
    const join = (caller: AbortSignal | undefined) =>
      flights.join(key, caller, (shared) => askServer(wanted, shared, context));
    if (cached) {
      // Nobody waits for this refresh: its failures are remembered, and only closing ends it early.
      if (cached.refresh) join(undefined).catch(() => {});
      return cached.result;
    }
    // A key holds the kind, and a kind stands for one check: whoever shares a flight shares its type.
    const { result, first } = (await join(signal)) as { result: GetResult<T>; first: boolean };
    if (first) return result;
    const { sentAt, ...report } = result.report;
    return { ...result, report: { ...report, ...NOTHING_SENT } };
  }

  function judge(given: string): { ok: true; url: URL } | { ok: false; failure: Failure; shown: string } {
    const url = parseUrl(given);
    if (url === undefined) {
      const failure: Failure = { code: 'URL_REFUSED', message: 'this is not an absolute URL' };
      return { ok: false, failure, shown: given.replace(/[?#].*$/s, '') };
    }
    url.hash = '';
    const failure = context.judgeTarget(url);
    return failure ? { ok: false, failure, shown: publicUrl(url) } : { ok: true, url };
  }

  const send: HttpSend = async ({ signal, url: given, credential, ...message }) => {
    lifetime.signal.throwIfAborted();
    signal?.throwIfAborted();
    const target = judge(given);
    const { addressCheck } = network;
    if (!target.ok) {
      const { failure, shown } = target;
      const report = { finalUrl: shown, redirects: [], addressCheck, requests: 0, bytes: 0, waitMs: 0 };
      return { ok: false, failure, report };
    }
    const ask = { ...message, url: target.url, credential };
    const { result } = await messages.join(undefined, signal, (abort) => deliver({ ...ask, abort }));
    return result;
  };

  async function deliver(ask: Ask): Promise<SendResult> {
    const { url, redirects, requests, bytes, waitMs, outcome } = await exchange(ask, context);
    const { addressCheck } = network;
    const report = { finalUrl: publicUrl(url), redirects, addressCheck, requests, bytes, waitMs };
    if (!outcome.ok) return { ok: false, failure: withoutSecret(outcome.failure, ask.credential), report };
    return { ok: true, response: toResponse(url.href, outcome.received, clock.now()), report };
  }

  function failed(code: Failure['code'], message: string, finalUrl: string): GetResult<never> {
    const now = clock.now();
    const report = { finalUrl, redirects: [], view: 'anonymous', ...NOTHING_SENT };
    return {
      ok: false,
      failure: { code, message },
      report: failureReport(report, now, network.addressCheck),
    };
  }

  /** Rejects when there is none that can be sent, or none in time. */
  async function usable(
    given: Promise<Credential | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<Credential | undefined> {
    const deadline = new Deadline(context.alarms, http.timeoutMs, lifetime.signal);
    deadline.resume();
    try {
      const asked = abortable(given, deadline);
      const credential = (await (signal ? abortable(asked, signal) : asked)) ?? undefined;
      if (credential) new Headers([[credential.header, credential.value]]);
      return credential;
    } finally {
      deadline.end();
    }
  }

  return {
    get,
    send,
    areFresh: (copies, now) => areFresh(copies, now, context),
    judgeTarget: context.judgeTarget,
    close: async () => {
      lifetime.abort(new SkillscoutError('CLIENT_CLOSED', 'the client was closed'));
      await Promise.all([flights, messages].map((each) => each.abortAll(lifetime.signal.reason)));
      await network.close();
    },
  };
}
