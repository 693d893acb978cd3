import { describe, expect, it } from 'vitest';
import { validIndex } from '../../mocks/documents.ts';
import {
  type CrawlContext,
  crawlDomains,
  descriptorCheck,
  discoverDomain,
  indexCheck,
} from '../../src/crawl/index.ts';
import type { GetRequest } from '../../src/transport/index.ts';
import { deferred, settle } from '../support/deferred.ts';
import { createFakeGet } from '../support/fake-get.ts';
import { createManualClock } from '../support/manual-clock.ts';

const emptyIndex = { body: { ...validIndex(), skills: [] } };
const hostOf = ({ url }: GetRequest<unknown>) => new URL(url).host;

function setUp(
  answer: (request: GetRequest<unknown>) => Promise<typeof emptyIndex> = async () => emptyIndex,
  providers = 4,
) {
  const clock = createManualClock();
  const checks = { protocolVersion: '1.0.0', maxDepth: 64 };
  const asked: string[] = [];
  const context: CrawlContext = {
    get: (request) => {
      asked.push(hostOf(request as GetRequest<unknown>));
      return createFakeGet({ [request.url]: answer }).get(request);
    },
    judgeTarget: () => undefined,
    clock,
    indexCheck: indexCheck(checks),
    descriptorCheck: descriptorCheck(checks),
    descriptorOrigins: 'same-site',
    limits: { maxSkillsPerIndex: 10, maxRequestsPerDomain: 10, maxBytesPerDomain: 1e6, maxMsPerDomain: 1000 },
    providers,
    descriptorsAtOnce: 1,
  };
  const controller = new AbortController();
  const options = { cacheMode: 'use' as const, signal: controller.signal };
  const crawl = (domains: Iterable<string> | AsyncIterable<string>) =>
    crawlDomains(context, domains, options);
  const crawlAll = async (domains: Iterable<string> | AsyncIterable<string>) => {
    const found: string[] = [];
    for await (const { outcome } of crawl(domains))
      found.push(`${outcome.domain} ${outcome.code ?? outcome.status}`);
    return found.sort();
  };
  return { clock, context, controller, options, asked, crawl, crawlAll };
}

const hanging = ({ signal }: GetRequest<unknown>) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

describe('crawlDomains', () => {
  it('[A13] looks at each distinct domain once, however it is spelt', async () => {
    const { crawlAll, asked } = setUp();
    const found = await crawlAll([
      'Example.test',
      'https://example.test',
      'https://example.test:443/',
      'example.test.',
      'b.test',
    ]);
    expect(found).toEqual(['b.test ok', 'example.test ok']);
    expect(asked.sort()).toEqual(['b.test', 'example.test']);
  });

  it('gives an outcome for what is no domain', async () => {
    const { crawlAll, asked } = setUp();
    const found = await crawlAll(['a.test/tenant', '', 'ok.test', 'a.test/tenant']);
    expect(found).toEqual([' INVALID_DOMAIN', 'a.test/tenant INVALID_DOMAIN', 'ok.test ok']);
    expect(asked).toEqual(['ok.test']);
  });

  it('takes no more domains from the source than it can work on', async () => {
    const { crawl } = setUp(undefined, 3);
    let taken = 0;
    function* endless() {
      for (;;) {
        taken += 1;
        yield `d${taken}.test`;
      }
    }
    let seen = 0;
    for await (const _ of crawl(endless())) {
      seen += 1;
      await settle();
      expect(taken - seen).toBeLessThanOrEqual(3);
      if (seen === 10) break;
    }
    expect(seen).toBe(10);
  });

  it('yields what is ready while the source and other domains keep it waiting', async () => {
    const more = deferred();
    const { crawl } = setUp((request) =>
      hostOf(request) === 'slow.test' ? hanging(request) : Promise.resolve(emptyIndex),
    );
    let closed = false;
    async function* source() {
      try {
        yield 'slow.test';
        yield 'quick.test';
        await more.promise;
        yield 'late.test';
      } finally {
        closed = true;
      }
    }
    const results = crawl(source());
    expect((await results.next()).value?.outcome.domain).toBe('quick.test');
    more.resolve();
    expect((await results.next()).value?.outcome.domain).toBe('late.test');
    await results.return();
    expect(closed).toBe(true);
  });

  it('closes the source and aborts what runs when the loop is left', async () => {
    const aborted: string[] = [];
    const { crawl } = setUp((request) => {
      if (hostOf(request) === 'first.test') return Promise.resolve(emptyIndex);
      request.signal?.addEventListener('abort', () => aborted.push(hostOf(request)));
      return hanging(request);
    });
    let closed = false;
    function* source() {
      try {
        for (const domain of ['first.test', 'a.test', 'b.test', 'c.test', 'd.test']) yield domain;
      } finally {
        closed = true;
      }
    }
    for await (const _ of crawl(source())) break;
    expect(closed).toBe(true);
    expect(aborted.length).toBeGreaterThan(0);
  });

  it('[F11] rejects with the reason of an abort, from any state, and leaves no timer', async () => {
    const { crawl, controller, clock } = setUp(hanging);
    const next = crawl(['a.test', 'b.test']).next();
    await settle();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(clock.sleepers).toBe(0);
    await expect(crawl(['c.test']).next()).rejects.toThrow('enough');
  });

  it('passes on what the source throws, after what was under way has ended', async () => {
    const { crawlAll, clock } = setUp();
    async function* broken() {
      yield 'a.test';
      throw new Error('the list broke off');
    }
    await expect(crawlAll(broken())).rejects.toThrow('the list broke off');
    expect(clock.sleepers).toBe(0);
  });

  it('lets others have their turn within a source of nothing but duplicates', async () => {
    const { crawlAll, clock } = setUp();
    const crawl = crawlAll(Array.from({ length: 1001 }, () => 'a.test'));
    await settle();
    expect(clock.sleepers).toBe(1);
    await clock.advance(0);
    expect(await crawl).toEqual(['a.test ok']);
  });

  it('does not look at what a source gives after the abort', async () => {
    const late = deferred<string>();
    const { crawl, controller, asked } = setUp();
    async function* source() {
      yield await late.promise;
    }
    const next = crawl(source()).next();
    await settle();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    late.resolve('late.test');
    await settle();
    expect(asked).toEqual([]);
  });

  it('names the type of an input that is no string', async () => {
    const { crawlAll } = setUp();
    expect(await crawlAll([7 as unknown as string])).toEqual(['number INVALID_DOMAIN']);
  });

  it('passes on what breaks in the network port, and leaves no timer', async () => {
    const { crawlAll, clock } = setUp(() => Promise.reject(new Error('a bug')));
    await expect(crawlAll(['a.test'])).rejects.toThrow('a bug');
    expect(clock.sleepers).toBe(0);
  });

  it('ends at once for an empty source', async () => {
    expect(await setUp().crawlAll([])).toEqual([]);
  });
});

describe('discoverDomain', () => {
  it('gives an outcome for what is no domain, cut to a bounded length', async () => {
    const { context, options } = setUp();
    const { outcome } = await discoverDomain(context, `a b${'x'.repeat(9999)}`, options);
    expect(outcome).toMatchObject({ status: 'failed', code: 'INVALID_DOMAIN', requests: 0 });
    expect(outcome.domain).toHaveLength(512);
  });
});
