import { abortable } from '../abort.ts';
import { discardBody } from './body.ts';

/** Loads ky, which the first request needs. */
export const loadKy = () => import('ky');

/**
 * One GET of one URL by ky over the given fetch, as far as the headers. Redirects, error statuses, retries and time limits are
 * the caller's: ky would follow redirects without asking the guard and wait while holding a concurrency slot.
 */
export async function kyHop(
  fetch: typeof globalThis.fetch,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const { default: ky } = await loadKy();
  const response = ky.get(url, {
    fetch,
    headers,
    signal,
    redirect: 'manual',
    // Node's fetch adds `cache-control: no-cache` and `pragma: no-cache` to conditional requests under any other mode.
    cache: 'force-cache',
    throwHttpErrors: false,
    retry: { limit: 0 },
    timeout: false,
  });
  return abortable(response, signal, discardBody);
}
