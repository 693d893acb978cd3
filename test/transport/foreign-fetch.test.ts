import { getEventListeners } from 'node:events';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { transportFor, wanted } from './support.ts';

const url = 'https://provider.example/index';

describe('an injected fetch', () => {
  it('is asked, and the report says that only literal addresses are judged', async () => {
    const fetch: typeof globalThis.fetch = async () => new Response('given');
    expect(await transportFor({ fetch }).get(wanted(url))).toMatchObject({
      ok: true,
      value: 'given',
      report: { addressCheck: 'literal' },
    });
  });

  it('is not asked for a literal private address [E8]', async () => {
    let asked = 0;
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1;
      return new Response('given');
    };
    const { get } = transportFor({ fetch, unsafe: { allowPrivateAddresses: false } });
    expect(await get(wanted('https://10.0.0.1/'))).toMatchObject({ failure: { code: 'ADDRESS_REFUSED' } });
    expect(asked).toBe(0);
  });

  it('that heeds no signal is left behind, and its late answer is let go', async () => {
    const answer = deferred<Response>();
    const cancelled = deferred();
    const { get, clock } = transportFor({ fetch: () => answer.promise });
    const result = get(wanted(url));
    await clock.advance(1000);
    expect(await result).toMatchObject({ failure: { code: 'TIMEOUT' } });
    answer.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })));
    await cancelled.promise;
  });

  it('whose body heeds no signal is cancelled [F1]', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(3)),
      cancel: () => {
        cancelled = true;
        return new Promise(() => {});
      },
    });
    const { get, clock } = transportFor({ fetch: async () => new Response(body) });
    const result = get(wanted(url));
    await clock.advance(1000);
    expect(await result).toMatchObject({ failure: { code: 'TIMEOUT' }, report: { bytes: 3 } });
    expect(cancelled).toBe(true);
  });

  it('that hides redirects, as browsers do, is REDIRECT_REFUSED', async () => {
    const hidden = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
    });
    expect(await transportFor({ fetch: async () => hidden }).get(wanted(url))).toMatchObject({
      ok: false,
      failure: { code: 'REDIRECT_REFUSED', message: expect.stringContaining('platform') },
    });
  });

  it('whose answer is a document with another status than 200 is used, and not kept', async () => {
    let asked = 0;
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1;
      return new Response('changed', { status: 203, headers: { 'cache-control': 'max-age=60' } });
    };
    const { get } = transportFor({ fetch });
    expect(await get(wanted(url))).toMatchObject({ ok: true, value: 'changed' });
    expect(await get(wanted(url))).toMatchObject({ ok: true, report: { cacheStatus: 'miss' } });
    expect(asked).toBe(2);
  });

  it('whose 304 describes another body leaves the type of the copy as it was', async () => {
    const answers = [
      new Response('x', { headers: { etag: '"1"', 'content-type': 'application/json' } }),
      new Response(null, { status: 304, headers: { 'content-type': 'text/plain', vary: '1' } }),
    ];
    const { get } = transportFor({ fetch: async () => answers.shift() as Response });
    await get(wanted(url));
    const result = await get(wanted(url));
    expect(result).toMatchObject({ report: { cacheStatus: 'revalidated' } });
    expect(result).toMatchObject({ response: { contentType: 'application/json' } });
    expect(result.ok && result.response.header('vary')).toBe('1');
  });

  it('that a broken scheduler never lets through is the fault of nobody out there', async () => {
    const schedule = () => Promise.reject(new Error('a bug'));
    const { get, clock } = transportFor({ schedule, fetch: async () => new Response('x') });
    await expect(get(wanted(url))).rejects.toThrow('a bug');
    expect(clock.sleepers).toBe(0);
  });

  it('that names the whole URL in its error does not give the query away', async () => {
    const fetch: typeof globalThis.fetch = async () => {
      throw new TypeError(`request to ${url}?token=s3cret failed`);
    };
    const result = await transportFor({ fetch }).get(wanted(`${url}?token=s3cret`));
    expect(result).toMatchObject({ ok: false, failure: { code: 'NETWORK_FAILURE' } });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });
});

describe('msw over the platform fetch [H8]', () => {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  it('intercepts, though a dispatcher is passed', async () => {
    server.use(http.get(url, () => HttpResponse.json({ mocked: true })));
    expect(await transportFor().get(wanted(url))).toMatchObject({ ok: true, value: '{"mocked":true}' });
  });

  it('shows redirects and 304', async () => {
    server.use(
      http.get(url, () => new HttpResponse(null, { status: 302, headers: { location: '/moved' } })),
      http.get('https://provider.example/moved', ({ request }) =>
        request.headers.has('if-none-match')
          ? new HttpResponse(null, { status: 304 })
          : new HttpResponse('x', { headers: { etag: '"1"' } }),
      ),
    );
    const { get } = transportFor();
    expect(await get(wanted(url))).toMatchObject({ ok: true, report: { cacheStatus: 'miss', requests: 2 } });
    expect(await get(wanted(url))).toMatchObject({
      ok: true,
      report: { cacheStatus: 'revalidated', requests: 2 },
    });
  });

  it('ends a body that never does [F1]', async () => {
    server.use(
      http.get(
        url,
        () => new HttpResponse(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) })),
      ),
    );
    const { get, clock } = transportFor();
    const result = get(wanted(url));
    while (clock.sleepers === 0) await clock.advance(0);
    await clock.advance(1000);
    expect(await result).toMatchObject({ failure: { code: 'TIMEOUT' } });
  });

  it('keeps 10,000 calls from leaving listeners on one signal [F11]', async () => {
    server.use(http.get(url, () => new HttpResponse('x', { headers: { 'cache-control': 'max-age=60' } })));
    const { get } = transportFor();
    const { signal } = new AbortController();
    let most = 0;
    for (let round = 0; round < 100; round += 1) {
      const calls = Array.from({ length: 100 }, () => get(wanted(url, { signal })));
      most = Math.max(most, getEventListeners(signal, 'abort').length);
      await Promise.all(calls);
    }
    expect(most).toBeLessThanOrEqual(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
