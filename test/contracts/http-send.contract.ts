import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type Overrides, redirect, site, type TransportFactory, transportFor } from '../transport/support.ts';

/** The HttpSend port, for every implementation that talks to real sockets. */
export function httpSendContract(name: string, create: TransportFactory): void {
  const start = (overrides: Overrides = {}) => transportFor(overrides, create);
  /** Answers each path with its status, after telling what it got. */
  const listening = async (answer: (url: string) => [status: number, headers?: Record<string, string>]) => {
    const got: { method: string; url: string; type: string; body: string; key: string }[] = [];
    const server = await site(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const key = String(headers['x-api-key'] ?? '');
      got.push({ method, url, type: String(headers['content-type']), body: await text(request), key });
      const [status, more] = answer(url);
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end('{"a":1}');
    });
    return Object.assign(server, { got });
  };

  describe(`${name}: messages`, () => {
    it('posts a body once and hands over an answer of any status', async () => {
      const server = await listening(() => [503]);
      const url = `${server.origin}/run?x=1#y`;
      const { send } = start({ http: { retries: 3 } });
      expect(await send({ method: 'POST', url, body: '{"b":2}' })).toMatchObject({
        ok: true,
        response: { status: 503, text: '{"a":1}', contentType: 'application/json' },
        report: { finalUrl: `${server.origin}/run`, requests: 1, bytes: 7, addressCheck: 'dialled' },
      });
      expect(server.got).toEqual([
        { method: 'POST', url: '/run?x=1', type: 'application/json', body: '{"b":2}', key: '' },
      ]);
    });

    it('repeats no POST whose connection broke off', async () => {
      const server = await site((request) => void request.socket.destroy());
      const result = await start({ http: { retries: 3 } }).send({
        method: 'POST',
        url: server.origin,
        body: '{}',
      });
      expect(result).toMatchObject({ ok: false, failure: { code: 'NETWORK_FAILURE' } });
      expect(server.requests).toHaveLength(1);
    });

    it('keeps method and body through 307 and 308, and sends the credential to its origin alone', async () => {
      const other = await listening(() => [200]);
      const server = await listening((url) =>
        url === '/a' ? [307, { location: '/b' }] : [308, { location: `${other.origin}/c` }],
      );
      const result = await start().send({
        method: 'POST',
        url: `${server.origin}/a`,
        body: '[]',
        credential: { label: 'mine', header: 'x-api-key', value: 'k' },
      });
      expect(result).toMatchObject({ ok: true, response: { status: 200, url: `${other.origin}/c` } });
      const post = { method: 'POST', type: 'application/json', body: '[]' };
      expect(server.got).toEqual([
        { ...post, url: '/a', key: 'k' },
        { ...post, url: '/b', key: 'k' },
      ]);
      expect(other.got).toEqual([{ ...post, url: '/c', key: '' }]);
    });

    it.each([301, 302, 303])('does not turn a POST into a GET on %i', async (status) => {
      const server = await site(redirect('/elsewhere', status));
      const result = await start().send({ method: 'POST', url: server.origin, body: '{}' });
      expect(result).toMatchObject({ ok: false, failure: { code: 'REDIRECT_REFUSED' } });
      expect(server.requests).toHaveLength(1);
    });

    it('opens nothing that the guard refuses', async () => {
      const server = await listening(() => [200]);
      const { send } = start({ unsafe: { allowPrivateAddresses: false } });
      expect(await send({ method: 'POST', url: server.origin, body: '{}' })).toMatchObject({
        ok: false,
        failure: { code: 'ADDRESS_REFUSED' },
        report: { requests: 0 },
      });
      expect(server.got).toEqual([]);
    });

    it('ends with the time limit of its own', async () => {
      const server = await site(() => {});
      const { send, clock } = start();
      const result = send({ method: 'POST', url: server.origin, body: '{}', timeoutMs: 50 });
      await server.received(1);
      await clock.advance(50);
      expect(await result).toMatchObject({ ok: false, failure: { code: 'TIMEOUT' } });
    });

    it('ends with its caller, and with the transport', async () => {
      const server = await site(() => {});
      const { send, close } = start();
      const caller = new AbortController();
      const first = send({ method: 'POST', url: server.origin, body: '{}', signal: caller.signal });
      const second = send({ method: 'GET', url: server.origin });
      await server.received(2);
      caller.abort('enough');
      await expect(first).rejects.toBe('enough');
      const closing = close();
      await expect(second).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      await closing;
    });
  });
}
