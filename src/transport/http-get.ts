import type { Failure } from '../errors.ts';
import type { CacheEntry } from './cache-store.ts';

/** `use`: a fresh copy answers · `refresh`: always ask the server, conditionally · `bypass`: neither read nor write the cache. */
export type CacheMode = 'use' | 'refresh' | 'bypass';

/** A complete answer of a server, its body decoded to text and within bounds. */
export interface HttpResponse {
  /** After redirects. */
  url: string;
  status: number;
  /** As sent, or the empty string. */
  contentType: string;
  /** Without a byte order mark. */
  text: string;
  header(name: string): string | undefined;
  /** What `Retry-After` asks for (RFC 9110, section 10.2.3), in milliseconds from now; absent where it is missing or garbage. */
  retryAfterMs?: number;
}

/**
 * Judges an answer. It must be pure. With `bytes`, an estimate of the memory that the value holds besides the text, the value may
 * be kept and given out again for an answer that says the same; whoever gets it then must not change what others see of it.
 */
export type Check<T> = (
  response: HttpResponse,
) => { ok: true; value: T; bytes?: number } | { ok: false; failure: Failure };

export interface GetRequest<T> {
  url: string;
  /** Says which `check` this is: requests are shared, and bodies kept as good, per kind and URL. */
  kind: string;
  check: Check<T>;
  cacheMode: CacheMode;
  /**
   * With `use`: how long past its freshness a copy answers without a request, unless its server forbids that (RFC 9111, section
   * 5.2.1.2). Default 0.
   */
  maxStaleMs?: number;
  signal?: AbortSignal;
}

/** How an answer came about. URLs carry no query strings. */
export interface GetReport {
  finalUrl: string;
  /** The URLs that redirected, in order. */
  redirects: string[];
  /** `stale`: the last good copy, past its freshness. `hit` with a failure: the failure is remembered, nothing was asked. */
  cacheStatus: 'miss' | 'hit' | 'revalidated' | 'stale';
  /** `anonymous`, or the label of the credential that was sent. */
  view: string;
  /** What the address guard could see: every dialled address, only the literal host, or nothing behind a proxy. */
  addressCheck: 'dialled' | 'literal' | 'proxy';
  /** When the body was received or last confirmed by the server; milliseconds since the epoch. */
  fetchedAt: number;
  /** Milliseconds since the epoch. */
  freshUntil: number;
  /** Sent on the wire for this call, redirects and retries included; 0 for a caller that shared another's. */
  requests: number;
  /** Of these, those that repeated one that failed. */
  retries: number;
  /** When the last try began, whether or not a request came of it; absent where nothing was tried. Milliseconds since the epoch. */
  sentAt?: number;
  /** Waited for a free slot or for the end of a pause. */
  waitMs: number;
  /** Body bytes after decompression. */
  bytes: number;
}

/** A copy as it was put into memory. */
export interface KeptCopy {
  key: string;
  entry: CacheEntry;
}

export type GetResult<T> =
  | {
      ok: true;
      value: T;
      response: HttpResponse;
      report: GetReport;
      /** A `stale` copy stands in for it, or without one while it is being refreshed. */
      refreshFailure?: Failure;
      /** What the answer was made of, where it needs no credential: the same copy gives the same answer while it is fresh. */
      kept?: KeptCopy;
    }
  | { ok: false; failure: Failure; report: GetReport };

/**
 * The port to the network: one document by GET, redirects followed, bounded, cached, judged.
 * Every failure of the outside world is a value. Rejects only with `signal.reason` when the caller aborts.
 */
export type HttpGet = <T>(request: GetRequest<T>) => Promise<GetResult<T>>;
