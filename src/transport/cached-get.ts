import type { Failure } from '../errors.ts';
import type { CacheEntry, CacheStore } from './cache-store.ts';
import { copyResponse, renewedHeaders, storedHeaders, toResponse, validators } from './cached-copy.ts';
import { type Answer, type Credential, type ExchangeContext, exchange } from './exchange.ts';
import { type FreshnessBounds, freshUntil, isStorable } from './freshness.ts';
import type { Check, GetReport, GetResult, HttpResponse } from './http-get.ts';
import { publicUrl } from './target-policy.ts';

export interface CachedGetContext extends ExchangeContext {
  addressCheck: GetReport['addressCheck'];
  bounds: FreshnessBounds;
  staleIfErrorMs: number;
  store: CacheStore;
}

/** One document, as seen by the holder of one credential. */
export interface Wanted<T> {
  url: URL;
  credential: Credential | undefined;
  check: Check<T>;
  /** Where its answer is kept; without one the cache is neither read nor written. */
  key: string | undefined;
}

interface Copy<T> {
  entry: CacheEntry;
  response: HttpResponse;
  value: T;
}

/** The stored copy, provided it is fresh and still passes its check. */
export async function freshCopy<T>(
  wanted: Wanted<T>,
  context: CachedGetContext,
): Promise<GetResult<T> | undefined> {
  const copy = await readCopy(wanted, context);
  return copy && isFresh(copy.entry, context.clock.now())
    ? fromCopy(copy, 'hit', context.addressCheck)
    : undefined;
}

/**
 * Asks the server, conditionally where a copy is at hand, and keeps what is good. When that fails in any way, the copy stands in
 * as `stale` for `staleIfErrorMs` after its freshness.
 */
export async function askServer<T>(
  wanted: Wanted<T>,
  signal: AbortSignal,
  context: CachedGetContext,
): Promise<GetResult<T>> {
  const { addressCheck, clock } = context;
  const copy = await readCopy(wanted, context);
  const ask = { url: wanted.url, credential: wanted.credential, signal };
  const answer = await exchange({ ...ask, validators: copy && validators(copy.entry) }, context);
  signal.throwIfAborted();
  const now = clock.now();
  const failed = (failure: Failure): GetResult<T> =>
    copy && now - copy.entry.freshUntil < context.staleIfErrorMs
      ? { ...fromCopy(copy, 'stale', addressCheck, answer), refreshFailure: failure }
      : { ok: false, failure, report: failureReport(traceOf(answer), now, addressCheck) };

  if (!answer.outcome.ok) return failed(answer.outcome.failure);
  const { received } = answer.outcome;
  if (received.status === 304 && copy?.entry.url === answer.url.href) {
    const headers = renewedHeaders(copy.entry, received.headers);
    const entry = { ...copy.entry, headers, ...confirmed(new Headers(headers), now, context) };
    await keep(wanted.key, entry, context);
    return fromCopy({ ...copy, entry, response: copyResponse(entry) }, 'revalidated', addressCheck, answer);
  }

  const response = toResponse(answer.url.href, received, now);
  const verdict = wanted.check(response);
  if (!verdict.ok) return failed(verdict.failure);
  if (received.status < 200 || received.status > 299) return failed(noDocument(answer.url, received.status));
  const entry: CacheEntry = {
    url: answer.url.href,
    redirects: answer.redirects,
    headers: storedHeaders(received.headers),
    text: received.text,
    bytes: received.bytes,
    view: answer.view,
    ...confirmed(received.headers, now, context),
  };
  if (received.status === 200) await keep(wanted.key, entry, context);
  return fromCopy({ entry, response, value: verdict.value }, 'miss', addressCheck, answer);
}

/** The report of a failure: nothing is fresh, so it may be asked again at once. */
export function failureReport(
  trace: Pick<GetReport, 'finalUrl' | 'redirects' | 'view' | 'requests' | 'bytes'>,
  now: number,
  addressCheck: GetReport['addressCheck'],
): GetReport {
  return { ...trace, addressCheck, cacheStatus: 'miss', fetchedAt: now, freshUntil: now };
}

/** The stored copy with its value, if there is one that passes its check. */
async function readCopy<T>(
  { key, check }: Wanted<T>,
  { store }: CachedGetContext,
): Promise<Copy<T> | undefined> {
  if (key === undefined) return undefined;
  const entry = await quietly(() => store.get(key));
  if (entry === undefined) return undefined;
  const response = copyResponse(entry);
  const verdict = check(response);
  return verdict.ok ? { entry, response, value: verdict.value } : undefined;
}

/** Stores an entry, or removes what is stored where the server forbids keeping it. */
async function keep(key: string | undefined, entry: CacheEntry, { store }: CachedGetContext): Promise<void> {
  if (key === undefined) return;
  const storable = isStorable(new Headers(entry.headers));
  await quietly(() => (storable ? store.set(key, entry) : store.delete(key)));
}

/** The port's rule: a store that fails counts as empty. */
async function quietly<T>(use: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await use();
  } catch {
    return undefined;
  }
}

function confirmed(headers: Headers, now: number, { bounds }: CachedGetContext) {
  return { fetchedAt: now, freshUntil: freshUntil(headers, now, bounds) };
}

/** A clock that was set back makes a copy stale rather than fresh for ever. */
function isFresh(entry: CacheEntry, now: number): boolean {
  return entry.fetchedAt <= now && now < entry.freshUntil;
}

function fromCopy<T>(
  { entry, response, value }: Copy<T>,
  cacheStatus: GetReport['cacheStatus'],
  addressCheck: GetReport['addressCheck'],
  { requests, bytes }: Pick<Answer, 'requests' | 'bytes'> = { requests: 0, bytes: 0 },
): GetResult<T> & { ok: true } {
  const { redirects, view, fetchedAt, freshUntil } = entry;
  const finalUrl = publicUrl(new URL(entry.url));
  return {
    ok: true,
    value,
    response,
    report: { finalUrl, redirects, cacheStatus, view, addressCheck, fetchedAt, freshUntil, requests, bytes },
  };
}

function noDocument(url: URL, status: number): Failure {
  return {
    code: 'HTTP_STATUS',
    message: `${publicUrl(url)}: status ${status} carries no document`,
    details: { status },
  };
}

function traceOf({ url, redirects, view, requests, bytes }: Answer) {
  return { finalUrl: publicUrl(url), redirects, view, requests, bytes };
}
