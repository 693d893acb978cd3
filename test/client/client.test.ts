import { describe, expect, it } from 'vitest';
import { createProvider, type MockSite, validDescriptor } from '../../mocks/index.ts';
import { type CrawlEvent, createMemoryStore, type SkillRecord } from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientOver, idsOf, providerOf, siteOf } from './support.ts';

describe('crawl', () => {
  it('gives the events of each domain together, its provider event last, and the report at the end', async () => {
    const a = providerOf('a.example', ['one', 'two']);
    await using client = clientOver(siteOf(a));
    const seen: string[] = [];
    for await (const event of client.crawl(['a.example', 'none.example'])) {
      if (event.type === 'skill') seen.push(`skill ${event.record.id}`);
      if (event.type === 'provider') seen.push(`provider ${event.outcome.domain} ${event.outcome.status}`);
      if (event.type === 'done') seen.push(`done ${event.report.providers.total}`);
    }
    expect(seen).toHaveLength(5);
    expect(seen.at(-1)).toBe('done 2');
    const a1 = seen.indexOf('skill one');
    expect(seen.slice(a1, a1 + 3)).toEqual(['skill one', 'skill two', 'provider a.example ok']);
  });

  it('has stored a skill by the time it tells of it', async () => {
    await using client = clientOver(siteOf(providerOf('a.example', ['one'])));
    for await (const event of client.crawl(['a.example'])) {
      if (event.type === 'skill') expect(await client.get(event.record)).toMatchObject({ id: 'one' });
    }
  });

  it('tells an observer the same events, of discover too', async () => {
    const observed: CrawlEvent[] = [];
    await using client = clientOver(siteOf(providerOf('a.example', ['one'])), {
      onEvent: (event) => observed.push(event),
    });
    const events: CrawlEvent[] = [];
    for await (const event of client.crawl(['a.example'])) events.push(event);
    expect(observed).toEqual(events);
    await client.discover('a.example');
    expect(observed.slice(events.length).map(({ type }) => type)).toEqual(['skill', 'provider']);
  });

  it('serialises to plain JSON', async () => {
    await using client = clientOver(siteOf(providerOf('a.example', ['one'])));
    const report = await client.crawlAll(['a.example', 'nope nope'], { outcomes: true });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('hands out records that are plain data', async () => {
    const observed: SkillRecord[] = [];
    const given: SkillRecord[] = [];
    const sites = siteOf(providerOf('a.example', ['one']));
    await using watched = clientOver(sites, {
      onEvent: (event) => void (event.type === 'skill' && observed.push(event.record)),
    });
    await watched.crawlAll(['a.example']);
    await using client = clientOver(sites);
    for await (const event of client.crawl(['a.example']))
      if (event.type === 'skill') given.push(event.record);
    given.push(...(await client.discover('a.example')).skills);
    const { outcomes = [] } = await client.crawlAll(['a.example'], { outcomes: true });
    given.push(...outcomes.flatMap(({ skills }) => skills));
    expect([observed.length, given.length]).toEqual([1, 3]);
    for (const record of [...observed, ...given]) {
      expect(Object.getOwnPropertyDescriptor(record, 'descriptor')).toEqual({
        value: validDescriptor({ id: 'one' }),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  });

  it('keeps outcomes only when asked to', async () => {
    await using client = clientOver({});
    expect(await client.crawlAll(['a.example'])).not.toHaveProperty('outcomes');
    expect((await client.crawlAll(['a.example'], { outcomes: true })).outcomes).toHaveLength(1);
  });

  it('says what a bounded store pushed out', async () => {
    // Each of these skills takes a little more than 20,000 bytes.
    const skills = ['one', 'two'].map((id) => validDescriptor({ id, description: 'x'.repeat(10_000) }));
    const providers = ['a', 'b', 'c'].map((name) => providerOf(`${name}.example`, [], { skills }));
    await using client = clientOver(siteOf(...providers), {
      store: createMemoryStore({ maxBytes: 110_000 }),
    });
    const report = await client.crawlAll(providers.map(({ domain }) => domain));
    expect(report.evicted).toEqual({ providers: 1, skills: 2 });
    expect((await client.find({ total: true })).total).toBe(4);
    expect(await client.crawlAll([])).not.toHaveProperty('evicted');
  });

  it.each([
    ['one string', 'a.example'],
    ['nothing', undefined],
    ['a number', 7],
  ])('refuses %s for domains', async (_, domains) => {
    await using client = clientOver({});
    await expect(client.crawlAll(domains as never)).rejects.toThrow(
      new TypeError('domains: expected an iterable or async iterable of domain names'),
    );
    await expect(client.crawl(domains as never).next()).rejects.toThrow(TypeError);
  });

  it('refuses a cache mode that does not exist', async () => {
    await using client = clientOver({});
    const options = { cacheMode: 'reload' as never };
    await expect(client.discover('a.example', options)).rejects.toThrow(/^cacheMode:/);
    await expect(client.crawlAll(['a.example'], options)).rejects.toThrow(/^cacheMode:/);
  });
});

describe('what is stored over time', () => {
  it('[I4] is removed when a good index no longer lists it, not when the look failed', async () => {
    const clock = createManualClock();
    const provider = providerOf('a.example', ['one', 'two']);
    let down = false;
    const handle: MockSite = (request) =>
      down ? Promise.resolve(new Response(null, { status: 404 })) : provider.handle(request);
    await using client = clientOver({ 'a.example': handle }, { clock, http: { retries: 0 } });
    await client.discover('a.example');
    expect((await client.find()).records.map(({ stale }) => stale)).toEqual([false, false]);

    down = true;
    await client.discover('a.example', { cacheMode: 'refresh' });
    expect(idsOf((await client.find()).records)).toEqual(['one', 'two']);

    down = false;
    provider.setSkills([validDescriptor({ id: 'two' })]);
    await client.discover('a.example', { cacheMode: 'refresh' });
    expect(idsOf((await client.find()).records)).toEqual(['two']);
  });

  it('[C3] becomes stale when its time is up, and says so', async () => {
    const clock = createManualClock();
    await using client = clientOver(
      siteOf(providerOf('a.example', ['one'], { cacheControl: 'max-age=60' })),
      { clock },
    );
    await client.discover('a.example');
    await clock.advance(59_999);
    expect((await client.find({ freshness: 'fresh' })).records).toMatchObject([{ stale: false }]);
    await clock.advance(1);
    expect((await client.find({ freshness: 'fresh' })).records).toEqual([]);
    expect((await client.find({ freshness: 'stale' })).records).toMatchObject([{ stale: true }]);
  });

  it('[C18] keeps what a credential opened apart from what everybody sees', async () => {
    const provider = createProvider({
      domain: 'a.example',
      name: 'A',
      skills: [validDescriptor({ id: 'open' }), validDescriptor({ id: 'secret', access: 'private' })],
      token: 'key',
    });
    const store = createMemoryStore();
    await using team = clientOver(siteOf(provider), {
      store,
      credentials: { 'https://a.example': { bearer: 'key', label: 'team' } },
    });
    expect(idsOf((await team.discover('a.example')).skills)).toEqual(['open', 'secret']);
    expect(idsOf((await team.find()).records)).toEqual(['open']);
    expect(idsOf((await team.find({ access: 'private' })).records)).toEqual(['secret']);
    expect(await team.get({ domain: 'a.example', id: 'secret' })).toBeUndefined();
    expect(await team.get({ domain: 'a.example', id: 'secret', includePrivate: true })).toMatchObject({
      view: 'team',
    });

    // What anonymous callers are not shown, an anonymous look cannot remove.
    await using anonymous = clientOver(siteOf(provider), { store });
    expect(idsOf((await anonymous.discover('a.example')).skills)).toEqual(['open']);
    expect(idsOf((await anonymous.find({ includePrivate: true })).records)).toEqual(['open', 'secret']);
  });

  it('[I1] keeps the same id under two domains as two records', async () => {
    await using client = clientOver(siteOf(providerOf('a.example', ['x']), providerOf('b.example', ['x'])));
    await client.crawlAll(['b.example', 'a.example']);
    expect((await client.find()).records.map(({ domain }) => domain).sort()).toEqual([
      'a.example',
      'b.example',
    ]);
  });

  it('is not written by fetchDescriptor', async () => {
    const provider = providerOf('a.example', ['one']);
    await using client = clientOver(siteOf(provider));
    const outcome = await client.fetchDescriptor('https://a.example/skills/one.json?utm=1');
    expect(outcome).toMatchObject({
      status: 'ok',
      url: 'https://a.example/skills/one.json',
      descriptor: { id: 'one' },
    });
    expect((await client.find()).records).toEqual([]);
    expect(await client.fetchDescriptor('file:///etc/passwd')).toMatchObject({
      code: 'URL_REFUSED',
      requests: 0,
    });
    expect(await client.fetchDescriptor('https://a.example/nothing')).toMatchObject({
      code: 'SKILL_NOT_FOUND',
    });
  });
});

describe('close', () => {
  it('leaves a store that was passed in open', async () => {
    const store = createMemoryStore();
    const client = clientOver(siteOf(providerOf('a.example', ['one'])), { store });
    await client.discover('a.example');
    await client.close();
    await using other = clientOver({}, { store });
    expect((await other.find()).records).toHaveLength(1);
  });
});
