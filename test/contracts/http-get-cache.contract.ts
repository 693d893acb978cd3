import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { CacheEntry, CacheStore, Check, GetRequest } from '../../src/transport/index.ts';
import { deferred } from '../support/deferred.ts';
import {
  body,
  type Handler,
  NOTHING_REMEMBERED,
  type Overrides,
  paths,
  redirect,
  site,
  type TransportFactory,
  text,
  transportFor,
  wanted,
} from '../transport/support.ts';

const MODIFIED = 'Mon, 02 Nov 2026 10:00:00 GMT';
const LATER = 'Mon, 02 Nov 2026 10:00:01 GMT';

/** The HttpGet port: copies, their freshness, and requests that are shared. For every implementation that talks to real sockets. */
export function httpGetCacheContract(name: string, create: TransportFactory): void {
  const start = (overrides: Overrides = {}) => transportFor(overrides, create);

  describe(`${name}: cache`, () => {
    it('answers from a fresh copy, judging it again by another check', async () => {
      const server = await paths({
        '/': body('x', { 'cache-control': 'max-age=60', 'content-type': 'text/x' }),
      });
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(59_999);
      let judged = 0;
      const check: Check<string> = (response) => {
        judged += 1;
        return text(response);
      };
      expect(await get(wanted(server.origin, { check }))).toMatchObject({
        ok: true,
        value: 'x',
        response: { status: 200, contentType: 'text/x' },
        report: { cacheStatus: 'hit', requests: 0, bytes: 0, fetchedAt: clock.now() - 59_999 },
      });
      expect(judged).toBe(1);
      await clock.advance(1);
      expect(await get(wanted(server.origin))).toMatchObject({ report: { cacheStatus: 'miss' } });
      expect(server.requests).toHaveLength(2);
    });

    it('judges a copy once, however often it is used or confirmed, where its check tells what it takes', async () => {
      const server = await site((request, response) => {
        response.setHeader('cache-control', 'max-age=60').setHeader('etag', '"1"');
        const isKnown = request.headers['if-none-match'] === '"1"';
        response.writeHead(isKnown ? 304 : 200).end(isKnown ? undefined : 'x');
      });
      const { get } = start();
      let judged = 0;
      const check: Check<string> = (response) => {
        judged += 1;
        const verdict = text(response);
        return verdict.ok ? { ...verdict, bytes: 10 } : verdict;
      };
      const statuses: string[] = [];
      for (const cacheMode of ['use', 'use', 'refresh', 'use', 'refresh'] as const) {
        const result = await get(wanted(server.origin, { check, cacheMode }));
        expect(result).toMatchObject({ ok: true, value: 'x', response: { text: 'x' } });
        statuses.push(result.report.cacheStatus);
      }
      expect(statuses).toEqual(['miss', 'hit', 'revalidated', 'hit', 'revalidated']);
      expect(judged).toBe(1);
    });

    it('keeps only what was judged good [C1]', async () => {
      const server = await site((request, response) =>
        body(server.requests.length === 1 ? 'bad' : 'good', { 'cache-control': 'max-age=60' })(
          request,
          response,
        ),
      );
      const { get } = start();
      expect(await get(wanted(server.origin))).toMatchObject({ failure: { code: 'NOT_JSON' } });
      expect(await get(wanted(server.origin))).toMatchObject({
        value: 'good',
        report: { cacheStatus: 'miss' },
      });
      expect(await get(wanted(server.origin))).toMatchObject({
        value: 'good',
        report: { cacheStatus: 'hit' },
      });
    });

    it('asks again without condition when the copy fails another check', async () => {
      const server = await paths({ '/': body('x', { 'cache-control': 'max-age=60', etag: '"1"' }) });
      const { get } = start();
      await get(wanted(server.origin));
      const check: Check<string> = () => ({ ok: false, failure: { code: 'TOO_DEEP', message: 'stricter' } });
      expect(await get(wanted(server.origin, { check }))).toMatchObject({
        ok: false,
        failure: { code: 'TOO_DEEP' },
      });
      expect(server.requests[1]?.headers['if-none-match']).toBeUndefined();
    });

    it('bypass neither reads nor writes; refresh asks and writes [C2]', async () => {
      const server = await site((request, response) =>
        body(`v${server.requests.length}`, { 'cache-control': 'max-age=60' })(request, response),
      );
      const { get } = start();
      const value = async (cacheMode: GetRequest<string>['cacheMode']) => {
        const result = await get(wanted(server.origin, { cacheMode }));
        return result.ok && result.value;
      };
      expect(await value('bypass')).toBe('v1');
      expect(await value('use')).toBe('v2');
      expect(await value('bypass')).toBe('v3');
      expect(await value('use')).toBe('v2');
      expect(await value('refresh')).toBe('v4');
      expect(await value('use')).toBe('v4');
    });

    it('revalidates, without no-cache, and counts freshness from then [C5][C8][C9]', async () => {
      const server = await site((request, response) => {
        const headers = {
          etag: '"1"',
          'cache-control': 'max-age=60',
          'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        };
        if (request.headers['if-none-match'] === '"1"')
          response.writeHead(304, { ...headers, vary: 'new' }).end();
        else response.writeHead(200, { ...headers, vary: 'old' }).end('x');
      });
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(70_000);
      const result = await get(wanted(server.origin));
      expect(result).toMatchObject({
        ok: true,
        value: 'x',
        report: {
          cacheStatus: 'revalidated',
          requests: 1,
          bytes: 0,
          fetchedAt: clock.now(),
          freshUntil: clock.now() + 60_000,
        },
      });
      expect(result.ok && result.response.header('vary')).toBe('new');
      const sent = server.requests[1]?.headers ?? {};
      expect(sent).toMatchObject({
        'if-none-match': '"1"',
        'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
      });
      expect(sent).not.toHaveProperty('cache-control');
      expect(sent).not.toHaveProperty('pragma');
      await clock.advance(59_999);
      expect(await get(wanted(server.origin))).toMatchObject({ report: { cacheStatus: 'hit' } });
      await clock.advance(1);
      expect(await get(wanted(server.origin))).toMatchObject({ report: { cacheStatus: 'revalidated' } });
      expect(server.requests).toHaveLength(3);
    });

    it('sends validators only to the URL they came from', async () => {
      const server = await paths({
        '/a': redirect('/b'),
        '/b': (request, response) => {
          response.writeHead(request.headers['if-none-match'] ? 304 : 200, { etag: '"b"' }).end();
        },
      });
      server.requests.length = 0;
      const check: Check<string> = ({ status }) =>
        status === 200
          ? { ok: true, value: 'b' }
          : { ok: false, failure: { code: 'HTTP_STATUS', message: '' } };
      const { get } = start();
      await get(wanted(`${server.origin}/a`, { check }));
      expect(await get(wanted(`${server.origin}/a`, { check }))).toMatchObject({
        report: { cacheStatus: 'revalidated', requests: 2, redirects: [`${server.origin}/a`] },
      });
      expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
        undefined,
        undefined,
        undefined,
        '"b"',
      ]);
    });

    it('does not take a 304 of another URL on the way for a confirmation', async () => {
      const server = await paths({
        '/a': (request, response) => {
          if (server.requests.length === 1) redirect('/b')(request, response);
          else response.writeHead(304).end();
        },
        '/b': body('b', { etag: '"b"' }),
      });
      const { get } = start();
      await get(wanted(`${server.origin}/a`));
      expect(await get(wanted(`${server.origin}/a`))).toMatchObject({
        ok: true,
        report: { cacheStatus: 'stale' },
        refreshFailure: { code: 'HTTP_STATUS' },
      });
    });

    it('forgets its copy when a newer answer must not be kept [C12]', async () => {
      const server = await site((request, response) => {
        const control = server.requests.length === 1 ? 'max-age=60' : 'no-store';
        body('x', { 'cache-control': control })(request, response);
      });
      const kept = new Map<string, CacheEntry>();
      const cacheStore: CacheStore = {
        get: (key) => kept.get(key),
        set: (key, entry) => void kept.set(key, entry),
        delete: (key) => void kept.delete(key),
      };
      const { get } = start({ cacheStore });
      await get(wanted(server.origin));
      expect(kept.size).toBe(1);
      await get(wanted(server.origin, { cacheMode: 'refresh' }));
      expect(kept.size).toBe(0);
    });

    it('takes a 304 that nobody asked for as a failure [C5]', async () => {
      const server = await site((_request, response) => void response.writeHead(304).end());
      expect(await start().get(wanted(server.origin))).toMatchObject({
        ok: false,
        failure: { code: 'HTTP_STATUS' },
      });
    });

    it.each<[string, Handler, string]>([
      ['a server error', (_request, response) => void response.writeHead(503).end(), 'HTTP_STATUS'],
      ['a bad document', body('bad'), 'NOT_JSON'],
      ['too many requests', (_request, response) => void response.writeHead(429).end(), 'HTTP_STATUS'],
      ['a broken connection', (request) => void request.socket.destroy(), 'NETWORK_FAILURE'],
    ])('lets the last good copy stand in for %s, for a while [C3]', async (_case, breakDown, code) => {
      const server = await site((request, response) =>
        (server.requests.length === 1 ? body('good', { 'cache-control': 'max-age=60' }) : breakDown)(
          request,
          response,
        ),
      );
      const { get, clock } = start();
      await get(wanted(server.origin));
      const fetchedAt = clock.now();
      await clock.advance(61_000);
      expect(await get(wanted(server.origin))).toMatchObject({
        ok: true,
        value: 'good',
        report: { cacheStatus: 'stale', fetchedAt, requests: 1 },
        refreshFailure: { code },
      });
      await clock.advance(3_600_000);
      expect(await get(wanted(server.origin))).toMatchObject({ ok: false, failure: { code } });
    });

    it.each([
      ['another ETag', { etag: '"2"' }, { etag: '"1"', 'last-modified': MODIFIED }],
      ['another time', { 'last-modified': LATER }, { 'last-modified': MODIFIED }],
    ])('asks anew, without conditions, where a 304 names %s (RFC 9111, 4.3.4)', async (_, named, first) => {
      const server = await site((request, response) => {
        if (request.headers['if-modified-since'] !== undefined) {
          response.writeHead(304, named).end();
        } else if (server.requests.length === 1)
          body('old', { 'cache-control': 'max-age=60', ...first })(request, response);
        else body('new', { 'cache-control': 'max-age=60', ...named })(request, response);
      });
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(61_000);
      expect(await get(wanted(server.origin))).toMatchObject({
        ok: true,
        value: 'new',
        report: { cacheStatus: 'miss', requests: 2 },
      });
      expect(server.requests).toHaveLength(3);
    });

    it('takes a weakened ETag for the same', async () => {
      const server = await site((request, response) => {
        if (request.headers['if-none-match'] === '"1"') response.writeHead(304, { etag: 'W/"1"' }).end();
        else body('x', { 'cache-control': 'max-age=60', etag: '"1"' })(request, response);
      });
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(61_000);
      expect(await get(wanted(server.origin))).toMatchObject({
        report: { cacheStatus: 'revalidated', requests: 1 },
      });
    });

    it('lets a 304 that nobody asked for confirm nothing', async () => {
      const server = await site((request, response) =>
        server.requests.length === 1
          ? body('x', { 'cache-control': 'max-age=60' })(request, response)
          : void response.writeHead(304).end(),
      );
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(61_000);
      expect(await get(wanted(server.origin))).toMatchObject({
        ok: true,
        report: { cacheStatus: 'stale' },
        refreshFailure: { details: { status: 304 } },
      });
    });

    it.each([
      ...[401, 403, 404, 410].map((status) => [status, 'nor for an error after it', false] as const),
      ...[400, 425].map((status) => [status, 'but for an error after it', true] as const),
    ])("lets no copy stand in for the server's own %i, %s", async (status, _, isKept) => {
      const statuses = [200, status, 503];
      const server = await site((request, response) =>
        server.requests.length === 1
          ? body('good', { 'cache-control': 'max-age=60' })(request, response)
          : void response.writeHead(statuses[server.requests.length - 1] ?? 503).end(),
      );
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(61_000);
      const ask = () => get(wanted(server.origin));
      expect(await ask()).toMatchObject({ ok: false, failure: { details: { status } } });
      const failure = { details: { status: 503 } };
      expect(await ask()).toMatchObject(
        isKept ? { ok: true, value: 'good', refreshFailure: failure } : { ok: false, failure },
      );
    });

    it.each([
      ['must-revalidate', 'max-age=60, must-revalidate', 1],
      ['no-cache', 'no-cache', 1],
      ['stale-if-error of less', 'max-age=60, stale-if-error=30', 40],
    ])('lets no copy stand in for a failure past what %s allows', async (_case, cacheControl, seconds) => {
      const server = await site((request, response) =>
        server.requests.length === 1
          ? body('good', { 'cache-control': cacheControl })(request, response)
          : void response.writeHead(503).end(),
      );
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(60_000 + seconds * 1000);
      expect(await get(wanted(server.origin))).toMatchObject({
        ok: false,
        failure: { details: { status: 503 } },
      });
    });

    it('answers at once from a stale copy and refreshes it once, where the server lets it [C14]', async () => {
      const release = deferred();
      const server = await site(async (request, response) => {
        if (server.requests.length > 1) await release.promise;
        body(`v${server.requests.length}`, { 'cache-control': 'max-age=60, stale-while-revalidate=30' })(
          request,
          response,
        );
      });
      const { get, clock } = start();
      await get(wanted(server.origin));
      await clock.advance(61_000);
      const stale = await Promise.all(Array.from({ length: 50 }, () => get(wanted(server.origin))));
      for (const result of stale) {
        expect(result).toMatchObject({
          ok: true,
          value: 'v1',
          report: { cacheStatus: 'stale', requests: 0 },
        });
        expect(result).not.toHaveProperty('refreshFailure');
      }
      await server.received(2);
      await get(wanted(server.origin));
      expect(server.requests).toHaveLength(2);
      release.resolve();
      const refreshed = await get(wanted(server.origin, { cacheMode: 'refresh' }));
      expect(refreshed).toMatchObject({ value: expect.stringMatching(/^v[23]$/) });
      await clock.advance(95_000);
      expect(await get(wanted(server.origin))).toMatchObject({ report: { cacheStatus: 'miss' } });
    });

    it('takes a copy past its freshness where the caller does and the server lets it', async () => {
      const server = await paths({
        '/': body('x', { 'cache-control': 'max-age=60', etag: '"1"' }),
        '/strict': body('x', { 'cache-control': 'max-age=60, must-revalidate', etag: '"1"' }),
      });
      const { get, clock } = start();
      const strict = `${server.origin}/strict`;
      await get(wanted(server.origin));
      await get(wanted(strict));
      await clock.advance(60_000 + 9_999);
      expect(await get(wanted(server.origin, { maxStaleMs: 10_000 }))).toMatchObject({
        ok: true,
        value: 'x',
        report: { cacheStatus: 'stale', requests: 0 },
      });
      expect(server.requests).toHaveLength(2);
      await get(wanted(strict, { maxStaleMs: 10_000 }));
      expect(server.requests).toHaveLength(3);
      await clock.advance(1);
      await get(wanted(server.origin, { maxStaleMs: 10_000 }));
      expect(server.requests).toHaveLength(4);
    });

    it('keeps of the headers only what it needs, however many a server invents', async () => {
      let answers = 0;
      const server = await site((request, response) => {
        answers += 1;
        const headers = { etag: '"1"', [`x-${answers}`]: 'x'.repeat(100), 'set-cookie': 'a=b' };
        if (request.headers['if-none-match']) response.writeHead(304, headers).end();
        else body('x', headers)(request, response);
      });
      const kept = new Map<string, CacheEntry>();
      const cacheStore: CacheStore = {
        get: (key) => kept.get(key),
        set: (key, entry) => void kept.set(key, entry),
        delete: (key) => void kept.delete(key),
      };
      const { get } = start({ cacheStore });
      for (let look = 0; look < 3; look++) await get(wanted(server.origin, { cacheMode: 'refresh' }));
      const [entry] = kept.values();
      expect(entry?.headers.map(([name]) => name).sort()).toEqual(['date', 'etag']);
    });

    it('trusts no copy that it last asked for in vain, until the server has answered again', async () => {
      let down = false;
      const server = await site((request, response) =>
        down
          ? void response.writeHead(503).end()
          : body('x', { 'cache-control': 'max-age=60', etag: '"1"' })(request, response),
      );
      const kept = new Map<string, CacheEntry>();
      const cacheStore: CacheStore = {
        get: (key) => kept.get(key),
        set: (key, entry) => void kept.set(key, entry),
        delete: (key) => void kept.delete(key),
      };
      await start({ cacheStore }).get(wanted(server.origin));
      down = true;
      await start({ cacheStore }).get(wanted(server.origin, { cacheMode: 'refresh' }));
      // As another process would find it: fresh by its headers, but lost.
      const later = await start({ cacheStore }).get(wanted(server.origin, { maxStaleMs: 1_000 }));
      expect(later).toMatchObject({ report: { cacheStatus: 'stale', requests: 1 }, refreshFailure: {} });
      down = false;
      await start({ cacheStore }).get(wanted(server.origin, { cacheMode: 'refresh' }));
      expect(await start({ cacheStore }).get(wanted(server.origin))).toMatchObject({
        report: { cacheStatus: 'hit' },
      });
    });

    it('knows again what a credential may see where its store keeps the secret, and only there', async () => {
      const server = await paths({ '/': body('x', { 'cache-control': 'max-age=60' }) });
      const kept = new Map<string, CacheEntry>();
      const cacheStore = (secret?: Uint8Array): CacheStore => ({
        ...(secret && { secret }),
        get: (key) => kept.get(key),
        set: (key, entry) => void kept.set(key, entry),
        delete: (key) => void kept.delete(key),
      });
      const ask = async (secret: Uint8Array | undefined, value: string) => {
        const credential = () => Promise.resolve({ header: 'x-key', value, label: 'me' });
        const { get } = start({ cacheStore: cacheStore(secret), credential });
        return (await get(wanted(server.origin))).report.cacheStatus;
      };
      const secret = new Uint8Array(32).fill(7);
      expect(await ask(secret, 'a')).toBe('miss');
      expect(await ask(secret, 'a')).toBe('hit');
      expect(await ask(secret, 'b')).toBe('miss');
      expect(await ask(new Uint8Array(32), 'a')).toBe('miss');
      expect(await ask(undefined, 'a')).toBe('miss');
      expect(await ask(undefined, 'a')).toBe('miss');
    });

    it('remembers a failure for its time, longer each time, and asks anyway on refresh [A18]', async () => {
      let good = false;
      const server = await site((request, response) =>
        good ? body('good')(request, response) : void response.writeHead(404).end(),
      );
      const absent: Check<string> = (response) =>
        response.status === 404
          ? { ok: false, failure: { code: 'INDEX_NOT_FOUND', message: 'none' } }
          : text(response);
      const { get, clock } = start({
        cache: { negative: { ...NOTHING_REMEMBERED, absentMs: 1000, maxMs: 10_000 } },
      });
      const ask = (cacheMode: 'use' | 'refresh' = 'use') =>
        get(wanted(server.origin, { check: absent, cacheMode }));
      await ask();
      const failedAt = clock.now();
      await clock.advance(999);
      expect(await ask()).toMatchObject({
        failure: { code: 'INDEX_NOT_FOUND' },
        report: { cacheStatus: 'hit', requests: 0, fetchedAt: failedAt, freshUntil: failedAt + 1000 },
      });
      await clock.advance(1);
      await ask();
      await clock.advance(1999);
      await ask();
      expect(server.requests).toHaveLength(2);
      good = true;
      expect(await ask('refresh')).toMatchObject({ ok: true, value: 'good' });
      good = false;
      expect(await ask('refresh')).toMatchObject({ ok: false });
      await clock.advance(1000);
      await ask();
      expect(server.requests).toHaveLength(5);
    });

    it('lets the copy stand in while a failure is remembered, without asking again', async () => {
      const server = await site((request, response) =>
        server.requests.length === 1
          ? body('good', { 'cache-control': 'max-age=60' })(request, response)
          : void response.writeHead(503).end(),
      );
      const down: Check<string> = (response) =>
        response.status === 503
          ? { ok: false, failure: { code: 'SERVER_ERROR', message: 'down' } }
          : text(response);
      const { get, clock } = start({
        cache: { negative: { ...NOTHING_REMEMBERED, serverMs: 60_000, maxMs: 60_000 } },
      });
      const ask = () => get(wanted(server.origin, { check: down }));
      await ask();
      await clock.advance(61_000);
      const stale = { ok: true, value: 'good', refreshFailure: { code: 'SERVER_ERROR' } };
      expect(await ask()).toMatchObject({ ...stale, report: { requests: 1 } });
      expect(await ask()).toMatchObject({ ...stale, report: { requests: 0 } });
      expect(server.requests).toHaveLength(2);
    });

    it('keeps nothing under no-store, and asks every time under no-cache [C12]', async () => {
      const server = await paths({
        '/store': body('x', { 'cache-control': 'no-store, max-age=60' }),
        '/cache': body('x', { 'cache-control': 'NO-CACHE', etag: '"1"' }),
      });
      const { get } = start({ cache: { minFreshMs: 60_000 } });
      for (const path of ['/store', '/cache']) {
        await get(wanted(`${server.origin}${path}`));
        await get(wanted(`${server.origin}${path}`));
      }
      expect(server.requests.map(({ url, headers }) => [url, headers['if-none-match']])).toEqual([
        ['/store', undefined],
        ['/store', undefined],
        ['/cache', undefined],
        ['/cache', '"1"'],
      ]);
    });

    it('asks again when the clock was set back or forward [C11]', async () => {
      const server = await paths({ '/': body('x', { 'cache-control': 'max-age=60' }) });
      const { get, clock } = start();
      await get(wanted(server.origin));
      clock.set(clock.now() - 86_400_000);
      await get(wanted(server.origin));
      clock.set(clock.now() + 86_400_000);
      await get(wanted(server.origin));
      expect(server.requests).toHaveLength(3);
    });

    it('keeps what different callers may see apart, and no secret in its keys [C18]', async () => {
      const server = await site((request, response) =>
        body(String(request.headers['x-api-key']), { 'cache-control': 'max-age=60' })(request, response),
      );
      let value: string | undefined = 's3cret';
      const keys: string[] = [];
      const kept = new Map();
      const { get } = start({
        credential: async () => (value ? { label: 'member', header: 'x-api-key', value } : undefined),
        cacheStore: {
          get: (key) => kept.get(key),
          set: (key, entry) => {
            keys.push(key);
            kept.set(key, entry);
          },
          delete: (key) => void kept.delete(key),
        },
      });
      const seen = async () => {
        const result = await get(wanted(server.origin));
        return result.ok && [result.value, result.report.view, result.report.cacheStatus];
      };
      expect(await seen()).toEqual(['s3cret', 'member', 'miss']);
      expect(await seen()).toEqual(['s3cret', 'member', 'hit']);
      value = undefined;
      expect(await seen()).toEqual(['undefined', 'anonymous', 'miss']);
      value = 'other';
      expect(await seen()).toEqual(['other', 'member', 'miss']);
      expect(keys.join()).not.toContain('s3cret');
      expect(new Set(keys).size).toBe(3);
    });

    it('does without a store that fails', async () => {
      const server = await paths({ '/': body('x') });
      const broken = () => Promise.reject(new Error('disk'));
      const { get } = start({ cacheStore: { get: broken, set: broken, delete: broken } });
      expect(await get(wanted(server.origin))).toMatchObject({ ok: true, report: { cacheStatus: 'miss' } });
    });
  });

  describe(`${name}: sharing`, () => {
    it('sends one request for many callers [C14]', async () => {
      const server = await paths({ '/': body('x') });
      const { get } = start();
      const results = await Promise.all(Array.from({ length: 50 }, () => get(wanted(server.origin))));
      expect(server.requests).toHaveLength(1);
      expect(results.map(({ report }) => report.requests)).toEqual([1, ...Array(49).fill(0)]);
      expect(results.reduce((sum, { report }) => sum + report.bytes, 0)).toBe(1);
    });

    it('does not share between kinds', async () => {
      const server = await paths({ '/': body('x', { 'cache-control': 'max-age=60' }) });
      const { get } = start();
      await Promise.all([get(wanted(server.origin)), get(wanted(server.origin, { kind: 'other' }))]);
      expect(server.requests).toHaveLength(2);
    });

    it("outlives the first caller's abort, and ends with the last [C15]", async () => {
      const answers: ServerResponse[] = [];
      const server = await site((_request, response) => void answers.push(response));
      const { get } = start();
      const [first, second] = [new AbortController(), new AbortController()];
      const one = get(wanted(server.origin, { signal: first.signal }));
      const two = get(wanted(server.origin, { signal: second.signal }));
      await server.received(1);
      first.abort(new Error('one leaves'));
      await expect(one).rejects.toThrow('one leaves');
      answers[0]?.end('shared');
      expect(await two).toMatchObject({ ok: true, value: 'shared', report: { requests: 1 } });

      const [third, fourth] = [new AbortController(), new AbortController()];
      const rest = [third, fourth].map(({ signal }) => get(wanted(`${server.origin}/2`, { signal })));
      const ended = Promise.allSettled(rest);
      await server.received(2);
      const closed = once(answers[1] as ServerResponse, 'close');
      third.abort();
      fourth.abort();
      await ended;
      await closed;
      expect(server.requests).toHaveLength(2);
    });

    it('starts anew after an abort', async () => {
      const answers: ServerResponse[] = [];
      const server = await site((_request, response) => void answers.push(response));
      const { get } = start();
      const controller = new AbortController();
      const left = get(wanted(server.origin, { signal: controller.signal }));
      await server.received(1);
      controller.abort();
      const again = get(wanted(server.origin));
      await expect(left).rejects.toThrow();
      await server.received(2);
      answers[1]?.end('again');
      expect(await again).toMatchObject({ ok: true, value: 'again' });
    });
  });
}
