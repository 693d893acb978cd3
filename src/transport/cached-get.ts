import type { Abort } from '../abort.ts';
import type { Failure } from '../errors.ts';
import type { CacheEntry, CacheStore } from './cache-store.ts';
import {
  copyResponse,
  fieldsOf,
  isConfirmed,
  renewedHeaders,
  storedHeaders,
  toResponse,
  validators,
} from './cached-copy.ts';
import { type Answer, type Credential, type ExchangeContext, exchange } from './exchange.ts';
import { type FreshnessBounds, forbidsStale, freshUntil, staleWindows } from './freshness.ts';
import type { Fields } from './hop.ts';
import type { Check, GetReport, GetResult, HttpResponse, KeptCopy } from './http-get.ts';
import type { JudgedCopies } from './judged-copies.ts';
import { drop, keep } from './kept-entries.ts';
import type { NegativeCache } from './negative-cache.ts';
import { publicUrl } from './target-policy.ts';

export interface CachedGetContext extends ExchangeContext {
  addressCheck: GetReport['addressCheck'];
  bounds: FreshnessBounds;
  staleIfErrorMs: number;
  store: CacheStore;
  negative: NegativeCache;
  /** Only where copies are in memory: others are not worth the memory of their texts. */
  judged: JudgedCopies | undefined;
}

/** One document, as seen by the holder of one credential. */
export interface Wanted<T> {
  url: URL;
  credential: Credential | undefined;
  check: Check<T>;
  /** Where its answer is kept; without one the cache is neither read nor written. */
  key: string | undefined;
  /** What is kept there. */
  stored: CacheEntry | undefined;
  /** How long past its freshness a copy answers without a request. */
  maxStaleMs: number;
}

interface Copy<T> {
  entry: CacheEntry;
  response: HttpResponse;
  value: T;
}

/**
 * What needs no request: a fresh copy that still passes its check, a failure that is remembered (with the copy in its place
 * while that may stand in), or a copy that may be used while it is refreshed; then `refresh` is set.
 */
export function answerFromCache<T>(
  wanted: Wanted<T>,
  context: CachedGetContext,
): { result: GetResult<T>; refresh?: true } | undefined {
  const { key, url, credential, stored: entry } = wanted;
  if (key === undefined) return undefined;
  const { addressCheck, clock, negative } = context;
  const now = clock.now();
  const known = negative.get(key, now);
  const mayServe =
    entry &&
    (isFresh(entry, now) ||
      known !== undefined ||
      isTakenStale(entry, now, wanted) ||
      isUsableMeanwhile(entry, now, context));
  const copy = mayServe ? judgeCopy(entry, wanted, context) : undefined;
  const unasked = { url, ...NOTHING_SENT };
  if (copy && isFresh(copy.entry, now)) return { result: fromCopy(copy, 'hit', unasked, wanted, context) };

  if (known) {
    const { failure, failedAt, until } = known;
    if (copy && standsIn(copy.entry, failure, now, context)) {
      return {
        result: {
          ...fromCopy(copy, 'stale', unasked, wanted, context),
          refreshFailure: failure,
        },
      };
    }
    const view = credential?.label ?? 'anonymous';
    const trace = { finalUrl: publicUrl(url), redirects: [], view, ...NOTHING_SENT };
    const report = {
      ...trace,
      addressCheck,
      cacheStatus: 'hit' as const,
      fetchedAt: failedAt,
      freshUntil: until,
    };
    return { result: { ok: false, failure, report } };
  }
  if (copy) {
    const result = fromCopy(copy, 'stale', unasked, wanted, context);
    return isTakenStale(copy.entry, now, wanted) ? { result } : { result, refresh: true };
  }
  return undefined;
}

/** Whether each of these copies is still the one that is kept, and fresh. */
export function areFresh(copies: readonly KeptCopy[], now: number, { store }: CachedGetContext): boolean {
  return copies.every(({ key, entry }) => store.get(key) === entry && isFresh(entry, now));
}

/**
 * Asks the server, conditionally where a copy is at hand, and keeps what is good. When that fails in any way, the failure is
 * remembered, and the copy stands in as `stale` for as long as its server and `staleIfErrorMs` let it.
 */
