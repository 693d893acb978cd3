import { mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createResolver, type ResolverOptions } from '../../src/transport/resolver-node.ts';
import { deferred, settle } from '../support/deferred.ts';
import { type DnsHandler, type DnsReply, serveNames } from '../support/dns-server.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { site, transportFor, wanted } from './support.ts';

const V6 = '2001:db8:0:0:0:0:0:1';

const found = (address: string, ttl = 60): DnsReply => ({
  records: [{ type: address.includes(':') ? 'AAAA' : 'A', ttl, data: address }],
});
/** A host with one IPv4 address. */
const onV4 =
  (address: string, ttl?: number): DnsHandler =>
  ({ type }) =>
    type === 'A' ? found(address, ttl) : {};

async function resolverFor(handle: DnsHandler, options: Partial<ResolverOptions> = {}) {
  const { server, asked } = await serveNames(handle);
  const clock = createManualClock();
  const askedSystem: string[] = [];
  const resolver = createResolver({
    clock,
    isWanted: () => true,
    servers: [server],
    hostsFile: '/nowhere',
    platform: 'linux',
    askSystem: async (name) => {
      askedSystem.push(name);
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    },
    ...options,
  });
  onTestFinished(() => resolver.close());
  const resolve = (name: string) =>
    new Promise<string[]>((done, fail) =>
      resolver.lookup(name, { all: true }, (error, addresses) => {
        if (error) fail(error);
        else done(typeof addresses === 'string' ? [] : addresses.map(({ address }) => address));
      }),
    );
  return { clock, asked, askedSystem, resolve, ...resolver };
}

describe('an answer', () => {
  it('has both families, IPv6 first, by one query each', async () => {
    const { resolve, asked } = await resolverFor(({ type }) => ({
      records:
        type === 'A'
          ? ['192.0.2.1', '192.0.2.2'].map((data) => ({ type, ttl: 60, data }))
          : [{ type, ttl: 60, data: V6 }],
    }));
    expect(await resolve('a.example')).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.2']);
    expect(asked.sort()).toEqual(['A a.example', 'AAAA a.example']);
  });

  it.each<[string, DnsReply]>([
    ['does not exist', { code: 'NXDOMAIN' }],
    ['has none', {}],
    ['fails', { code: 'SERVFAIL' }],
    ['is refused', { code: 'REFUSED' }],
  ])('is that of the one family when the other %s', async (_how, reply) => {
    for (const broken of ['A', 'AAAA']) {
      const { resolve, askedSystem } = await resolverFor(({ type }) =>
        type === broken ? reply : found(type === 'A' ? '192.0.2.1' : V6),
      );
      expect(await resolve('a.example')).toEqual([broken === 'A' ? '2001:db8::1' : '192.0.2.1']);
      expect(askedSystem).toEqual([]);
    }
  });

  it('waits a second for the family that is silent', async () => {
    const { resolve, clock } = await resolverFor(({ type }) =>
      type === 'A' ? found('192.0.2.1') : undefined,
    );
    const answer = resolve('a.example');
    // The limit of the whole and that of the second family.
    while (clock.sleepers < 2) await settle();
    await clock.advance(1000);
    expect(await answer).toEqual(['192.0.2.1']);
    expect(clock.sleepers).toBe(0);
  });

  it('fails after five seconds of silence, and asks nobody else', async () => {
    const { resolve, clock, askedSystem } = await resolverFor(() => undefined);
    const answer = resolve('a.example');
    const failure = expect(answer).rejects.toThrow('no name server answered for a.example in time');
    await clock.advance(5000);
    await failure;
    expect(askedSystem).toEqual([]);
  });

  it('follows aliases, and lives as long as the shortest of them', async () => {
    const { resolve, clock, asked } = await resolverFor(({ type }) => ({
      records: [
        { type: 'CNAME', ttl: 3600, data: 'b.example' },
        { type: 'CNAME', name: 'b.example', ttl: 20, data: 'c.example' },
        ...(type === 'A' ? [{ type, name: 'c.example', ttl: 3600, data: '192.0.2.3' } as const] : []),
      ],
    }));
    expect(await resolve('a.example')).toEqual(['192.0.2.3']);
    await clock.advance(19_999);
    await resolve('a.example');
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    await resolve('a.example');
    expect(asked).toHaveLength(4);
  });

  it('is asked for again over TCP when it was cut', async () => {
    const { resolve, asked } = await resolverFor(({ type }) =>
      type === 'A' ? { ...found('192.0.2.1'), isTruncated: true } : {},
    );
    expect(await resolve('a.example')).toEqual(['192.0.2.1']);
    expect(asked.filter((each) => each === 'A a.example')).toHaveLength(2);
  });

  it('of thousands of addresses is none', async () => {
    const records = Array.from({ length: 4000 }, (_, at) => ({
      type: 'A' as const,
      ttl: 60,
      data: `203.0.${at >> 8}.${at & 255}`,
    }));
    const { resolve } = await resolverFor(({ type }) => (type === 'A' ? { records, isTruncated: true } : {}));
    await expect(resolve('a.example')).rejects.toThrow(
      'a.example has 4000 addresses, and at most 256 are taken',
    );
  });
});

