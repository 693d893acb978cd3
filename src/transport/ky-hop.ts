import { abortable } from '../abort.ts';
import { discardBody } from './body.ts';

/** Loads ky, which the first request needs. */
export const loadKy = () => import('ky');

/** What one hop sends. */
export interface Message {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * One request of one URL by ky over the given fetch, as far as the headers. Redirects, error statuses, retries and time limits are
 * the caller's: ky would follow redirects without asking the guard and wait while holding a concurrency slot.
 */
export async function kyHop(
  fetch: typeof globalThis.fetch,
  { method, url, headers, body }: Message,
  signal: AbortSignal,
): Promise<Response> {
  const { default: ky } = await loadKy();
  const response = ky(url, {
    fetch,
    method,
    headers,
    ...(body !== undefined && { body }),
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
