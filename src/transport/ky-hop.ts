import type { KyInstance } from 'ky';
import { abortable } from '../abort.ts';
import { discardBody, readBody } from './body.ts';
import type { Hop } from './hop.ts';

let ky: KyInstance | undefined;

/** Loads ky, which the first request needs; undefined once it is there. */
export const loadKy = (): Promise<unknown> | undefined => (ky ? undefined : load());

async function load(): Promise<KyInstance> {
  ky ??= (await import('ky')).default;
  return ky;
}

/** {@link Hop} by ky over the given fetch. ky itself would follow redirects without asking the guard and wait while holding a slot. */
export const createKyHop =
  (fetch: typeof globalThis.fetch): Hop =>
  async ({ method, url, headers, body }, abort) => {
    const { signal } = abort;
    const send = ky ?? (await load());
    const asked = send(url, {
      // ky would make a third signal of this one and its own.
      fetch: (input, init) => fetch(input, { ...init, signal }),
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      // Node's fetch adds `cache-control: no-cache` and `pragma: no-cache` to conditional requests under any other mode.
      cache: 'force-cache',
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: false,
    });
    const response = await abortable(asked, abort, discardBody);
    return {
      status: response.type === 'opaqueredirect' ? 0 : response.status,
      fields: Object.fromEntries(response.headers),
      read: (limit, onBytes) => readBody(response.body, limit, abort, onBytes),
      discard: () => discardBody(response),
    };
  };
