import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HTTP_LIMITS } from '../../src/mcp/http.ts';
import { type HttpOptions, type Served, serveHttp } from '../../src/mcp/index.ts';
import { deferred } from '../support/deferred.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { servedOf } from './support.ts';

const TOKEN = 'a-token-of-more-than-thirty-two-characters';

interface Serving {
  url: URL;
  stop(): Promise<void>;
  /** Sends one request with everything right, but for what is given. A header that is empty is left out. */
  send(request?: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
  }): Promise<Answer>;
  /** One that has opened its stream for notices. */
  client(onChange?: () => void): Promise<{ client: McpClient; transport: StreamableHTTPClientTransport }>;
}

interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

async function serving(served: Served, options: Partial<HttpOptions> = {}): Promise<Serving> {
  const controller = new AbortController();
  const listening = deferred<string>();
  const ended = serveHttp(served, {
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    signal: controller.signal,
    onListening: listening.resolve,
    ...options,
  });
  const url = new URL(
    await Promise.race([listening.promise, ended.then(() => Promise.reject(new Error('ended')))]),
  );
  const stop = () => {
    controller.abort();
    return ended;
  };
  return {
    url,
    stop,
    send({ method = 'POST', path = '/mcp', headers = {}, body = JSON.stringify(INITIALIZE) } = {}) {
      const all = {
        host: url.host,
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      };
      const given = Object.entries(all).filter(([, value]) => value !== '');
      return new Promise((resolve, reject) => {
        const options = { port: url.port, host: '127.0.0.1', agent: false, method, path };
        const outgoing = request({ ...options, headers: Object.fromEntries(given) }, async (answer) => {
          const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
          resolve({
            status: answer.statusCode ?? 0,
            headers: new Headers(fields as [string, string][]),
            body: await text(answer),
          });
        });
        outgoing.once('error', reject);
        outgoing.end(method === 'POST' ? body : undefined);
      });
    },
    async client(onChange = () => {}) {
      const listening = deferred();
      const transport = new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (init?.method === 'GET') listening.resolve();
          return response;
        },
      });
      const client = new McpClient(
        { name: 'test', version: '1' },
        { listChanged: { resources: { autoRefresh: false, debounceMs: 0, onChanged: onChange } } },
      );
      await client.connect(transport);
      await listening.promise;
      return { client, transport };
    },
  };
}

