import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { type LoopbackServer, serve } from '../../mocks/serve.ts';
import { ConnectionReset, type MockSite, untilAborted } from '../../mocks/site.ts';
import { deferred } from '../support/deferred.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(site: MockSite): Promise<LoopbackServer> {
  const server = await serve(site);
  servers.push(server);
  return server;
}

test('a request arrives whole and the answer goes back whole', async () => {
  const { origin } = await start(async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers({ 'x-seen': `${request.method} ${pathname}${search}` });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    return new Response(`${request.headers.get('x-sent')} ${await request.text()}`, { status: 202, headers });
  });
  const response = await fetch(`${origin}/a%2Fb?c=1`, {
    method: 'POST',
    body: 'body',
    headers: { 'x-sent': 'yes' },
  });
  expect(response.status).toBe(202);
  expect(response.headers.get('x-seen')).toBe('POST /a%2Fb?c=1');
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.text()).toBe('yes body');
});

test('lookup brings every name here, and the site sees that name', async () => {
  const { port, lookup } = await start(async (request) => new Response(new URL(request.url).host));
  const outgoing = httpRequest({ host: 'weather-12.example', port, lookup, agent: false }).end();
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const part of incoming) text += part;
  expect(text).toBe(`weather-12.example:${port}`);
});

test('lookup answers in both forms of dns.lookup', async () => {
  const { lookup } = await start(untilNever);
  const callback = vi.fn();
  lookup('a.example', {}, callback);
  lookup('a.example', { all: true }, callback);
  expect(callback.mock.calls).toEqual([
    [null, '127.0.0.1', 4],
    [null, [{ address: '127.0.0.1', family: 4 }]],
  ]);
});

test('a body is streamed, and no faster than it is read', async () => {
  let pulled = 0;
  const cancelled = deferred<void>();
  const { origin } = await start(async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(2 ** 20));
      },
      cancel: () => cancelled.resolve(),
    });
    return new Response(stream);
  });
  const response = await fetch(origin);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  await reader?.cancel();
  await cancelled.promise;
  expect(pulled).toBeLessThan(64);
});

test('when the client gives up, request.signal aborts', async () => {
  const asked = deferred<void>();
  const ended = deferred<unknown>();
  const { origin } = await start(async (request) => {
    asked.resolve();
    return untilAborted(request.signal).catch((reason) => {
      ended.resolve(reason);
      throw reason;
    });
  });
  const client = new AbortController();
  const answer = fetch(origin, { signal: client.signal });
  await asked.promise;
  client.abort();
  await expect(answer).rejects.toThrow();
  expect(await ended.promise).toBeInstanceOf(Error);
});

test('a ConnectionReset breaks the connection', async () => {
  const { origin } = await start(async () => {
    throw new ConnectionReset();
  });
  await expect(fetch(origin)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
});

test('a body that errors breaks the connection after what was sent', async () => {
  const { origin } = await start(async () => {
    let parts = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (parts++ === 0) controller.enqueue(new TextEncoder().encode('half'));
        else controller.error(new ConnectionReset());
      },
    });
    return new Response(stream);
  });
  const response = await fetch(origin);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('a mistake in the site shows as 500 with its stack', async () => {
  const { origin } = await start(async () => {
    throw new Error('mistake');
  });
  const response = await fetch(origin);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('serve.test.ts');
});

test('close breaks what still runs and leaves no socket', async () => {
  const asked = deferred<AbortSignal>();
  const server = await start((request) => {
    asked.resolve(request.signal);
    return untilAborted(request.signal);
  });
  const answer = fetch(server.origin);
  const signal = await asked.promise;
  expect(server.connections()).toBe(1);
  const aborted = once(signal, 'abort');
  await server.close();
  await expect(answer).rejects.toThrow();
  await aborted;
  expect(server.connections()).toBe(0);
  await server.close();
});

const untilNever: MockSite = (request) => untilAborted(request.signal);