export async function askServer<T>(
  wanted: Wanted<T>,
  abort: Abort,
  context: CachedGetContext,
): Promise<GetResult<T>> {
  const { key, url, credential, stored } = wanted;
  const copy = stored && judgeCopy(stored, wanted, context);
  const conditions = copy && validators(copy.entry);
  const ask = { method: 'GET' as const, url, credential, abort };
  const begin = context.clock.now();
  let answer = await exchange({ ...ask, validators: conditions }, context);
  abort.throwIfAborted();
  if (conditions && isForAnother(answer, copy.entry)) {
    const took = context.clock.now() - begin - answer.waitMs;
    const timeoutMs = Math.max(1, context.timeoutMs - took);
    answer = inAll(answer, await exchange({ ...ask, timeoutMs }, context));
    abort.throwIfAborted();
  }
  const { result, keeping } = digest(wanted, copy, answer, context);
  if (keeping) await keeping;
  if (key !== undefined && answer.sentAt !== undefined) {
    const failure = result.ok ? result.refreshFailure : result.failure;
    if (failure) context.negative.remember(key, failure, context.clock.now());
    else context.negative.forget(key);
  }
  return result;
}

const mayConfirm = (entry: CacheEntry, fields: Fields) =>
  validators(entry) !== undefined && isConfirmed(entry, fields);

/** Whether the server takes the copy for another document than it is. */
function isForAnother({ outcome, url }: Answer, entry: CacheEntry): boolean {
  if (!outcome.ok || outcome.received.status !== 304 || url.href !== entry.url) return false;
  return !isConfirmed(entry, outcome.received.fields);
}

/** The second answer, with what both took. */
function inAll(first: Answer, second: Answer): Answer {
  return {
    ...second,
    requests: first.requests + second.requests,
    retries: first.retries + second.retries,
    bytes: first.bytes + second.bytes,
    waitMs: first.waitMs + second.waitMs,
  };
}

/** What an answer comes to; `keeping` where the store takes its time. */
interface Digested<T> {
  result: GetResult<T>;
  keeping?: void | Promise<void>;
}

function digest<T>(
  wanted: Wanted<T>,
  copy: Copy<T> | undefined,
  answer: Answer,
  context: CachedGetContext,
): Digested<T> {
  const { key, credential, stored, check } = wanted;
  const { addressCheck, clock, judged } = context;
  const now = clock.now();
  const failed = (given: Failure): Digested<T> => {
    const failure = withoutSecret(given, credential);
    const keeping =
      stored &&
      (isWithdrawn(failure)
        ? drop(key, context)
        : keep(key, { ...stored, failedAt: now }, fieldsOf(stored), context));
    const standIn = copy && standsIn(copy.entry, failure, now, context) && copy;
    const result: GetResult<T> = standIn
      ? { ...fromCopy(standIn, 'stale', answer, wanted, context), refreshFailure: failure }
      : { ok: false, failure, report: failureReport(traceOf(answer), now, addressCheck) };
    return { result, keeping };
  };

  if (!answer.outcome.ok) return failed(answer.outcome.failure);
  const { received } = answer.outcome;
  const { status } = received;
  if (status === 304 && copy?.entry.url === answer.url.href && mayConfirm(copy.entry, received.fields)) {
    const headers = renewedHeaders(copy.entry, received.fields);
    const { failedAt: _, ...known } = copy.entry;
    const fields = Object.fromEntries(headers);
    const entry = {
      ...known,
      ...{ headers, fetchedAt: now, freshUntil: freshUntil(fields, now, context.bounds) },
    };
    const renewed = { ...copy, entry, response: copyResponse(entry) };
    return {
      result: fromCopy(renewed, 'revalidated', answer, wanted, context),
      keeping: keep(key, entry, fields, context),
    };
  }

  const response = toResponse(answer.url.href, received, now);
  const verdict = judged ? judged.judge(key, response, check) : check(response);
  if (status < 200 || status > 299) {
    const failure = verdict.ok ? noDocument(answer.url, status) : verdict.failure;
    return failed({ ...failure, details: { status, ...failure.details } });
  }
  if (!verdict.ok) return failed(verdict.failure);
  const { value } = verdict;
  const entry: CacheEntry = {
    url: answer.url.href,
    redirects: answer.redirects,
    headers: storedHeaders(received.fields),
    text: received.text,
    bytes: received.bytes,
    view: answer.view,
    fetchedAt: now,
    freshUntil: freshUntil(received.fields, now, context.bounds),
  };
  const result = fromCopy({ entry, response, value }, 'miss', answer, wanted, context);
  return status === 200 ? { result, keeping: keep(key, entry, received.fields, context) } : { result };
}

/** The report of a failure: nothing is fresh, so it may be asked again at once. */
export function failureReport(
  trace: Omit<GetReport, 'addressCheck' | 'cacheStatus' | 'fetchedAt' | 'freshUntil'>,
  now: number,
  addressCheck: GetReport['addressCheck'],
): GetReport {
  return { ...trace, addressCheck, cacheStatus: 'miss', fetchedAt: now, freshUntil: now };
}

