import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createProvider,
  type MockSite,
  serve,
  validDescriptor,
  validEntry,
  validIndex,
} from '../../mocks/index.ts';
import { type CacheStore, type ClientOptions, createClient, systemClock } from '../../src/index.ts';
import { serve as serveRaw } from '../support/loopback-server.ts';

const LOOPBACK: ClientOptions['unsafe'] = { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] };

async function start(site: MockSite, options: ClientOptions = {}) {
  const server = await serve(site);
  const client = createClient({ unsafe: LOOPBACK, ...options });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

const good = () => createProvider({ domain: 'a.example', name: 'A', skills: [validDescriptor()] }).handle;

describe('a status stands whatever becomes of the body that explains it', () => {
  it.each([
    [404, 'INDEX_NOT_FOUND'],
    [401, 'AUTH_REQUIRED'],
    [429, 'RATE_LIMITED'],
  ])('%i with a body that breaks off', async (status, code) => {
    let requests = 0;
    const server = await serveRaw((_request, response) => {
      requests += 1;
      response.writeHead(status, { 'content-length': '500', 'retry-after': '86400' });
      response.write('{"error":');
      response.socket?.destroySoon();
    });
    const client = createClient({ unsafe: LOOPBACK });
    onTestFinished(async () => {
      await client.close();
      await server[Symbol.asyncDispose]();
    });
    expect(await client.discover(server.origin)).toMatchObject({ code, details: { status } });
    expect(requests).toBe(1);
  });

  it('404 in a content coding that is none', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { client, server } = await start(async () => new Response('no gzip', { status: 404, headers }));
    expect((await client.discover(server.origin)).code).toBe('INDEX_NOT_FOUND');
  });
});

describe('injected parts that misbehave', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a list of nothing', [null]],
    ['a number', 7],
  ])('a lookup that answers %s is a name that does not resolve', async (_, answer) => {
    const lookup = ((_name: string, _options: object, callback: (error: null, found: unknown) => void) =>
      setImmediate(() => callback(null, answer))) as NonNullable<ClientOptions['lookup']>;
    const client = createClient({ lookup });
    onTestFinished(() => client.close());
    expect((await client.discover('a.example')).code).toBe('DNS_FAILURE');
  });

  it.each<[string, CacheStore]>([
    ['gives null', { get: () => null as never, set: () => {}, delete: () => {} }],
    ['gives rubbish', { get: () => ({ url: 5 }) as never, set: () => {}, delete: () => {} }],
    [
      'gives rubbish for headers',
      { get: () => ({ headers: [7] }) as never, set: () => {}, delete: () => {} },
    ],
    [
      'rejects',
      {
        get: () => Promise.reject(new Error('down')),
        set: () => Promise.reject(new Error('down')),
        delete: () => {},
      },
    ],
  ])('a cache store that %s counts as empty', async (_, cacheStore) => {
    const { client, server } = await start(good(), { cacheStore });
    expect((await client.discover(server.origin)).status).toBe('ok');
  });

  it('a cache store that never answers is not waited for', async () => {
    const never = () => new Promise<never>(() => {});
    const quick = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
    };
    const cacheStore = { get: never, set: never, delete: never };
    const { client, server } = await start(good(), {
      cacheStore,
      clock: quick,
      http: { timeoutMs: 600_000 },
    });
    expect((await client.discover(server.origin)).status).toBe('ok');
  });

  it('a credential function that gives null means anonymous', async () => {
    const { server } = await start(good());
    const client = createClient({
      unsafe: LOOPBACK,
      credentials: { [server.origin]: async () => null as never },
    });
    onTestFinished(() => client.close());
    expect(await client.discover(server.origin)).toMatchObject({ status: 'ok', view: 'anonymous' });
  });

  it('an origin policy must say true, not something like it', async () => {
    const { server } = await start(good());
    const client = createClient({ unsafe: LOOPBACK, descriptorOrigins: (async () => true) as never });
    onTestFinished(() => client.close());
    expect((await client.discover(server.origin)).rejected).toMatchObject([{ code: 'ORIGIN_REFUSED' }]);
  });
});

it('a credential that a server sends back is in no outcome', async () => {
  const echo: MockSite = async (request) => new Response(`{"x": ${request.headers.get('authorization')}`);
  const { server } = await start(echo);
  const client = createClient({
    unsafe: LOOPBACK,
    credentials: { [server.origin]: { bearer: 'S3cr3t-token' } },
  });
  onTestFinished(() => client.close());
  const outcome = await client.discover(server.origin);
  expect(outcome.code).toBe('NOT_JSON');
  expect(JSON.stringify(outcome)).not.toContain('S3cr3t');
});

it('user information of a URL is in no outcome', async () => {
  const client = createClient();
  onTestFinished(() => client.close());
  const outcome = await client.fetchDescriptor('https://user:S3cr3t@a.example/x?key=S3cr3t');
  expect(outcome.code).toBe('URL_REFUSED');
  expect(JSON.stringify(outcome)).not.toContain('S3cr3t');
});

it('an index of bad entries lets others have their turn, and keeps a bounded number of violations', async () => {
  let turns = 0;
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (ms === 0) turns += 1;
      return systemClock.sleep(ms, signal);
    },
  };
  const index = JSON.stringify({ ...validIndex(), skills: Array.from({ length: 20_000 }, () => ({})) });
  const { client, server } = await start(async () => new Response(index), { clock });
  const { rejected } = await client.discover(server.origin);
  expect(rejected).toHaveLength(20_000);
  expect(turns).toBe(200);
  const kept = rejected.reduce((sum, { violations = [] }) => sum + violations.length, 0);
  expect(kept).toBeLessThanOrEqual(2000);
  expect(rejected[0]?.violations).toHaveLength(7);
});

it('a descriptor with a million tags is found by the first of them', async () => {
  const tags = Array.from({ length: 1000 }, (_, i) => `t${i}`);
  const provider = createProvider({ domain: 'a.example', name: 'A', skills: [validDescriptor({ tags })] });
  const { client, server } = await start(provider.handle);
  await client.discover(server.origin);
  expect((await client.find({ tags: ['t0', 't255'] })).records).toHaveLength(1);
  expect((await client.find({ tags: 't256' })).records).toHaveLength(0);
  expect((await client.find({ include: 'descriptor' })).records[0]?.descriptor.tags).toHaveLength(1000);
  await expect(client.find({ tags })).rejects.toThrow(/^tags: expected at most 64/);
});

it('a redirect cannot carry a descriptor past a policy of origins', async () => {
  const entry = validEntry({ id: 'com.example.translate-v1' });
  const elsewhere = await serve(async () => Response.json(validDescriptor()));
  const site: MockSite = async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname !== '/d.json')
      return Response.json({ ...validIndex(), skills: [{ ...entry, descriptor_url: `${origin}/d.json` }] });
    return new Response(null, {
      status: 302,
      headers: { location: `http://b.a.example:${elsewhere.port}/d.json` },
    });
  };
  const server = await serve(site);
  const client = createClient({
    unsafe: LOOPBACK,
    lookup: server.lookup,
    descriptorOrigins: (url) => url.hostname === 'a.example',
  });
  onTestFinished(async () => {
    await client.close();
    await Promise.all([server.close(), elsewhere.close()]);
  });
  const { rejected } = await client.discover(`http://a.example:${server.port}`);
  expect(rejected).toMatchObject([
    { code: 'ORIGIN_REFUSED', message: expect.stringContaining('b.a.example') },
  ]);
});
