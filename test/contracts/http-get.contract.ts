import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SkillscoutError } from '../../src/errors.ts';
import type { Check } from '../../src/transport/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  body,
  type Handler,
  type Overrides,
  paths,
  redirect,
  site,
  type TransportFactory,
  text,
  transportFor,
  wanted,
} from '../transport/support.ts';

const JUNK = Buffer.from('junk');

/** The HttpGet port: single answers, their bounds, time, abort and retries. For every implementation that talks to real sockets. */
export function httpGetContract(name: string, create: TransportFactory): void {
  const start = (overrides: Overrides = {}) => transportFor(overrides, create);

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
      ['gzip with bytes after its end', Buffer.concat([gzipSync('x'), JUNK]), { 'content-encoding': 'gzip' }],
      ['broken brotli', 'this is not brotli', { 'content-encoding': 'br' }],
      ['broken deflate', Buffer.from([0x78, 0xff, 0xff]), { 'content-encoding': 'deflate' }],
      ['a pile of content codings [B9]', 'x', { 'content-encoding': 'br, br, br, br' }],
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
      ['deflate', deflateSync('packed')],
      ['deflate', deflateRawSync('packed')],
      ['GZIP, br', brotliCompressSync(gzipSync('packed'))],
    ])('unpacks %s', async (coding, bytes) => {
      const server = await paths({ '/': body(bytes, { 'content-encoding': coding }) });
      expect(await start().get(wanted(server.origin))).toMatchObject({
        ok: true,
        value: 'packed',
        report: { bytes: 6 },
      });
    });

    it.each([
      ['br', brotliCompressSync('packed')],
      ['deflate', deflateSync('packed')],
      ['deflate', deflateRawSync('packed')],
    ])('ends with the end of %s, whatever follows', async (coding, bytes) => {
      const server = await site((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).write(Buffer.concat([bytes, JUNK]));
      });
      expect(await start().get(wanted(server.origin))).toMatchObject({ ok: true, value: 'packed' });
      await server.idle();
    });

    it.each([
      [204, {}, ''],
      [204, { 'content-encoding': 'gzip' }, ''],
      [205, {}, 'x'],
      [200, {}, ''],
      [200, { 'content-encoding': 'gzip', 'content-length': '0' }, ''],
    ])(
      'hands an empty body of status %i with %j to the check and keeps nothing [B11]',
      async (status, headers, sent) => {
        const server = await site(
          (_request, response) =>
            void response.writeHead(status, headers as Record<string, string>).end(sent),
        );
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

    it('reads every header line', async () => {
      const server = await site(
        (_request, response) =>
          void response.writeHead(200, { a: Array(1100).fill('b'), 'x-last': 'z' }).end('x'),
      );
      const check: Check<string> = (response) => ({ ok: true, value: response.header('x-last') ?? 'none' });
      expect(await start().get(wanted(server.origin, { check }))).toMatchObject({ value: 'z' });
    });

    it.each([
      ['a chunk without a size', 'NETWORK_FAILURE', /chunk.size/i, 'zz\r\n{}'],
      [
        'trailers without end',
        'HEADERS_TOO_LARGE',
        /HEADER/,
        `2\r\n{}\r\n0\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
      ],
    ])('says that %s came with the head, and asks once', async (_case, code, reason, rest) => {
      const server = await site((request) => {
        request.socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${rest}`);
      });
      expect(await start({ http: { retries: 2 } }).get(wanted(server.origin))).toMatchObject({
        failure: { code, message: expect.stringMatching(reason) },
        report: { requests: 1 },
      });
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
}
