import { readFile } from 'node:fs/promises';
import ky from 'ky';
import { describe, expect, it } from 'vitest';
import { Abort } from '../../src/abort.ts';
import { createKyHop } from '../../src/transport/ky-hop.ts';

/** What we rely on in ky; a release that changes it must fail here, not in the field. */
describe('[H10] ky as one hop', () => {
  const hop = (fetch: typeof globalThis.fetch, abort = new Abort()) =>
    createKyHop(fetch)(
      {
        method: 'GET',
        url: new URL('https://provider.example/'),
        headers: { 'x-mine': '1' },
        body: undefined,
      },
      abort,
    );

  it('is the release that was examined', async () => {
    const { version } = JSON.parse(await readFile('node_modules/ky/package.json', 'utf8'));
    expect(version).toMatch(/^1\.14\./);
  });

  it.each([204, 304, 302, 404, 429, 503])('hands status %i over, after one request', async (status) => {
    let asked = 0;
    const response = await hop(async () => {
      asked += 1;
      return new Response(null, { status, headers: { 'retry-after': '1' } });
    });
    expect(response.status).toBe(status);
    expect(asked).toBe(1);
  });

  it('hands 429 over after one request where it names no time either', async () => {
    let asked = 0;
    const response = await hop(async () => {
      asked += 1;
      return new Response(null, { status: 429 });
    });
    expect(response.status).toBe(429);
    expect(asked).toBe(1);
  });

  it('ends with the signal, with its reason', async () => {
    const abort = new Abort();
    const hanging = hop(
      (input, init) =>
        new Promise((_, reject) => {
          const { signal } = new Request(input, init);
          signal.addEventListener('abort', () => reject(signal.reason));
          abort.abort(new Error('enough'));
        }),
      abort,
    );
    await expect(hanging).rejects.toThrow('enough');
  });

  it('does not retry a failed fetch, and passes its error on as it is', async () => {
    let asked = 0;
    const error = new TypeError('fetch failed', { cause: new Error('guard') });
    const failing = hop(async () => {
      asked += 1;
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(asked).toBe(1);
  });

  it('asks for manual redirects and adds no header', async () => {
    const requests: Request[] = [];
    await hop(async (request) => {
      requests.push(request as Request);
      return new Response();
    });
    expect(requests[0]).toMatchObject({ redirect: 'manual', cache: 'force-cache', method: 'GET' });
    expect([...(requests[0]?.headers ?? [])]).toEqual([['x-mine', '1']]);
  });

  it('would throw on 304 and retry on 503 by itself', async () => {
    const statuses = [503, 304];
    const fetch = async () => new Response(null, { status: statuses.shift() ?? 200 });
    await expect(ky('https://provider.example/', { fetch, retry: { delay: () => 0 } })).rejects.toMatchObject(
      {
        name: 'HTTPError',
        response: { status: 304 },
      },
    );
  });
});
