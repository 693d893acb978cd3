import dns from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Lookup } from '../../src/transport/index.ts';
import { deferred, settle } from '../support/deferred.ts';
import { serve } from '../support/loopback-server.ts';
import { type Overrides, site, transportFor as transportOver, wanted } from './support.ts';

const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const tls = { key: await fixture('loopback-key.pem'), cert: await fixture('loopback-cert.pem') };

const hello = () => site((_request, response) => void response.end('hello'));

/** Resolves names from a table; each list is used up one answer at a time, the last one stays. */
const lookupFrom = (answers: string[][]): Lookup => {
  let asked = 0;
  return (_hostname, _options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
};

describe.each(['node', 'ky'] as const)('%s:', (transport) => {
  const transportFor = (overrides: Overrides = {}) => transportOver({ transport, ...overrides });

  describe('the address guard inside the connector', () => {
    const onlyTestNet = { allowHttp: true, allowPrivateAddresses: ['127.0.0.1/32'] };

    it('dials what the lookup gives, if it may', async () => {
      const server = await hello();
      const { get } = transportFor({ unsafe: onlyTestNet, lookup: lookupFrom([['127.0.0.1']]) });
      expect(await get(wanted(`http://provider.example:${server.port}/`))).toMatchObject({
        ok: true,
        report: { addressCheck: 'dialled' },
      });
      expect(server.requests[0]?.headers.host).toBe(`provider.example:${server.port}`);
    });

    it('takes a lookup that gives one address', async () => {
      const server = await hello();
      const lookup: Lookup = (_hostname, _options, callback) => callback(null, '127.0.0.1', 4);
      const { get } = transportFor({ unsafe: onlyTestNet, lookup });
      expect(await get(wanted(`http://provider.example:${server.port}/`))).toMatchObject({ ok: true });
    });

    it.each([
      [['127.0.0.2']],
      [['127.0.0.1', '10.0.0.1']],
      [['127.0.0.1', '::ffff:169.254.169.254']],
      [['::1']],
    ])('refuses a name that resolves to %j, naming both [E4]', async (addresses) => {
      const server = await hello();
      const { get } = transportFor({ unsafe: onlyTestNet, lookup: lookupFrom([addresses]) });
      const result = await get(wanted(`http://provider.example:${server.port}/`));
      expect(result).toMatchObject({
        ok: false,
        failure: { code: 'ADDRESS_REFUSED' },
        report: { requests: 0 },
      });
      expect(!result.ok && result.failure.message).toContain('provider.example');
      expect(!result.ok && result.failure.message).toContain(addresses.at(-1));
      expect(server.connections).toBe(0);
    });

    it('judges again when the name has moved since [E4]', async () => {
      const server = await site(
        (_request, response) => void response.setHeader('connection', 'close').end('x'),
      );
      const lookup = lookupFrom([['127.0.0.1'], ['127.0.0.3']]);
      const { get } = transportFor({ unsafe: onlyTestNet, lookup });
      const request = wanted(`http://provider.example:${server.port}/`, { cacheMode: 'bypass' });
      expect(await get(request)).toMatchObject({ ok: true });
      await server.idle();
      expect(await get(request)).toMatchObject({ ok: false, failure: { code: 'ADDRESS_REFUSED' } });
      expect(server.connections).toBe(1);
    });

    it('is not retried', async () => {
      let asked = 0;
      const lookup: Lookup = (_hostname, _options, callback) => {
        asked += 1;
        callback(null, [{ address: '10.0.0.1', family: 4 }]);
      };
      const { get } = transportFor({ lookup, http: { retries: 2 } });
      await get(wanted('https://provider.example/'));
      expect(asked).toBe(1);
    });
  });

  describe('names of the network around', () => {
    it('that wait for their turn are not looked up once their requests are aborted', async () => {
      const release = deferred();
      const lookup = vi.spyOn(dns, 'lookup').mockImplementation(async () => {
        await release.promise;
        throw new Error('no such name');
      });
      onTestFinished(() => lookup.mockRestore());
      const { get } = transportFor();
      const aborted = new AbortController();
      const requests = [0, 1, 2, 3].map((name) =>
        get(wanted(`http://n${name}.local/`, { signal: aborted.signal })),
      );
      const ended = Promise.allSettled(requests);
      while (lookup.mock.calls.length < 2) await settle();
      aborted.abort();
      await ended;
      release.resolve();
      await get(wanted('http://last.local/'));
      expect(lookup.mock.calls.map(([name]) => name)).toEqual(['n0.local', 'n1.local', 'last.local']);
    });
  });

  describe('what went wrong on the network', () => {
    it.each([
      [
        'fails',
        (callback: Parameters<Lookup>[2]) =>
          callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []),
      ],
      ['fails without a code', (callback: Parameters<Lookup>[2]) => callback(new Error('no resolver'), [])],
      ['gives nothing', (callback: Parameters<Lookup>[2]) => callback(null, [])],
    ])('is DNS_FAILURE when name resolution %s', async (_case, answer) => {
      const { get } = transportFor({
        lookup: (_hostname, _options, callback) => answer(callback),
        http: { retries: 2 },
      });
      expect(await get(wanted('https://provider.example/'))).toMatchObject({
        ok: false,
        failure: { code: 'DNS_FAILURE', message: expect.stringContaining('provider.example') },
        report: { requests: 0 },
      });
    });

    it('names the code and every address when all of them refuse [F14]', async () => {
      const gone = await serve(() => {});
      await gone[Symbol.asyncDispose]();
      const { get } = transportFor({ lookup: lookupFrom([['127.0.0.1', '127.0.0.2']]) });
      const result = await get(wanted(`http://provider.example:${gone.port}/`));
      expect(result).toMatchObject({ ok: false, failure: { code: 'NETWORK_FAILURE' } });
      const message = result.ok ? '' : result.failure.message;
      expect(message).toContain('ECONNREFUSED');
      expect(message).toContain(`127.0.0.1:${gone.port}`);
      expect(message).toContain(`127.0.0.2:${gone.port}`);
    });

    it.each(['https://127.0.0.1', 'https://other.example'])(
      'is TLS_FAILURE for a certificate that is not trusted or not for %s, and is not retried [G6]',
      async (origin) => {
        const server = await site((_request, response) => void response.end('x'), tls);
        const ca = origin.includes('other') ? { ca: tls.cert } : {};
        const { get } = transportFor({ lookup: lookupFrom([['127.0.0.1']]), http: { retries: 2, ...ca } });
        expect(await get(wanted(`${origin}:${server.port}/`))).toMatchObject({
          ok: false,
          failure: { code: 'TLS_FAILURE', message: expect.stringMatching(/[A-Z]+_[A-Z_]+/) },
        });
        expect(server.requests).toHaveLength(0);
        expect(server.connections).toBe(1);
      },
    );

    it('is TLS_FAILURE when the other side speaks no TLS', async () => {
      const server = await hello();
      expect(await transportFor().get(wanted(`https://127.0.0.1:${server.port}/`))).toMatchObject({
        failure: { code: 'TLS_FAILURE', message: expect.stringContaining('speaks plain http') },
      });
    });

    it('is TLS_FAILURE without guessing when the other side refuses the handshake', async () => {
      const server = createTcpServer((socket) => {
        const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
        socket.on('error', () => {}).once('data', () => socket.end(alert));
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      expect(await transportFor().get(wanted(`https://127.0.0.1:${port}/`))).toMatchObject({
        failure: { code: 'TLS_FAILURE', message: expect.not.stringContaining('plain') },
      });
    });

    it('is nothing with the right authority added [G6]', async () => {
      const server = await site((_request, response) => void response.end('private'), tls);
      const { get } = transportFor({ lookup: lookupFrom([['127.0.0.1']]), http: { ca: tls.cert } });
      expect(await get(wanted(`https://loopback.test:${server.port}/`))).toMatchObject({
        ok: true,
        value: 'private',
      });
    });

    it('is REDIRECT_REFUSED from https to http [D5]', async () => {
      const plain = await hello();
      const server = await site(
        (_request, response) =>
          void response.writeHead(302, { location: `http://loopback.test:${plain.port}/` }).end(),
        tls,
      );
      const { get } = transportFor({
        lookup: lookupFrom([['127.0.0.1']]),
        http: { ca: tls.cert },
        unsafe: { allowHttp: false },
      });
      expect(await get(wanted(`https://loopback.test:${server.port}/`))).toMatchObject({
        failure: { code: 'REDIRECT_REFUSED', message: expect.stringContaining('from https to http') },
      });
      expect(plain.connections).toBe(0);
    });
  });

  describe('connections', () => {
    it('survive the keep-alive race [G1]', async () => {
      const server = await site((request, response) => {
        response.end('x');
        // Closes as the next request is on its way.
        if (server.requests.length % 2 === 1) setImmediate(() => request.socket.destroy());
      });
      const { get } = transportFor({ clock: systemClock, http: { retries: 2 } });
      for (let round = 0; round < 20; round += 1) {
        expect(await get(wanted(server.origin, { cacheMode: 'bypass' }))).toMatchObject({ ok: true });
      }
    });

    // Far below the connector's own time limit, which would close the socket as well.
    it('that are still being made end with the transport', { timeout: 5000 }, async () => {
      const sockets: Socket[] = [];
      const silent = createTcpServer((socket) => {
        sockets.push(socket.on('error', () => {}));
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void silent.close());
      await once(silent, 'listening');
      const { get, close } = transportFor({ http: { timeoutMs: 60_000 } });
      const result = get(wanted(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`));
      const ended = expect(result).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      const [socket] = (await once(silent, 'connection')) as [Socket];
      const closed = once(socket.resume(), 'close');
      await close();
      await ended;
      await closed;
    });
  });
});

describe('connections of node:http', () => {
  it('that are idle are few, and end with the transport', async () => {
    const server = await hello();
    const { get, close } = transportOver({ transport: 'node', lookup: lookupFrom([['127.0.0.1']]) });
    for (let name = 0; name < 68; name += 1) {
      await get(wanted(`http://${name}.provider.example:${server.port}/`));
    }
    while (server.openSockets > 64) await settle();
    expect(server.mostOpen).toBeLessThan(68);
    await close();
    await server.idle();
  });

  it('have a time limit of their own', { timeout: 5000 }, async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { clock, get } = transportOver({ transport: 'node', http: { timeoutMs: 60_000 } });
    const result = get(wanted(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`));
    await once(silent, 'connection');
    await clock.advance(10_000);
    expect(await result).toMatchObject({ ok: false, failure: { code: 'TIMEOUT' } });
    expect(clock.sleepers).toBe(0);
  });

  it('are used again after a redirect whose body is small', async () => {
    const server = await site((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/b' }).end('moved');
      else response.end('x');
    });
    const { get } = transportOver({ transport: 'node' });
    for (const _ of [1, 2, 3]) await get(wanted(server.origin, { cacheMode: 'bypass' }));
    expect(server.connections).toBe(2);
  });

  describe('that the server closes as the next request comes', () => {
    /** Each of its connections ends with the second request, which gets no answer. */
    const oneAnswerEach = async () => {
      const used = new Set<Socket>();
      return site((request, response) => {
        if (used.has(request.socket)) request.socket.destroy();
        else response.end('x');
        used.add(request.socket);
      });
    };
    const anew = (origin: string, signal?: AbortSignal) =>
      wanted(origin, { cacheMode: 'bypass', ...(signal && { signal }) });

    it('cost a GET no try', async () => {
      const server = await oneAnswerEach();
      const { get } = transportOver({ transport: 'node' });
      for (const _ of [1, 2, 3, 4]) {
        expect(await get(anew(server.origin))).toMatchObject({
          ok: true,
          report: { requests: 1, retries: 0 },
        });
      }
      expect(server.connections).toBe(4);
      expect(server.requests).toHaveLength(6);
    });

    it('carry no POST', async () => {
      const server = await oneAnswerEach();
      const { get, send } = transportOver({ transport: 'node' });
      expect(await get(anew(server.origin))).toMatchObject({ ok: true });
      const posted = await send({ method: 'POST', url: server.origin, body: '{}' });
      expect(posted).toMatchObject({ ok: true, report: { requests: 1 } });
      expect(server.requests).toHaveLength(2);
    });

    it('are replaced once', async () => {
      const server = await site((request, response) => {
        if (server.requests.length === 1) response.end('x');
        else request.socket.destroy();
      });
      const { get } = transportOver({ transport: 'node' });
      await get(anew(server.origin));
      expect(await get(anew(server.origin))).toMatchObject({
        failure: { code: 'NETWORK_FAILURE', message: expect.stringContaining('ECONNRESET') },
      });
      expect(server.requests).toHaveLength(3);
    });

    it('are not replaced for whoever has gone', async () => {
      const server = await site((_request, response) => {
        if (server.requests.length !== 2) response.end('x');
      });
      const { get } = transportOver({ transport: 'node' });
      await get(anew(server.origin));
      const controller = new AbortController();
      const second = get(anew(server.origin, controller.signal));
      await server.received(2);
      controller.abort('enough');
      await expect(second).rejects.toBe('enough');
      await get(anew(server.origin));
      expect(server.requests).toHaveLength(3);
    });
  });

  it.each([
    ['5', 1],
    ['1', 3],
  ])(
    'are used again where the server keeps them for %s s, unless it may be gone by then',
    async (seconds, connections) => {
      const server = await site((_request, response) =>
        response.writeHead(200, { 'keep-alive': `timeout=${seconds}`, connection: 'keep-alive' }).end('x'),
      );
      const { get } = transportOver({ transport: 'node' });
      for (const _ of [1, 2, 3]) await get(wanted(server.origin, { cacheMode: 'bypass' }));
      expect(server.connections).toBe(connections);
    },
  );

  it('that the other side takes for another protocol are a failure', async () => {
    const server = await site((request) => {
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    });
    expect(await transportOver({ transport: 'node' }).get(wanted(server.origin))).toMatchObject({
      failure: { code: 'NETWORK_FAILURE' },
    });
  });

  it.each([
    ['gzip', gzipSync('x'.repeat(1000)).subarray(0, 20)],
    ['zstd', Buffer.from('no zstd')],
  ])('do not take a broken body in %s for a whole one', async (coding, bytes) => {
    const server = await site(
      (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect(await transportOver({ transport: 'node' }).get(wanted(server.origin))).toMatchObject({
      failure: { code: 'BAD_ENCODING' },
    });
  });
});

describe('a proxy', () => {
  async function proxy() {
    const asked: string[] = [];
    const server = createHttpServer().listen(0, '127.0.0.1');
    const sockets = new Set<Socket>();
    server.on('connect', (request, client: Socket) => {
      asked.push(request.url ?? '');
      const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    });
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  it('may itself be private, and the report says where addresses are checked [E7]', async () => {
    const server = await site((_request, response) => void response.end('x'), tls);
    const { url, asked } = await proxy();
    const { get } = transportOver({
      http: { proxy: url, ca: tls.cert },
      unsafe: { allowPrivateAddresses: false },
    });
    expect(await get(wanted(`https://loopback.test:${server.port}/`))).toMatchObject({
      ok: true,
      value: 'x',
      report: { addressCheck: 'proxy' },
    });
    expect(asked).toEqual([`loopback.test:${server.port}`]);
  });

  it('does not open literal addresses either', async () => {
    const { url, asked } = await proxy();
    const { get } = transportOver({ http: { proxy: url }, unsafe: { allowPrivateAddresses: false } });
    expect(await get(wanted('https://127.0.0.1/'))).toMatchObject({ failure: { code: 'ADDRESS_REFUSED' } });
    expect(asked).toEqual([]);
  });
});

describe('options', () => {
  it.each([
    [{ unsafe: { allowPrivateAddresses: ['10.0.0.0/8', '10.0.0.300/8'] } }, '10.0.0.300/8'],
    [{ unsafe: { allowPrivateAddresses: ['10.0.0.1'] } }, '10.0.0.1'],
    [{ http: { ca: 'no certificate' } }, 'http.ca'],
    [{ fetch: globalThis.fetch, http: { proxy: 'http://127.0.0.1:1' } }, 'http.proxy'],
    [{ fetch: globalThis.fetch, lookup: lookupFrom([]) }, 'lookup'],
    [{ fetch: globalThis.fetch, transport: 'node' as const }, 'transport'],
    [{ http: { proxy: 'http://127.0.0.1:1' }, transport: 'node' as const }, 'transport'],
  ])('that cannot be used are named: %j', (options, name) => {
    expect(() => transportOver(options)).toThrow(TypeError);
    expect(() => transportOver(options)).toThrow(name);
  });
});
