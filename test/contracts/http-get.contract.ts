import { randomBytes } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SkillscoutError } from '../../src/errors.ts';
import type {
  CacheEntry,
  CacheStore,
  Check,
  GetRequest,
  TransportOptions,
} from '../../src/transport/index.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Overrides, type TransportFactory, text, transportFor, wanted } from '../transport/support.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
/** The rules of the HttpGet port, for every implementation that talks to real sockets. */
export function httpGetContract(name: string, create: TransportFactory): void {
  const start = (overrides: Overrides = {}) => {
    const sameSite: TransportOptions['sameSite'] = async (from, to) => from.hostname === to.hostname;
    return transportFor({ sameSite, ...overrides }, create);
  };

  const site = async (handler: Handler): Promise<LoopbackServer> => {
    const server = await serve(handler);
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server;
  };

  /** Answers by path; 404 for the rest. */
  const paths = (handlers: Record<string, Handler>) =>
    site((request, response) => {
      const handler = handlers[request.url ?? ''];
      if (handler) handler(request, response);
      else response.writeHead(404).end();
    });

  const body =
    (content: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
    (_request, response) => {
      response.writeHead(200, headers).end(content);
    };

  const redirect =
    (location: string, status = 302): Handler =>
    (_request, response) => {
      response.writeHead(status, { location }).end('moved');
    };

  describe(`${name}: one answer`, () => {
    it('reports how it came about', async () => {
      const server = await paths({ '/a?q=1': body('hello', { 'content-type': 'text/plain' }) });
      const { get, clock } = start();
      const result = await get(wanted(`${server.origin}/a?q=1#part`));
      expect(result).toMatchObject({
        ok: true,
        value: 'hello',
        response: { url: `${server.origin}/a?q=1`, status: 200, contentType: 'text/plain' },
        report: {
          finalUrl: `${server.origin}/a`,
          redirects: [],
          cacheStatus: 'miss',
          view: 'anonymous',
          fetchedAt: clock.now(),
          requests: 1,
          bytes: 5,
        },
      });
    });

    it('presents itself and asks for JSON [A17]', async () => {
      const server = await paths({ '/': body('x') });
      await start().get(wanted(server.origin));
      expect(server.requests[0]?.headers).toMatchObject({
        'user-agent': 'test/1 (+https://example.test)',
        accept: 'application/json, */*;q=0.5',
      });
    });

    it.each([
      ['UTF-8 with a byte order mark [B1]', Buffer.from('\ufeffé'), '', 'é'],
      ['UTF-16 with a byte order mark', Buffer.from('\ufeffé', 'utf16le'), '', 'é'],
      ['the declared charset', Buffer.from('é', 'latin1'), 'application/json; charset="ISO-8859-1"', 'é'],
    ])('decodes %s', async (_case, bytes, type, value) => {
      const server = await paths({ '/': body(bytes, type === '' ? {} : { 'content-type': type }) });
      expect(await start().get(wanted(server.origin))).toMatchObject({ ok: true, value });
    });

    it.each([
      ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
      ['an unknown charset', 'x', { 'content-type': 'text/plain; charset=klingon' }],
      ['an unknown content coding', 'x', { 'content-encoding': 'klingon' }],
      ['broken gzip', 'this is not gzip', { 'content-encoding': 'gzip' }],
      ['broken brotli', 'this is not brotli', { 'content-encoding': 'br' }],
    ])('refuses %s as BAD_ENCODING', async (_case, content, headers) => {
      const server = await paths({ '/': body(content, headers as Record<string, string>) });
      expect(await start().get(wanted(server.origin))).toMatchObject({
        ok: false,
        failure: { code: 'BAD_ENCODING' },
        report: { requests: 1 },
      });
    });

    it.each([
      ['gzip', gzipSync('packed')],
      ['br', brotliCompressSync('packed')],
    ])('unpacks %s', async (coding, bytes) => {
      const server = await paths({ '/': body(bytes, { 'content-encoding': coding }) });
      expect(await start().get(wanted(server.origin))).toMatchObject({
        ok: true,
        value: 'packed',
        report: { bytes: 6 },
      });
    });

    it.each([204, 200])(
      'hands an empty body of status %i to the check and keeps nothing [B11]',
      async (status) => {
        const server = await site((_request, response) => void response.writeHead(status).end());
        const { get } = start({ cache: { minFreshMs: 60_000 } });
        for (const _ of [1, 2]) {
          expect(await get(wanted(server.origin))).toMatchObject({
            ok: false,
            failure: { code: 'EMPTY_BODY' },
          });
        }
        expect(server.requests).toHaveLength(2);
      },
    );

    it.each([400, 401, 402, 403, 404, 405, 410, 422, 429])(
      'hands status %i with its body to the check, once [F10]',
      async (status) => {
        const server = await site(
          (_request, response) => void response.writeHead(status, { 'retry-after': '120' }).end('why'),
        );
        const seen: unknown[] = [];
        const check: Check<string> = (response) => {
          seen.push([response.status, response.text, response.header('Retry-After'), response.retryAfterMs]);
          return text(response);
        };
        const { get } = start({ http: { retries: 2 } });
        expect(await get(wanted(server.origin, { check }))).toMatchObject({
          ok: false,
          failure: { code: 'HTTP_STATUS' },
        });
        expect(seen).toEqual([[status, 'why', '120', 120_000]]);
        expect(server.requests).toHaveLength(1);
      },
    );

    it('never takes an error status for a document, whatever the check says', async () => {
      const server = await paths({});
      const check: Check<string> = () => ({ ok: true, value: 'fine' });
      expect(await start().get(wanted(server.origin, { check }))).toMatchObject({
        ok: false,
        failure: { code: 'HTTP_STATUS', details: { status: 404 } },
      });
    });
  });

  describe(`${name}: bounds`, () => {
    it('stops a body that exceeds the limit [B8]', async () => {
      const server = await site((_request, response) => {
        response.writeHead(200);
        const write = () => response.write(randomBytes(50_000)) || response.once('drain', write);
        const timer = setInterval(write, 0);
        response.on('close', () => clearInterval(timer));
      });
      const result = await start().get(wanted(server.origin));
      expect(result).toMatchObject({ ok: false, failure: { code: 'BODY_TOO_LARGE' } });
      expect(result.report.bytes).toBeLessThan(1_000_000);
      await server.idle();
    });

    it('refuses by Content-Length before reading [B8]', async () => {
      const server = await site((_request, response) => {
        response.writeHead(200, { 'content-length': '100001' });
        response.flushHeaders();
      });
      const result = await start().get(wanted(server.origin));
      expect(result).toMatchObject({ ok: false, failure: { code: 'BODY_TOO_LARGE' }, report: { bytes: 0 } });
      await server.idle();
    });

    it('takes a body of exactly the limit', async () => {
      const server = await paths({ '/': body('x'.repeat(100_000)) });
      expect(await start().get(wanted(server.origin))).toMatchObject({
        ok: true,
        report: { bytes: 100_000 },
      });
    });

    it('stops a compressed bomb by what comes out [B9]', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      const server = await paths({ '/': body(bomb, { 'content-encoding': 'gzip' }) });
      const result = await start().get(wanted(server.origin));
      expect(result).toMatchObject({ ok: false, failure: { code: 'BODY_TOO_LARGE' } });
      expect(result.report.bytes).toBeLessThan(2_000_000);
    });

    it('cuts the body of an error instead of refusing it', async () => {
      const server = await site(
        (_request, response) => void response.writeHead(403).end('x'.repeat(200_000)),
      );
      const lengths: number[] = [];
      const check: Check<string> = (response) => {
        lengths.push(response.text.length);
        return text(response);
      };
      expect(await start().get(wanted(server.origin, { check }))).toMatchObject({
        failure: { code: 'HTTP_STATUS' },
      });
      expect(lengths).toEqual([65_536]);
    });

    it('refuses headers without end', async () => {
      const server = await paths({ '/': body('x', { 'x-long': 'y'.repeat(100_000) }) });
      expect(await start().get(wanted(server.origin))).toMatchObject({
        failure: { code: 'HEADERS_TOO_LARGE' },
      });
    });
  });

  describe(`${name}: time`, () => {
    it.each([
      ['headers that never come', () => {}],
      [
        'a body that never ends [F1]',
        (_request: IncomingMessage, response: ServerResponse) => {
          response.writeHead(200);
          response.write('first');
        },
      ],
    ])('ends %s and closes the socket', async (_case, handler: Handler) => {
      const server = await site(handler);
      const { get, clock } = start();
      const result = get(wanted(server.origin));
      await server.received(1);
      await clock.advance(999);
      expect(server.openSockets).toBe(1);
      await clock.advance(1);
      expect(await result).toMatchObject({
        ok: false,
        failure: { code: 'TIMEOUT' },
        report: { requests: 1 },
      });
      await server.idle();
      expect(clock.sleepers).toBe(0);
    });

    it('counts one limit for a whole chain [D3]', async () => {
      let clock: ReturnType<typeof createManualClock> | undefined;
      const server = await site((request, response) => {
        const hop = Number(request.url?.slice(1));
        void clock?.advance(300).then(() => redirect(`/${hop + 1}`)(request, response));
      });
      const transport = start();
      clock = transport.clock;
      expect(await transport.get(wanted(`${server.origin}/1`))).toMatchObject({
        failure: { code: 'TIMEOUT' },
      });
      expect(server.requests.length).toBe(4);
    });

    it('does not count the time in the queue [F16]', async () => {
      const server = await paths({ '/': body('x') });
      const clock = createManualClock();
      const { get } = start({
        clock,
        schedule: async (_origin, _signal, run) => {
          await clock.advance(60_000);
          return run();
        },
      });
      expect(await get(wanted(server.origin))).toMatchObject({ ok: true });
    });

    it('takes a refusal of the gates for a failure', async () => {
      const server = await paths({ '/': body('x') });
      const schedule = async () => Promise.reject(new SkillscoutError('BUDGET_EXCEEDED', 'used up'));
      expect(await start({ schedule }).get(wanted(server.origin))).toMatchObject({
        ok: false,
        failure: { code: 'BUDGET_EXCEEDED', message: 'used up' },
        report: { requests: 0 },
      });
    });

    it('asks for a slot for every hop, and waits for retries outside [F6]', async () => {
      const server = await paths({
        '/a': redirect('/b'),
        '/b': (_request, response) =>
          void response.writeHead(server.requests.length < 3 ? 500 : 200).end('x'),
      });
      const log: string[] = [];
      const clock = createManualClock();
      const { get } = start({
        clock: {
          ...clock,
          sleep: (ms, signal) => {
            if (ms < 1000) log.push(`wait ${ms}`);
            return ms < 1000 ? Promise.resolve() : clock.sleep(ms, signal);
          },
        },
        http: { retries: 1 },
        schedule: async (origin, _signal, run) => {
          log.push(`in ${origin}`);
          const result = await run();
          log.push('out');
          return result;
        },
      });
      expect(await get(wanted(`${server.origin}/a`))).toMatchObject({ ok: true, report: { requests: 3 } });
      const slot = [`in ${server.origin}`, 'out'];
      expect(log).toEqual([...slot, ...slot, 'wait 187.5', ...slot]);
    });
  });

  describe(`${name}: abort`, () => {
    it('rejects with the reason and closes the socket [F11]', async () => {
      const server = await site((_request, response) => void response.write('never more'));
      const { get, clock } = start();
      const controller = new AbortController();
      const result = get(wanted(server.origin, { signal: controller.signal }));
      await server.received(1);
      const reason = new Error('enough');
      controller.abort(reason);
      await expect(result).rejects.toBe(reason);
      await server.idle();
      expect(clock.sleepers).toBe(0);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    });

    it('sends nothing for a signal that has aborted', async () => {
      const server = await paths({ '/': body('x') });
      const signal = AbortSignal.abort(new Error('before'));
      await expect(start().get(wanted(server.origin, { signal }))).rejects.toThrow('before');
      expect(server.connections).toBe(0);
    });

    it('leaves nothing on a long-lived signal after many calls [F11]', async () => {
      const server = await paths({ '/': body('x', { 'cache-control': 'max-age=60' }) });
      const { get } = start();
      const { signal } = new AbortController();
      for (let round = 0; round < 100; round += 1) {
        await get(wanted(server.origin, { signal, cacheMode: round % 10 === 0 ? 'bypass' : 'use' }));
      }
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });

    it('closing ends what is under way and refuses what comes after', async () => {
      const server = await site(() => {});
      const { get, close, clock } = start();
      const running = [
        get(wanted(server.origin)),
        get(wanted(`${server.origin}/b`, { cacheMode: 'bypass' })),
      ];
      const ended = Promise.allSettled(running);
      await server.received(2);
      await close();
      for (const outcome of await ended) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CLIENT_CLOSED' } });
      }
      await expect(get(wanted(server.origin))).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      await server.idle();
      expect(clock.sleepers).toBe(0);
      await close();
    });
  });

  describe(`${name}: retries`, () => {
    it.each([500, 502, 503, 504, 408])('tries status %i again, bounded [F10]', async (status) => {
      const server = await site((_request, response) => void response.writeHead(status).end());
      const { get, clock } = start({ http: { retries: 2, timeoutMs: 60_000 } });
      const result = get(wanted(server.origin));
      await server.received(1);
      for (const count of [2, 3]) {
        while (server.requests.length < count) await clock.advance(100);
      }
      expect(await result).toMatchObject({
        ok: false,
        failure: { code: 'HTTP_STATUS' },
        report: { requests: 3 },
      });
    });

    it('hands 503 with Retry-After over at once [F3]', async () => {
      const server = await site(
        (_request, response) => void response.writeHead(503, { 'retry-after': '86400' }).end(),
      );
      const { get } = start({ http: { retries: 2 } });
      expect(await get(wanted(server.origin))).toMatchObject({
        failure: { message: '503' },
        report: { requests: 1 },
      });
    });

    it('gives what it has when the wait would exceed the limit', async () => {
      const server = await site((_request, response) => void response.writeHead(500).end());
      const { get } = start({ http: { retries: 2, timeoutMs: 100 } });
      expect(await get(wanted(server.origin))).toMatchObject({
        failure: { message: '500' },
        report: { requests: 1 },
      });
    });

    it.each([
      ['before the headers', (request: IncomingMessage) => void request.socket.destroy()],
      [
        'inside the body',
        (request: IncomingMessage, response: ServerResponse) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('x', () => request.socket.destroy());
        },
      ],
    ])('survives a connection that breaks off %s [G1]', async (_case, breakOff: Handler) => {
      const server = await site((request, response) =>
        server.requests.length === 1 ? breakOff(request, response) : body('whole')(request, response),
      );
      const { get, clock } = start({ http: { retries: 1 } });
      const result = get(wanted(server.origin));
      await server.received(1);
      while (server.requests.length < 2) await clock.advance(50);
      expect(await result).toMatchObject({ ok: true, value: 'whole', report: { requests: 2 } });
    });

    it('reports a connection that keeps breaking off, with the code [F14]', async () => {
      const server = await site((request) => void request.socket.destroy());
      const result = await start().get(wanted(server.origin));
      expect(result).toMatchObject({ failure: { code: 'NETWORK_FAILURE' }, report: { requests: 1 } });
      expect(!result.ok && result.failure.message).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
    });
  });

  describe(`${name}: redirects`, () => {
    it.each([301, 302, 303, 307, 308])(
      'follows %i, relative to where it was sent from [A9]',
      async (status) => {
        const server = await paths({
          '/old/index?x=1': redirect('../new/index?y=2#z', status),
          '/new/index?y=2': body('moved'),
        });
        expect(await start().get(wanted(`${server.origin}/old/index?x=1`))).toMatchObject({
          ok: true,
          value: 'moved',
          response: { url: `${server.origin}/new/index?y=2` },
          report: {
            finalUrl: `${server.origin}/new/index`,
            redirects: [`${server.origin}/old/index`],
            requests: 2,
          },
        });
      },
    );

    it('refuses a loop of two with the chain [D3]', async () => {
      const server = await paths({ '/a?t=1': redirect('/b'), '/b': redirect('/a?t=1') });
      expect(await start().get(wanted(`${server.origin}/a?t=1`))).toMatchObject({
        ok: false,
        failure: {
          code: 'REDIRECT_REFUSED',
          details: {
            redirects: [`${server.origin}/a`, `${server.origin}/b`],
            location: `${server.origin}/a`,
          },
        },
        report: { requests: 2, finalUrl: `${server.origin}/b`, redirects: [`${server.origin}/a`] },
      });
    });

    it('follows as many as allowed and no more [D3]', async () => {
      const server = await site((request, response) => {
        const left = Number(request.url?.slice(1));
        (left === 0 ? body('end') : redirect(`/${left - 1}`))(request, response);
      });
      const { get } = start();
      expect(await get(wanted(`${server.origin}/5`))).toMatchObject({ ok: true, report: { requests: 6 } });
      expect(await get(wanted(`${server.origin}/6`))).toMatchObject({
        failure: { code: 'REDIRECT_REFUSED' },
        report: { requests: 6 },
      });
    });

    it('compares each target with the first URL, not with the last', async () => {
      const server = await paths({ '/a': redirect('/b'), '/b': redirect('/c'), '/c': body('x') });
      const compared: string[] = [];
      const { get } = start({
        sameSite: async (from, to) => {
          compared.push(`${from.pathname} ${to.pathname}`);
          return true;
        },
      });
      await get(wanted(`${server.origin}/a`));
      expect(compared).toEqual(['/a /b', '/a /c']);
    });

    it('refuses to leave the site', async () => {
      const other = await paths({ '/': body('x') });
      const server = await paths({ '/': redirect(other.origin) });
      const { get } = start({ sameSite: async (from, to) => from.host === to.host });
      expect(await get(wanted(server.origin))).toMatchObject({ failure: { code: 'REDIRECT_REFUSED' } });
      expect(other.connections).toBe(0);
    });

    it.each([
      ['http://169.254.169.254/latest/meta-data', 'ADDRESS_REFUSED'],
      ['http://10.0.0.1/', 'ADDRESS_REFUSED'],
      ['ftp://127.0.0.1/', 'URL_REFUSED'],
      ['http://user:secret@127.0.0.1/', 'URL_REFUSED'],
      ['http://127.0.0.1:22/', 'URL_REFUSED'],
      ['http://[half/', 'REDIRECT_REFUSED'],
    ])('judges the target %s before it is opened [E5]', async (location, code) => {
      const server = await paths({ '/': redirect(location) });
      const result = await start({ sameSite: async () => true }).get(wanted(server.origin));
      expect(result).toMatchObject({ ok: false, failure: { code }, report: { requests: 1 } });
      expect(JSON.stringify(result)).not.toContain('secret');
    });

    it('takes a redirect without Location for an answer', async () => {
      const server = await site((_request, response) => void response.writeHead(302).end());
      expect(await start().get(wanted(server.origin))).toMatchObject({
        failure: { code: 'HTTP_STATUS', message: '302' },
      });
    });

    it('does not let unread bodies hold sockets [D7]', async () => {
      const server = await site((request, response) => {
        const left = Number(request.url?.slice(1));
        if (left === 0) body('end')(request, response);
        else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(65_536));
      });
      const { get } = start({ http: { maxRedirects: 20 } });
      for (let round = 0; round < 10; round += 1) {
        expect(await get(wanted(`${server.origin}/20`, { cacheMode: 'bypass' }))).toMatchObject({ ok: true });
      }
      expect(server.mostOpen).toBeLessThanOrEqual(4);
    });
  });

  describe(`${name}: credentials`, () => {
    const keyFor = (origin: string) => async (asked: string) =>
      asked === origin ? { label: 'member', header: 'x-api-key', value: 's3cret' } : undefined;

    it('go to their own origin, and the report says so', async () => {
      const server = await paths({ '/a': redirect('/b'), '/b': body('x') });
      const { get } = start({ credential: keyFor(server.origin) });
      expect(await get(wanted(`${server.origin}/a`))).toMatchObject({ ok: true, report: { view: 'member' } });
      expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['s3cret', 's3cret']);
    });

    it('never cross to another origin, nor back [D1]', async () => {
      const other = await site((request, response) => redirect(`${server.origin}/back`)(request, response));
      const server = await paths({ '/a': redirect(`${other.origin}/there`), '/back': body('x') });
      const { get } = start({ credential: keyFor(server.origin), sameSite: async () => true });
      expect(await get(wanted(`${server.origin}/a`))).toMatchObject({
        ok: true,
        report: { view: 'anonymous' },
      });
      expect(other.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
      expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['s3cret', undefined]);
    });

    it.each([
      ['throws', async () => Promise.reject(new Error('vault said s3cret'))],
      ['is no header', async () => ({ label: 'member', header: 'x-api-key', value: 's3cret\n' + 'x: y' })],
    ])('that %s are a failure without the secret', async (_case, credential) => {
      const server = await paths({ '/': body('x') });
      const result = await start({ credential }).get(wanted(server.origin));
      expect(result).toMatchObject({
        ok: false,
        failure: { code: 'CREDENTIAL_FAILED' },
        report: { requests: 0 },
      });
      expect(JSON.stringify(result)).not.toContain('s3cret');
    });

    it('that never come are a failure in time', async () => {
      const server = await paths({ '/': body('x') });
      const { get, clock } = start({ credential: () => new Promise(() => {}) });
      const result = get(wanted(server.origin));
      await clock.advance(1000);
      expect(await result).toMatchObject({ failure: { code: 'CREDENTIAL_FAILED' } });
    });
  });

  describe(`${name}: guard`, () => {
    it.each([
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '１２７。０。０。１',
      'localhost',
      'LOCALHOST.',
      'api.localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[::7f00:1]',
      '0.0.0.0',
      '[::]',
    ])('never connects to %s [E1][E2][E3]', async (host) => {
      const server = await paths({ '/': body('x') });
      const { get } = start({ unsafe: { allowPrivateAddresses: false } });
      expect(await get(wanted(`http://${host}:${server.port}/`))).toMatchObject({
        ok: false,
        failure: { code: 'ADDRESS_REFUSED' },
        report: { requests: 0 },
      });
      expect(server.connections).toBe(0);
    });

    it.each([
      'ftp://example.test/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://u:p@example.test/',
      'https://example.test:25/',
      'no url?token=1',
    ])('refuses the URL %s', async (url) => {
      const result = await start().get(wanted(url));
      expect(result).toMatchObject({ ok: false, failure: { code: 'URL_REFUSED' }, report: { requests: 0 } });
      expect(JSON.stringify(result)).not.toMatch(/token|u:p/);
    });

    it('refuses http unless it is allowed', async () => {
      const server = await paths({ '/': body('x') });
      const { get } = start({ unsafe: { allowHttp: false } });
      expect(await get(wanted(server.origin))).toMatchObject({ failure: { code: 'URL_REFUSED' } });
    });
  });

  describe(`${name}: cache`, () => {
    it('answers from a fresh copy, judging it again', async () => {
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
          response.writeHead(304, { ...headers, 'x-note': 'new' }).end();
        else response.writeHead(200, { ...headers, 'x-note': 'old' }).end('x');
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
      expect(result.ok && result.response.header('x-note')).toBe('new');
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
      ['a disappearance', (_request, response) => void response.writeHead(404).end(), 'HTTP_STATUS'],
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
