import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type MockSite, validDescriptor } from '../../mocks/index.ts';
import type { Client, ClientOptions, CrawlReport, ProviderOutcome } from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientOver, providerOf, siteOf } from './support.ts';

const DOMAINS = ['a.example', 'b.example'];

/** A site that can fail, of everything or of its descriptors. */
function world() {
  const providers = DOMAINS.map((domain) =>
    providerOf(domain, ['one', 'two'], { cacheControl: 'max-age=60' }),
  );
  const broken = { all: false, descriptors: false };
  const failing = (site: MockSite): MockSite => {
    return (request) => {
      const isDescriptor = request.url.includes('/skills/');
      if (broken.all || (broken.descriptors && isDescriptor))
        return Promise.resolve(new Response(null, { status: 500 }));
      return site(request);
    };
  };
  const sites = Object.fromEntries(
    Object.entries(siteOf(...providers)).map(([host, site]) => [host, failing(site)]),
  );
  return { providers, broken, sites };
}

function spoil(given: ProviderOutcome): void {
  for (const list of [
    given.warnings,
    given.rejected,
    given.redirects,
    ...given.skills.map((skill) => skill.warnings),
  ])
    list.push('x' as never);
  for (const part of [given.provider, given.documents, given.skills[0], given.skills[0]?.descriptor])
    for (const key of Object.keys(part ?? {})) Reflect.set(part ?? {}, key, 'x');
}

/** What is repeated comes before what is looked at. */
const inOrder = ({ outcomes = [], ...report }: CrawlReport) => ({
  ...report,
  outcomes: outcomes.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)),
});

describe('looks that can be repeated', () => {
  const skills = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('one', 'two', 'three'),
      description: fc.constantFrom('Translates.', 'Draws.', 'Speaks as another\u202e.'),
      access: fc.constantFrom('public' as const, 'restricted' as const, 'private' as const),
      version: fc.constantFrom('1.0.0', '1.1.0'),
    }),
    { selector: ({ id }) => id, maxLength: 3 },
  );
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('crawl' as const),
        cacheMode: fc.constantFrom('use' as const, 'use' as const, 'refresh' as const, 'bypass' as const),
      }),
    },
    fc.record({ kind: fc.constantFrom('refresh' as const) }),
    fc.record({ kind: fc.constantFrom('discover' as const) }),
    fc.record({ kind: fc.constantFrom('dry run' as const) }),
    fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 30_000, 59_999, 60_000, 100_000),
    }),
    fc.record({ kind: fc.constant('set back' as const) }),
    fc.record({ kind: fc.constant('publish' as const), provider: fc.nat(1), skills }),
    fc.record({ kind: fc.constant('break' as const), all: fc.boolean(), descriptors: fc.boolean() }),
  );

  it('come out like others, whatever happens in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 10 }), async (steps) => {
        const clock = createManualClock();
        const { providers, broken, sites } = world();
        const own = {
          clock,
          http: { retries: 0 },
          cache: { staleIfErrorMs: 90_000 },
        } satisfies ClientOptions;
        await using repeating = clientOver(sites, own);
        // What a function allows is asked anew for each look.
        await using looking = clientOver(sites, { ...own, descriptorOrigins: () => true });
        const both = async <T>(ask: (client: Client) => Promise<T>) =>
          expect(await ask(repeating)).toEqual(await ask(looking));
        const crawled = async (ask: (client: Client) => Promise<CrawlReport>) => {
          await both(async (client) => inOrder(await ask(client)));
          await both((client) => client.find({ includePrivate: true, include: 'descriptor' }));
          await both((client) => client.status());
          await both(async (client) => new Set((await client.changes({ includePrivate: true })).records));
        };

        await crawled((client) => client.crawlAll(DOMAINS));
        for (const each of steps) {
          if (each.kind === 'wait') await clock.advance(each.ms);
          if (each.kind === 'set back') clock.set(clock.now() - 10_000);
          if (each.kind === 'break') Object.assign(broken, each);
          if (each.kind === 'publish') providers[each.provider]?.setSkills(each.skills.map(validDescriptor));
          if (each.kind === 'refresh') await crawled((client) => client.refresh({ outcomes: true }));
          if (each.kind === 'discover') await both((client) => client.discover('a.example'));
          if (each.kind === 'dry run')
            await crawled((client) => client.crawlAll(DOMAINS, { outcomes: true, dryRun: true }));
          if (each.kind === 'crawl') {
            const { cacheMode } = each;
            await crawled((client) => client.crawlAll(DOMAINS, { outcomes: true, cacheMode }));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('cost nothing, and say so', async () => {
    const { providers, sites } = world();
    await using client = clientOver(sites, { clock: createManualClock() });
    const first = await client.discover('a.example');
    const asked = providers[0]?.requests.length;
    const again = await client.discover('a.example');
    const documents = { miss: 0, hit: 3, revalidated: 0, stale: 0 };
    expect(again).toEqual({ ...first, requests: 0, bytes: 0, cacheStatus: 'hit', documents });
    expect(JSON.stringify(Object.keys(again))).toBe(JSON.stringify(Object.keys(first)));
    expect(providers[0]?.requests).toHaveLength(asked ?? 0);
  });

  it('give each caller its own', async () => {
    await using client = clientOver(world().sites, { clock: createManualClock() });
    spoil(await client.discover('a.example'));
    const pristine = structuredClone(await client.discover('a.example'));
    const stored = (await client.find()).records.map(({ warnings }) => warnings);
    expect(stored.flat()).not.toEqual([]);
    for (let i = 0; i < 2; i++) {
      const given = await client.discover('a.example');
      expect(given).toEqual(pristine);
      spoil(given);
    }
    expect((await client.find()).records.map(({ warnings }) => warnings)).toEqual(stored);
  });

  it('do not do without asking who is there', async () => {
    let isKnown = false;
    const credential = vi.fn(async () => (isKnown ? { bearer: 'token' } : undefined));
    const site = providerOf('a.example', ['one'], { token: 'token' });
    const credentials = { 'https://a.example': credential };
    await using client = clientOver(siteOf(site), { credentials, clock: createManualClock() });
    for (const times of [2, 4]) {
      expect((await client.discover('a.example')).view).toBe('anonymous');
      expect(credential).toHaveBeenCalledTimes(times);
    }
    isKnown = true;
    for (const times of [6, 8]) {
      expect((await client.discover('a.example')).view).not.toBe('anonymous');
      expect(credential).toHaveBeenCalledTimes(times);
    }
  });

  it('end with their caller', async () => {
    await using client = clientOver(world().sites, { clock: createManualClock() });
    await client.discover('a.example');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(client.discover('a.example', { signal })).rejects.toThrow('enough');
  });
});
