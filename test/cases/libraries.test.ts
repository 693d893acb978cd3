import { readdir, readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { createProvider, type MockSite, validDescriptor, validIndex } from '../../mocks/index.ts';
import { createClient, parse, parseIndex, validateSkillIndex } from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { besideGood, goodSite, world } from './support.ts';

describe('[H3] time in the caches is the injected clock', () => {
  it('expires a document when the clock says so, and not before', async () => {
    const clock = createManualClock();
    const provider = createProvider({
      domain: 'a.example',
      name: 'A',
      skills: [validDescriptor()],
      cacheControl: 'max-age=300',
    });
    const { client, domain } = await world({ 'a.example': provider.handle }, { clock });
    const look = async () => (await client.discover(domain('a.example'))).cacheStatus;
    expect(await look()).toBe('miss');
    await clock.advance(299_999);
    expect(await look()).toBe('hit');
    expect(provider.requests).toHaveLength(2);
    await clock.advance(1);
    expect(await look()).toBe('revalidated');
    await clock.advance(299_999);
    expect(await look()).toBe('hit');
  });

  it('forgets a failure likewise', async () => {
    const clock = createManualClock();
    let deployed = false;
    const site: MockSite = (request) =>
      deployed ? goodSite()(request) : Promise.resolve(new Response(null, { status: 404 }));
    const { client, domain } = await world({ 'a.example': site }, { clock });
    const look = async () => (await client.discover(domain('a.example'))).status;
    expect(await look()).toBe('none');
    deployed = true;
    await clock.advance(3_599_999);
    expect(await look()).toBe('none');
    await clock.advance(1);
    expect(await look()).toBe('ok');
  });
});

// Validators are compiled when the package is built; there is no compiler in the process that could leak or clash.
describe('[H4] validators', () => {
  it('leave nothing behind, documents and errors alike', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const good = JSON.stringify(validDescriptor());
    const bad = JSON.stringify({ ...validDescriptor(), access: 'anyone', inputs: {} });
    const read = (times: number) => {
      for (let i = 0; i < times; i += 1) {
        expect(parse(good).ok).toBe(true);
        expect(parse(bad).ok).toBe(false);
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = read(500);
    expect(read(5000) - before).toBeLessThan(8 * 2 ** 20);
  });

  it('do not clash between two clients, or between two copies of the library', async () => {
    vi.resetModules();
    const copy = await import('../../src/index.ts');
    expect(copy.createClient).not.toBe(createClient);
    expect(copy.parse(JSON.stringify(validDescriptor())).ok).toBe(true);
    expect(parse(JSON.stringify(validDescriptor())).ok).toBe(true);

    const sites = { 'a.example': goodSite() };
    const [one, two] = await Promise.all([world(sites), world(sites, { protocolVersion: '2.0.0' })]);
    const [first, second] = await Promise.all(
      [one, two].map(({ client, domain }) => client.discover(domain('a.example'))),
    );
    expect(first?.status).toBe('ok');
    expect(second?.code).toBe('VERSION_INCOMPATIBLE');
  });
});

describe('[H5] a hundred thousand bad entries', () => {
  const bad = Array.from({ length: 100_000 }, () => ({}));
  const text = JSON.stringify({ ...validIndex(), skills: bad });

  it('are counted, and explained to a bound', () => {
    const validation = validateSkillIndex(JSON.parse(text));
    expect(validation).toMatchObject({ ok: false, violationCount: 700_000 });
    expect(!validation.ok && validation.violations).toHaveLength(100);
  });

  it('are counted likewise where the index itself is broken too', () => {
    const { provider: _, ...broken } = JSON.parse(text);
    const reading = parseIndex(JSON.stringify(broken));
    expect(reading).toMatchObject({
      ok: false,
      failure: { code: 'VALIDATION_ERROR', details: { violation_count: 700_001 } },
    });
    expect(!reading.ok && reading.failure.details?.violations).toHaveLength(100);
  });

  const site: MockSite = async () => new Response(text);

  it('are too many as they come', async () => {
    const { outcome } = await besideGood(site);
    expect(outcome).toMatchObject({ status: 'failed', code: 'TOO_MANY_SKILLS', rejected: [] });
  });

  it('get a reason each where so many are allowed, and a bounded number of explanations', async () => {
    const { outcome } = await besideGood(site, { limits: { maxSkillsPerIndex: 100_000 } });
    expect(outcome.rejected).toHaveLength(100_000);
    expect(outcome.rejected.every(({ code }) => code === 'VALIDATION_ERROR')).toBe(true);
    const explained = outcome.rejected.reduce((sum, { violations = [] }) => sum + violations.length, 0);
    expect(explained).toBeLessThanOrEqual(2000);
  });
});

describe('[H9] no test waits', () => {
  it('backs off on the injected clock', async () => {
    const clock = createManualClock();
    let failures = 2;
    const site: MockSite = (request) => {
      failures -= 1;
      return failures >= 0 ? Promise.resolve(new Response(null, { status: 500 })) : goodSite()(request);
    };
    const { client, domain, asked } = await world(
      { 'a.example': site },
      { clock, http: { timeoutMs: 600_000 } },
    );
    let settled = false;
    const look = client.discover(domain('a.example')).finally(() => {
      settled = true;
    });
    const turns = (until: () => boolean) => vi.waitUntil(() => until(), { interval: 1, timeout: 30_000 });
    await turns(() => asked.length === 1);
    await turns(() => clock.sleepers >= 2);
    expect(asked).toHaveLength(1);
    while (!settled) await clock.advance(50);
    expect(await look).toMatchObject({ status: 'ok', retries: 2 });
  });

  it('has no real timer of more than 100 ms, and no timers faked under fetch', async () => {
    const root = new URL('../', import.meta.url);
    const files = (await readdir(root, { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.includes('node_modules/'),
    );
    expect(files.length).toBeGreaterThan(50);
    for (const name of files) {
      const source = await readFile(new URL(name, root), 'utf8');
      for (const [, ms = ''] of source.matchAll(/\bset(?:Timeout|Interval)\([^;]*?,\s*([\d_]+)\s*\)/g)) {
        expect(Number(ms.replaceAll('_', '')), name).toBeLessThanOrEqual(100);
      }
      expect(source.includes(['useFake', 'Timers('].join('')), name).toBe(false);
    }
  });
});
