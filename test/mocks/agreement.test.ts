import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../mocks/faults.ts';
import { createInternet } from '../../mocks/internet.ts';
import { serve } from '../../mocks/serve.ts';
import type { MockSite } from '../../mocks/site.ts';
import { type ClientOptions, createClient, type ProviderOutcome } from '../../src/index.ts';
import { useMswInternet } from '../support/msw-internet.ts';

const all = (Object.entries(FAULTS) as [string, Fault][]).map(([name, fault], n) => ({
  ...fault,
  name,
  host: `fault-${n}.example`,
}));
type NamedFault = (typeof all)[number];

/** A deadline long enough for what comes in time on a busy machine, short enough to wait for what never comes. */
const GROUPS: [string, NamedFault[], number][] = [
  ['what never ends', all.filter(({ code }) => code === 'TIMEOUT'), 2000],
  ['everything else', all.filter(({ code }) => code !== 'TIMEOUT'), 60_000],
];
const SKILLS_LEFT = { index: 0, entry: 2, nothing: 3 };

const sitesOf = (faults: NamedFault[]): Record<string, MockSite> =>
  Object.fromEntries(faults.map(({ host, make }) => [host, make()]));

async function crawl(domains: readonly string[], options: ClientOptions): Promise<ProviderOutcome[]> {
  // All documents of a site at once: after one that asks to be left alone, no other would be asked.
  await using client = createClient({ concurrency: { perOrigin: 4 }, ...options });
  const { outcomes = [] } = await client.crawlAll(domains, { outcomes: true });
  const found = new Map(outcomes.map((outcome) => [outcome.domain, outcome]));
  return domains.flatMap((domain) => found.get(domain) ?? []);
}

function expectPromised(outcomes: ProviderOutcome[], faults: NamedFault[]) {
  const seen = outcomes.map(({ status, code, skills, rejected }) => ({
    status,
    code: code ?? rejected[0]?.code,
    skills: skills.length,
  }));
  const promised = faults.map(({ status, code, hits }) => ({ status, code, skills: SKILLS_LEFT[hits] }));
  const named = (results: unknown[]) =>
    Object.fromEntries(results.map((result, n) => [faults[n]?.name, result]));
  expect(named(seen)).toEqual(named(promised));
}

const overLoopback = { allowHttp: true, allowPrivateAddresses: ['127.0.0.1/32'] };

describe('over sockets, a client reports what is promised', () => {
  test.each(GROUPS)('%s', async (_group, faults, timeoutMs) => {
    const sites = sitesOf(faults);
    const server = await serve(async (request) => {
      const site = sites[new URL(request.url).hostname];
      return site ? site(request) : new Response('no such host', { status: 421 });
    });
    try {
      const domains = faults.map(({ host }) => `http://${host}:${server.port}`);
      const outcomes = await crawl(domains, {
        lookup: server.lookup,
        unsafe: overLoopback,
        http: { timeoutMs, retries: 0 },
      });
      // What is refused elsewhere for being 127.0.0.1 is allowed here.
      const isLoopback = ({ name }: NamedFault) =>
        /^entry-.*(?:127|0x7f|2130706433|localhost|7f00:1)/.test(name);
      expectPromised(
        outcomes.filter((_outcome, n) => !isLoopback(faults[n] as NamedFault)),
        faults.filter((fault) => !isLoopback(fault)),
      );
    } finally {
      await server.close();
    }
  });

  test('of a generated internet', async () => {
    const internet = createInternet({ providers: 150, faulty: 0.5 });
    const server = await serve(internet.handle);
    try {
      const outcomes = await crawl(
        internet.domains.map((domain) => `http://${domain}:${server.port}`),
        { lookup: server.lookup, unsafe: overLoopback, http: { timeoutMs: 60_000, retries: 0 } },
      );
      const seen = outcomes.map(({ status, code, skills, rejected }) => ({
        status,
        code,
        rejectedCode: rejected[0]?.code,
        skills: skills.map(({ id, capability_type, access }) => ({ id, capability_type, access })),
      }));
      expect(seen).toEqual(internet.domains.map(internet.expectation));
    } finally {
      await server.close();
    }
  });
});

describe('over msw, a client reports what is promised', () => {
  const msw = useMswInternet();

  test.each(GROUPS)('%s', async (_group, faults, timeoutMs) => {
    msw.mount(sitesOf(faults));
    const domains = faults.map(({ host }) => host);
    expectPromised(await crawl(domains, { http: { timeoutMs, retries: 0 } }), faults);
  });
});