describe('what is remembered', () => {
  it.each([
    [0, 10_000],
    [60, 60_000],
    [86_400, 300_000],
  ])('with %i seconds to live stays %i ms', async (ttl, lifetime) => {
    const { resolve, clock, asked } = await resolverFor(onV4('192.0.2.1', ttl));
    await resolve('a.example');
    await clock.advance(lifetime - 1);
    await resolve('a.example');
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    await resolve('a.example');
    expect(asked).toHaveLength(4);
  });

  it('is nothing after the clock was set back', async () => {
    const { resolve, clock, asked } = await resolverFor(onV4('192.0.2.1'));
    await resolve('a.example');
    clock.set(clock.now() - 1);
    await resolve('a.example');
    expect(asked).toHaveLength(4);
  });

  it('is a failure for five seconds', async () => {
    const { resolve, clock, askedSystem } = await resolverFor(() => ({ code: 'NXDOMAIN' }));
    await expect(resolve('a.lan')).rejects.toThrow('ENOTFOUND');
    await clock.advance(4999);
    await expect(resolve('a.lan')).rejects.toThrow('ENOTFOUND');
    expect(askedSystem).toHaveLength(1);
    await clock.advance(1);
    await expect(resolve('a.lan')).rejects.toThrow('ENOTFOUND');
    expect(askedSystem).toHaveLength(2);
  });

  it('is bounded in number', async () => {
    const asked: string[] = [];
    const askSystem = async (name: string) => {
      asked.push(name);
      return [{ address: '192.0.2.9', family: 4 }];
    };
    const { resolve } = await resolverFor(() => undefined, { askSystem });
    const names = Array.from({ length: 1001 }, (_, at) => `n${at}`);
    for (const name of [...names, 'n1000', 'n0']) await resolve(name);
    expect(asked).toEqual([...names, 'n0']);
  });
});