/** A stored entry with its value, provided it passes the check. */
function judgeCopy<T>(
  entry: CacheEntry,
  { key, check }: Wanted<T>,
  { judged }: CachedGetContext,
): Copy<T> | undefined {
  const response = copyResponse(entry);
  const verdict = judged ? judged.judge(key, response, check) : check(response);
  return verdict.ok ? { entry, response, value: verdict.value } : undefined;
}

/** A clock that was set back makes a copy stale rather than fresh for ever. */
function isFresh(entry: CacheEntry, now: number): boolean {
  return entry.failedAt === undefined && entry.fetchedAt <= now && now < entry.freshUntil;
}

/** That the document is no longer there, or no longer for this caller. A challenge page comes with such a status too. */
function isWithdrawn({ code, details }: Failure): boolean {
  return code !== 'BLOCKED' && [401, 403, 404, 410].includes(details?.status as number);
}

/** That there is nothing, or nothing for this caller: no error to be bridged (RFC 5861, section 4). */
function isOwnWord({ details }: Failure): boolean {
  const status = typeof details?.status === 'number' ? details.status : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function standsIn(
  entry: CacheEntry,
  failure: Failure,
  now: number,
  { staleIfErrorMs }: CachedGetContext,
): boolean {
  return (
    !isOwnWord(failure) && now - entry.freshUntil < staleWindows(fieldsOf(entry), staleIfErrorMs).ifErrorMs
  );
}

function isTakenStale<T>(entry: CacheEntry, now: number, { maxStaleMs }: Wanted<T>): boolean {
  return (
    entry.failedAt === undefined &&
    entry.fetchedAt <= now &&
    now - entry.freshUntil < maxStaleMs &&
    !forbidsStale(fieldsOf(entry))
  );
}

function isUsableMeanwhile(entry: CacheEntry, now: number, { staleIfErrorMs }: CachedGetContext): boolean {
  const { whileRevalidateMs } = staleWindows(fieldsOf(entry), staleIfErrorMs);
  return entry.failedAt === undefined && entry.fetchedAt <= now && now - entry.freshUntil < whileRevalidateMs;
}

function fromCopy<T>(
  { entry, response, value }: Copy<T>,
  cacheStatus: GetReport['cacheStatus'],
  asked: Answer | (Pick<Answer, 'url'> & typeof NOTHING_SENT),
  { key, credential }: Wanted<T>,
  { addressCheck, judged }: CachedGetContext,
): GetResult<T> & { ok: true } {
  const { redirects, view, fetchedAt, freshUntil } = entry;
  const { url, requests, retries, bytes, waitMs } = asked;
  const finalUrl = publicUrl(url.href === entry.url ? url : new URL(entry.url));
  // Written out, here and where else every answer passes: spreading takes several times as long.
  const report: GetReport = {
    finalUrl,
    redirects,
    cacheStatus,
    view,
    addressCheck,
    fetchedAt,
    freshUntil,
    requests,
    retries,
    bytes,
    waitMs,
  };
  if ('sentAt' in asked && asked.sentAt !== undefined) report.sentAt = asked.sentAt;
  const result: GetResult<T> & { ok: true } = { ok: true, value, response, report };
  const isShared = judged !== undefined && key !== undefined && credential === undefined;
  if (isShared && cacheStatus !== 'stale') result.kept = { key, entry };
  return result;
}

/** What is reported where nothing was asked. */
export const NOTHING_SENT = { requests: 0, retries: 0, bytes: 0, waitMs: 0 };

/** A server that sends the credential back must not get it into reports. */
export function withoutSecret(failure: Failure, credential: Credential | undefined): Failure {
  if (credential === undefined) return failure;
  const secrets = [credential.value, credential.value.replace(/^\S+\s+/, '')].map((secret) =>
    JSON.stringify(secret).slice(1, -1),
  );
  const text = JSON.stringify(failure);
  if (!secrets.some((secret) => text.includes(secret))) return failure;
  return {
    code: failure.code,
    message: 'the answer repeats the credential that was sent, so it is not shown',
  };
}

function noDocument(url: URL, status: number): Failure {
  return {
    code: 'HTTP_STATUS',
    message: `${publicUrl(url)}: status ${status} carries no document`,
  };
}

function traceOf(answer: Answer) {
  const { url, redirects, view, requests, retries, bytes, sentAt, waitMs } = answer;
  const cost = { requests, retries, bytes, waitMs, ...(sentAt !== undefined && { sentAt }) };
  return { finalUrl: publicUrl(url), redirects, view, ...cost };
}
