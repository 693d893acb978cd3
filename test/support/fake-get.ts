import type { Failure } from '../../src/errors.ts';
import type { GetRequest, GetResult, HttpGet, HttpResponse, KeptCopy } from '../../src/transport/index.ts';

export interface FakeAnswer {
  status?: number;
  contentType?: string;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  retryAfterMs?: number;
  cacheStatus?: 'miss' | 'hit' | 'revalidated' | 'stale';
  /** With `stale`: the caller takes it as it is, no refresh failed. */
  isTakenStale?: boolean;
  view?: string;
  finalUrl?: string;
  bytes?: number;
  freshUntil?: number;
  addressCheck?: 'dialled' | 'literal' | 'proxy';
  kept?: KeptCopy;
  /** What kept the answer from arriving. */
  broken?: Failure;
}

export type FakeRoute = FakeAnswer | ((request: GetRequest<unknown>) => FakeAnswer | Promise<FakeAnswer>);

/** The network port over a table of URLs; what is not in it answers 404. `asked` lists the requests. */
export function createFakeGet(
  routes: Record<string, FakeRoute>,
  now = () => 0,
): { get: HttpGet; asked: GetRequest<unknown>[] } {
  const asked: GetRequest<unknown>[] = [];
  return {
    asked,
    async get<T>(request: GetRequest<T>): Promise<GetResult<T>> {
      request.signal?.throwIfAborted();
      asked.push(request as GetRequest<unknown>);
      const route = routes[request.url] ?? { status: 404, body: '' };
      const answer = typeof route === 'function' ? await route(request as GetRequest<unknown>) : route;
      request.signal?.throwIfAborted();
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '');
      const finalUrl = answer.finalUrl ?? request.url;
      const response: HttpResponse = {
        url: finalUrl,
        status: answer.status ?? 200,
        contentType: answer.contentType ?? 'application/json',
        text,
        header: () => undefined,
        ...(answer.retryAfterMs !== undefined && { retryAfterMs: answer.retryAfterMs }),
      };
      const cacheStatus = answer.cacheStatus ?? 'miss';
      const wasAsked = cacheStatus !== 'hit' && !answer.isTakenStale;
      const report = {
        finalUrl,
        redirects: [],
        cacheStatus,
        view: answer.view ?? 'anonymous',
        addressCheck: answer.addressCheck ?? ('dialled' as const),
        fetchedAt: now(),
        freshUntil: answer.freshUntil ?? now() + 60_000,
        requests: wasAsked ? 1 : 0,
        retries: 0,
        waitMs: 0,
        ...(wasAsked && { sentAt: now() }),
        bytes: answer.bytes ?? text.length,
      };
      if (answer.broken) return { ok: false, failure: answer.broken, report };
      const verdict = request.check(response);
      if (!verdict.ok) return { ok: false, failure: verdict.failure, report };
      const refreshFailure = { code: 'SERVER_ERROR' as const, message: 'the refresh failed' };
      return {
        ok: true,
        value: verdict.value,
        ...(answer.kept && { kept: answer.kept }),
        response,
        report,
        ...(cacheStatus === 'stale' && wasAsked && { refreshFailure }),
      };
    },
  };
}