describe('many names', () => {
  it('are asked for 64 at once, in order, the rest as they end', async () => {
    const full = deferred();
    const release = deferred();
    const { resolve, asked } = await resolverFor(async (question, count) => {
      if (count === 128) full.resolve();
      await release.promise;
      return onV4('192.0.2.1')(question, count);
    });
    const names = Array.from({ length: 100 }, (_, at) => `n${at}.example`);
    const answers = names.map(resolve);
    await full.promise;
    for (let turn = 0; turn < 20; turn += 1) await settle();
    const namesAsked = () => new Set(asked.map((each) => each.split(' ')[1]));
    expect(namesAsked()).toEqual(new Set(names.slice(0, 64)));
    release.resolve();
    expect(await Promise.all(answers)).toEqual(names.map(() => ['192.0.2.1']));
    expect(asked).toHaveLength(200);
  });

  it('that are the same are one', async () => {
    const { resolve, asked } = await resolverFor(onV4('192.0.2.1'));
    await Promise.all(Array.from({ length: 50 }, () => resolve('a.example')));
    expect(asked).toHaveLength(2);
  });

  it('do not wait for those that the system looks up', async () => {
    const { resolve, asked } = await resolverFor(
      (question, count) =>
        question.name.startsWith('gone') ? { code: 'NXDOMAIN' } : onV4('192.0.2.1')(question, count),
      { askSystem: () => new Promise(() => {}) },
    );
    // They end with the resolver, when the test is over.
    for (let at = 0; at < 64; at += 1) resolve(`gone${at}.lan`).catch(() => {});
    expect(await resolve('a.example')).toEqual(['192.0.2.1']);
    expect(asked).toHaveLength(130);
  });
});

