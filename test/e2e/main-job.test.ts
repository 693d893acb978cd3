import { afterEach, describe, expect, it } from 'vitest';
import {
  createInternet,
  createProvider,
  type LoopbackServer,
  type MockSite,
  serve,
  validDescriptor,
} from '../../mocks/index.ts';
import { type ClientOptions, createClient } from '../../src/index.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(site: MockSite) {
  const server = await serve(site);
  servers.push(server);
  return server;
}

const loopback: ClientOptions['unsafe'] = { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] };

describe('a thousand domains, a third of which hang, reset, lie or send garbage', () => {
  it('end in the right outcome each, within the time limit, and every good skill is found', {
    timeout: 240_000,
  }, async () => {
    const internet = createInternet({
      seed: 7,
      providers: 1000,
      faulty: 1 / 3,
      faults: [
        'index-hang',
        'index-stall',
        'index-reset',
        'index-reset-in-body',
        'index-garbage',
        'index-html',
        'index-encoding',
        'index-broken-gzip',
        'index-404',
        'index-429',
        'index-500',
        'index-deep',
        'index-redirect-loop',
        'index-next-major',
        'index-previous-major',
        'descriptor-hang',
        'descriptor-reset',
        'descriptor-garbage',
        'descriptor-next-major',
        'descriptor-previous-major',
        'descriptor-other-id',
        'entry-duplicate-id',
        'entry-private',
        'entry-without-access',
        'harmless-next-minor',
        'harmless-unknown-members',
      ],
    });
    const server = await start(internet.handle);
    await using client = createClient({
      lookup: server.lookup,
      unsafe: loopback,
      http: { timeoutMs: 10_000 },
    });
    const wanted = new Map(
      internet.domains.map((domain) => [`http://${domain}:${server.port}`, internet.expectation(domain)]),
    );

    const report = await client.crawlAll(wanted.keys(), { outcomes: true });

    expect(report.providers.total).toBe(1000);
    for (const { domain, status, code, skills, rejected, durationMs } of report.outcomes ?? []) {
      const expected = wanted.get(domain);
      const given = {
        domain,
        status,
        ...(code && { code }),
        ...(rejected[0] && { rejectedCode: rejected[0].code }),
        skills: skills.map(({ id, capability_type, access }) => ({ id, capability_type, access })),
      };
      expect(given).toEqual({ domain, ...expected });
      expect(durationMs).toBeLessThan(60_000);
    }

    const good = [...wanted.values()].flatMap(({ skills }) => skills);
    expect(report.skills.accepted).toBe(good.length);
    for (const capabilityType of ['plugin', 'api', 'knowledge', 'task'] as const) {
      const { total } = await client.find({ capabilityType, total: true });
      expect(total).toBe(good.filter(({ capability_type }) => capability_type === capabilityType).length);
    }
    expect((await client.find({ access: 'private' })).records).toEqual([]);
  });
});

describe('addresses', () => {
  const site = createProvider({ domain: 'a.example', name: 'A', skills: [validDescriptor()] });

  it('[E1] refuses a private address before it connects', async () => {
    const server = await start(site.handle);
    await using client = createClient({ unsafe: { allowHttp: true }, lookup: server.lookup });
    const literal = await client.discover(server.origin);
    const named = await client.discover(`http://a.example:${server.port}`);
    expect([literal.code, named.code]).toEqual(['ADDRESS_REFUSED', 'ADDRESS_REFUSED']);
    expect(server.connections()).toBe(0);
    expect(site.requests).toEqual([]);
  });

  it('refuses http unless it is allowed', async () => {
    const server = await start(site.handle);
    await using client = createClient({ unsafe: { allowPrivateAddresses: true } });
    expect((await client.discover(server.origin)).code).toBe('URL_REFUSED');
    expect(site.requests).toEqual([]);
  });
});