/** Sends bytes as they are; gives what comes until the server closes the connection. */
function exchange(url: URL, bytes: string): Promise<string> {
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  return text(socket);
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Until a condition that only sockets bring about holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('over HTTP', () => {
  let server: Serving;
  beforeAll(async () => {
    server = await serving(servedOf({ echo: async (input) => ({ input }) }));
  });
  afterAll(() => server.stop());

  it("serves the SDK's client", async () => {
    const { client, transport } = await server.client();
    const result = await client.callTool({ name: 'echo', arguments: { a: '\u{1f600}' } });
    expect(result.structuredContent).toEqual({ input: { a: '\u{1f600}' } });
    const other = await server.client();
    expect(other.transport.sessionId).not.toBe(transport.sessionId);
    await transport.terminateSession();
    await client.close();
    expect((await other.client.listTools()).tools).toHaveLength(1);
    await other.client.close();
  });

  it.each([
    ['another name', { host: 'evil.example' }],
    ['another name with our port', { host: 'evil.example:80' }],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }],
    ['no name', { host: ':80' }],
    ['user information', { host: 'localhost@evil.example' }],
  ])('refuses a Host with %s', async (_, headers) => {
    const answer = await server.send({ headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('Host: this server goes by another name');
  });

  it.each(['localhost', 'LOCALHOST:9999', '127.0.0.1', '[::1]:80'])('takes the Host %s', async (host) => {
    expect((await server.send({ headers: { host } })).status).toBe(200);
  });

  it.each(['http://evil.example', 'null', 'https://127.0.0.1', 'http://localhost:1', 'http://127.0.0.1:1'])(
    'refuses the Origin %s',
    async (origin) => {
      const answer = await server.send({ headers: { origin } });
      expect(answer.status).toBe(403);
      expect(answer.body).toContain('Origin');
    },
  );

  it('takes its own Origin', async () => {
    expect((await server.send({ headers: { origin: server.url.origin } })).status).toBe(200);
  });

  it.each([
    ['', 'Bearer realm="skillscout"'],
    ['Bearer', 'Bearer realm="skillscout", error="invalid_token"'],
    ['Bearer x', 'Bearer realm="skillscout", error="invalid_token"'],
    [`Bearer ${TOKEN}x`, 'Bearer realm="skillscout", error="invalid_token"'],
    [`Basic ${TOKEN}`, 'Bearer realm="skillscout", error="invalid_token"'],
    [TOKEN, 'Bearer realm="skillscout", error="invalid_token"'],
  ])('refuses the Authorization %j for every method', async (authorization, challenge) => {
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await server.send({ method, headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(challenge);
      expect(answer.body).not.toContain(TOKEN);
    }
  });

  it('takes the scheme in any case', async () => {
    expect((await server.send({ headers: { authorization: `bEARER ${TOKEN}` } })).status).toBe(200);
  });

  it.each(['PUT', 'OPTIONS', 'HEAD', 'PATCH'])('refuses the method %s', async (method) => {
    const answer = await server.send({ method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, GET, DELETE');
  });

  it.each(['/', '/mcp/', '/mcp/../mcp', '/MCP', 'http://127.0.0.1/mcp', '//mcp'])(
    'has nothing at %s',
    async (path) => {
      expect((await server.send({ path })).status).toBe(404);
    },
  );

  it.each(['x', '', '00000000-0000-4000-8000-000000000000', '__proto__'])(
    'knows no session %j that it has not given out',
    async (id) => {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
        const answer = await server.send({ method, body, headers: { 'mcp-session-id': id } });
        expect(answer.status).toBe(id === '' ? 400 : 404);
      }
    },
  );

  it.each([
    ['garbage', '{"jsonrpc":"2.0",'],
    ['nothing', ''],
    ['a page', '<!doctype html>'],
    [
      'a tower',
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    ],
    ['a batch', `[${JSON.stringify(INITIALIZE)}]`],
    ['another message', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['no message', '{"a":1}'],
    ['null', 'null'],
  ])('refuses %s', async (_, body) => {
    const answer = await server.send({ body });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', id: null });
  });

  it('refuses a body that is too large, announced or not', async () => {
    const headers = { host: 'localhost', authorization: `Bearer ${TOKEN}`, 'content-length': '4194305' };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    expect(await exchange(server.url, `POST /mcp HTTP/1.1\r\n${head.join('')}\r\n{`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
    const chunked = { 'content-length': '', 'transfer-encoding': 'chunked' };
    expect((await server.send({ headers: chunked, body: 'x'.repeat(2 ** 22 + 1) })).status).toBe(413);
  });

  it('refuses endless headers', async () => {
    expect((await server.send({ headers: { 'x-a': 'a'.repeat(20_000) } })).status).toBe(431);
  });

  it('leaves no session behind where initialize was refused', async () => {
    const limited = await serving(servedOf(), { limits: { ...HTTP_LIMITS, sessions: 2 } });
    const id = (await limited.send()).headers.get('mcp-session-id') ?? '';
    expect((await limited.send({ headers: { accept: 'text/html' } })).status).toBe(406);
    expect((await limited.send()).status).toBe(200);
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect((await limited.send({ body, headers: { 'mcp-session-id': id } })).status).toBe(200);
    await limited.stop();
  });
});

describe('bounds over HTTP', () => {
  const start = async (...args: Parameters<typeof serving>) => {
    const server = await serving(...args);
    onTestFinished(() => server.stop());
    return server;
  };

  it('are of requests in a second, for those who have the token', async () => {
    const clock = createManualClock();
    const server = await start(servedOf({}, { clock }), {
      limits: { ...HTTP_LIMITS, perSecond: 2, burst: 3 },
    });
    const statuses = async (count: number, headers = {}) => {
      const answers = [];
      for (let n = 0; n < count; n += 1) answers.push((await server.send({ headers })).status);
      return answers;
    };
    expect(await statuses(20, { authorization: 'Bearer x' })).toEqual(Array(20).fill(401));
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    expect((await server.send()).headers.get('retry-after')).toBe('1');
    await clock.advance(1_000);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('are of sessions: the one idle longest makes room, one in use does not', async () => {
    const clock = createManualClock();
    const server = await start(servedOf({}, { clock }), { limits: { ...HTTP_LIMITS, sessions: 2 } });
    const open = async () => (await server.send()).headers.get('mcp-session-id') ?? '';
    const ping = async (id: string) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      return (await server.send({ body, headers: { 'mcp-session-id': id } })).status;
    };
    const first = await open();
    await clock.advance(1);
    const second = await open();
    await clock.advance(1);
    expect(await ping(first)).toBe(200);
    const third = await open();
    expect([await ping(first), await ping(second), await ping(third)]).toEqual([200, 404, 200]);

    const [one, two] = [await server.client(), await server.client()];
    const full = await server.send();
    expect(full.status).toBe(503);
    expect(full.headers.get('retry-after')).toBe('60');
    await one.client.close();
    await two.client.close();
  });

  it('are of the time that a session without requests stays', async () => {
    const clock = createManualClock();
    const server = await start(servedOf({}, { clock }), {
      limits: { ...HTTP_LIMITS, sessionIdleMs: 60_000 },
    });
    const id = (await server.send()).headers.get('mcp-session-id') ?? '';
    const listening = await server.client();
    const ping = () =>
      server.send({ body: '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers: { 'mcp-session-id': id } });
    await clock.advance(58_000);
    expect((await ping()).status).toBe(200);
    await clock.advance(58_000);
    expect((await ping()).status).toBe(200);
    await clock.advance(62_000);
    expect((await ping()).status).toBe(404);
    expect(await listening.client.ping()).toEqual({});
    await listening.client.close();
  });

  it('are of the time that a request takes to arrive', async () => {
    const limits = { ...HTTP_LIMITS, headMs: 50, requestMs: 100 };
    const server = await start(servedOf(), { limits });
    const head = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\n';
    expect(await exchange(server.url, head)).toMatch(/^HTTP\/1.1 408 /);
    const rest = `authorization: Bearer ${TOKEN}\r\ncontent-length: 100\r\n\r\n{`;
    expect(await exchange(server.url, `${head}${rest}`)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('are of the time that nothing moves on a connection', async () => {
    const server = await start(servedOf(), { limits: { ...HTTP_LIMITS, stalledMs: 50 } });
    expect(await exchange(server.url, '')).toBe('');
  });

  it('are of connections', async () => {
    const server = await start(servedOf(), { limits: { ...HTTP_LIMITS, connections: 1 } });
    const held = connect(Number(server.url.port), '127.0.0.1');
    await once(held, 'connect');
    expect(await exchange(server.url, 'GET / HTTP/1.1\r\n')).toBe('');
    held.destroy();
  });
});

describe('notices over HTTP', () => {
  it('go to every client that listens, once for all changes of two seconds', async () => {
    const clock = createManualClock();
    let revision = 1;
    const server = await serving(servedOf({}, { clock, revision: () => revision }));
    const heard = [0, 0];
    const clients = [
      await server.client(() => {
        heard[0] = (heard[0] ?? 0) + 1;
      }),
      await server.client(() => {
        heard[1] = (heard[1] ?? 0) + 1;
      }),
    ];
    await server.send();
    for (const { client } of clients) await client.ping();
    revision += 3;
    await clock.advance(2_000);
    await until(() => heard[0] === 1 && heard[1] === 1);
    await clock.advance(20_000);
    for (const { client } of clients) await client.ping();
    expect(heard).toEqual([1, 1]);
    for (const { client } of clients) await client.close();
    await server.stop();
  });
});

describe('the end over HTTP', () => {
  it('waits for answers that are under way and takes no more', async () => {
    const [started, result] = [deferred(), deferred<object>()];
    const slow = () => {
      started.resolve();
      return result.promise;
    };
    const server = await serving(servedOf({ slow }));
    const { client } = await server.client();
    const call = client.callTool({ name: 'slow' });
    await started.promise;
    const ended = server.stop();
    await expect(client.ping()).rejects.toThrow();
    result.resolve({ done: true });
    expect((await call).structuredContent).toEqual({ done: true });
    await ended;
    await expect(server.send()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await client.close();
  });

  it('waits for a second at most, for clients that do not read either', async () => {
    const clock = createManualClock();
    const started = deferred();
    const aborted = deferred();
    const endless = (_: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) => {
      signal?.addEventListener('abort', () => aborted.resolve());
      started.resolve();
      return new Promise(() => {});
    };
    const server = await serving(servedOf({ endless }, { clock }));
    const { client } = await server.client();
    const call = client.callTool({ name: 'endless' }).catch(() => 'dropped');
    const deaf = connect(Number(server.url.port), '127.0.0.1');
    deaf.on('error', () => {});
    await once(deaf, 'connect');
    deaf.write('POST /mcp HTTP/1.1\r\n');
    await started.promise;
    let hasEnded = false;
    const ended = server.stop().then(() => {
      hasEnded = true;
    });
    await clock.advance(999);
    expect(hasEnded).toBe(false);
    await clock.advance(1);
    await aborted.promise;
    await ended;
    await client.close();
    expect(await call).toBe('dropped');
    deaf.destroy();
  });

  it('is a failure where it cannot listen', async () => {
    const server = await serving(servedOf());
    await expect(serving(servedOf(), { port: Number(server.url.port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await server.stop();
  });
});