describe('the system', () => {
  const known = async () => [{ address: '192.0.2.9', family: 4 }];

  it.each<[string, DnsReply, string, NodeJS.Platform]>([
    ['know no such name of this network', { code: 'NXDOMAIN' }, 'a.lan', 'linux'],
    ['fail for a name of this network', { code: 'SERVFAIL' }, 'a.lan', 'linux'],
    ['know no such name, on macOS', { code: 'NXDOMAIN' }, 'a.example', 'darwin'],
    ['fail, on Windows', { code: 'SERVFAIL' }, 'a.example', 'win32'],
    ['refuse', { code: 'REFUSED' }, 'a.example', 'linux'],
    ['do not understand', { code: 'NOTIMP' }, 'a.example', 'linux'],
  ])('is asked when the servers %s', async (_what, reply, name, platform) => {
    const { resolve, asked } = await resolverFor(() => reply, { askSystem: known, platform });
    expect(await resolve(name)).toEqual(['192.0.2.9']);
    expect(asked).not.toEqual([]);
  });

  it.each([
    ['does not exist', 'NXDOMAIN', 'ENOTFOUND'],
    ['has servers that fail', 'SERVFAIL', 'ESERVFAIL'],
  ] as const)('is not asked for a name of the world that %s', async (_how, code, reason) => {
    const { resolve, askedSystem } = await resolverFor(() => ({ code }));
    await expect(resolve('a.example')).rejects.toMatchObject({ code: reason });
    expect(askedSystem).toEqual([]);
  });

  it('is asked when no server is there', async () => {
    const { resolve } = await resolverFor(() => undefined, { servers: ['127.0.0.1:1'], askSystem: known });
    expect(await resolve('a.example')).toEqual(['192.0.2.9']);
  });

  it('is not asked for a name without addresses', async () => {
    const { resolve, askedSystem } = await resolverFor(() => ({}));
    await expect(resolve('a.example')).rejects.toMatchObject({ code: 'ENODATA' });
    expect(askedSystem).toEqual([]);
  });

  it.each(['localhost', 'printer', 'printer.local', 'app.localhost'])('alone knows %s', async (name) => {
    const { resolve, asked } = await resolverFor(onV4('192.0.2.1'), { askSystem: known });
    expect(await resolve(name)).toEqual(['192.0.2.9']);
    expect(asked).toEqual([]);
  });

  it('alone knows what is in the hosts file, as it is now, up to 16 MiB', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const hostsFile = join(folder, 'hosts');
    await writeFile(hostsFile, '192.0.2.9 a.example\n');
    const { resolve, clock } = await resolverFor(onV4('192.0.2.1'), { askSystem: known, hostsFile });
    expect(await resolve('a.example')).toEqual(['192.0.2.9']);
    expect(await resolve('b.example')).toEqual(['192.0.2.1']);
    await writeFile(hostsFile, '192.0.2.9 b.example\n');
    await utimes(hostsFile, 1, 1);
    await clock.advance(60_000);
    expect(await resolve('a.example')).toEqual(['192.0.2.1']);
    expect(await resolve('b.example')).toEqual(['192.0.2.9']);
    await truncate(hostsFile, 16 * 2 ** 20 + 1);
    await clock.advance(60_000);
    expect(await resolve('b.example')).toEqual(['192.0.2.1']);
  });

  /** A system that is silent until it is told otherwise. */
  function silentSystem() {
    const release = deferred();
    const begun: string[] = [];
    const askSystem = async (name: string) => {
      begun.push(name);
      await release.promise;
      return known();
    };
    return { askSystem, begun, release: release.resolve };
  }

  it.each<[string, DnsReply, string, string, number]>([
    ['a name that does not exist', { code: 'NXDOMAIN' }, 'a.lan', 'ENOTFOUND', 1000],
    ['a name whose servers fail', { code: 'SERVFAIL' }, 'a.lan', 'ESERVFAIL', 1000],
    ['a name that servers refuse', { code: 'REFUSED' }, 'a.example', 'EREFUSED', 5000],
    ['a name of its own', {}, 'printer.local', 'the system has no answer for printer.local in time', 5000],
  ])('is waited for so long: %s', async (_what, reply, name, reason, limitMs) => {
    const { askSystem, begun } = silentSystem();
    const { resolve, clock } = await resolverFor(() => reply, { askSystem });
    const answer = resolve(name);
    const failure = expect(answer).rejects.toThrow(reason);
    let isOver = false;
    answer.catch(() => {
      isOver = true;
    });
    while (begun.length === 0) await settle();
    await clock.advance(limitMs - 1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await failure;
    expect(clock.sleepers).toBe(0);
  });

  it('is asked for two names at once, and never for one whose time is up', async () => {
    const { askSystem, begun, release } = silentSystem();
    const { resolve, clock } = await resolverFor(() => ({ code: 'NXDOMAIN' }), { askSystem });
    const answers = Array.from({ length: 10 }, (_, at) => resolve(`n${at}.lan`));
    const settled = Promise.allSettled(answers);
    while (clock.sleepers < answers.length || begun.length < 2) await settle();
    await clock.advance(5000);
    expect((await settled).map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    release();
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(begun).toHaveLength(2);
    expect(await resolve('printer')).toEqual(['192.0.2.9']);
  });

  it('is not asked for a name that was given up meanwhile, and that is no answer to later ones', async () => {
    const { askSystem, begun, release } = silentSystem();
    const givenUp = new Set<string>();
    const isWanted = (name: string) => !givenUp.has(name);
    const { resolve } = await resolverFor(() => ({}), { askSystem, isWanted });
    const answers = ['n0', 'n1', 'n2', 'n3'].map(resolve);
    const settled = Promise.allSettled(answers);
    while (begun.length < 2) await settle();
    givenUp.add('n2');
    release();
    expect((await settled).map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true]);
    expect(begun).toEqual(['n0', 'n1', 'n3']);
    givenUp.clear();
    expect(await resolve('n2')).toEqual(['192.0.2.9']);
  });

  it('is asked for nothing more after the end, and nobody waits for it', async () => {
    const { askSystem, begun, release } = silentSystem();
    const { resolve, clock, close } = await resolverFor(() => ({}), { askSystem });
    const answers = Array.from({ length: 10 }, (_, at) => resolve(`n${at}`));
    const settled = Promise.allSettled(answers);
    while (begun.length < 2) await settle();
    close();
    expect((await settled).map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    expect(clock.sleepers).toBe(0);
    release();
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(begun).toEqual(['n0', 'n1']);
  });

  it('is the machine by default', async () => {
    const { server } = await serveNames(() => undefined);
    const { lookup } = createResolver({ clock: systemClock, isWanted: () => true, servers: [server] });
    const addresses = await new Promise((resolve) =>
      lookup('localhost', { all: true }, (_, all) => resolve(all)),
    );
    expect(addresses).toContainEqual({ address: '127.0.0.1', family: 4 });
  });
});

describe('the end', () => {
  it('fails what is asked and what waits, and asks nobody else', async () => {
    const full = deferred();
    const { resolve, askedSystem, asked, close, clock } = await resolverFor((_question, count) => {
      if (count === 128) full.resolve();
      return undefined;
    });
    const answers = Array.from({ length: 70 }, (_, at) => resolve(`n${at}.example`));
    const settled = Promise.allSettled(answers);
    await full.promise;
    close();
    expect((await settled).map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    expect(asked).toHaveLength(128);
    expect(askedSystem).toEqual([]);
    expect(clock.sleepers).toBe(0);
  });
});

describe('the address guard', () => {
  it('dials what it allows', async () => {
    const server = await site((_request, response) => void response.end('hello'));
    const { lookup } = await resolverFor(onV4('127.0.0.1'));
    const { get } = transportFor({ lookup });
    expect(await get(wanted(`http://a.example:${server.port}/`))).toMatchObject({ ok: true, value: 'hello' });
  });

  it.each([
    [{ A: ['127.0.0.1', '10.0.0.1'], AAAA: [] }, '10.0.0.1'],
    [{ A: ['127.0.0.1'], AAAA: ['fd00:0:0:0:0:0:0:1'] }, 'fd00::1'],
    [{ A: ['127.0.0.1', '169.254.169.254'], AAAA: [V6] }, '2001:db8::1'],
  ])('refuses %j, and again from memory', async (addresses, refused) => {
    const server = await site((_request, response) => void response.end('hello'));
    const { lookup, asked } = await resolverFor(({ type }) => ({
      records: addresses[type].map((data) => ({ type, ttl: 60, data })),
    }));
    const { get } = transportFor({ lookup });
    for (let round = 0; round < 2; round += 1) {
      expect(await get(wanted(`http://a.example:${server.port}/`))).toMatchObject({
        ok: false,
        failure: { code: 'ADDRESS_REFUSED', message: expect.stringContaining(refused) },
      });
    }
    expect(asked).toHaveLength(2);
    expect(server.connections).toBe(0);
  });

  it('judges again what a short-lived name has become', async () => {
    let address = '127.0.0.1';
    const server = await site(
      (_request, response) => void response.setHeader('connection', 'close').end('x'),
    );
    const { lookup, clock } = await resolverFor((question, count) => onV4(address, 0)(question, count));
    const { get } = transportFor({ lookup });
    const request = wanted(`http://a.example:${server.port}/`, { cacheMode: 'bypass' });
    expect(await get(request)).toMatchObject({ ok: true });
    await server.idle();
    address = '10.0.0.1';
    await clock.advance(10_000);
    expect(await get(request)).toMatchObject({ failure: { code: 'ADDRESS_REFUSED' } });
  });

  it.each<[string, DnsReply, string]>([
    ['does not exist', { code: 'NXDOMAIN' }, 'ENOTFOUND'],
    ['has no addresses', {}, 'ENODATA'],
    [
      'is an alias that leads nowhere',
      { records: [{ type: 'CNAME', ttl: 60, data: 'b.example' }] },
      'ENODATA',
    ],
  ])('is not asked when a name %s: DNS_FAILURE', async (_how, reply, reason) => {
    const { lookup } = await resolverFor(() => reply);
    const { get } = transportFor({ lookup });
    expect(await get(wanted('https://a.example/'))).toMatchObject({
      ok: false,
      failure: { code: 'DNS_FAILURE', message: `a.example: the name does not resolve: ${reason}` },
    });
  });

  it('is not asked for a name that no server can be asked for', async () => {
    const { lookup } = await resolverFor(onV4('127.0.0.1'));
    const { get } = transportFor({ lookup });
    expect(await get(wanted(`https://${'x'.repeat(64)}.example/`))).toMatchObject({
      failure: { code: 'DNS_FAILURE' },
    });
  });
});
