import { describe, expect, it } from 'vitest';
import { type MockSite, validDescriptor } from '../../mocks/index.ts';
import type { Change, Client } from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientOver, idsOf, providerOf, siteOf } from './support.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const kindsOf = (changes: Change[]) => changes.map(({ kind, id }) => `${kind} ${id}`);
const allKinds = async (client: Client) => kindsOf((await client.changes()).records);

/** A provider that can be switched off: then it answers 503. */
function switchable(ids: string[], cacheControl = 'max-age=300') {
  const provider = providerOf('a.example', ids, { cacheControl });
  const state = { down: false };
  const handle: MockSite = (request) =>
    state.down ? Promise.resolve(new Response(null, { status: 503 })) : provider.handle(request);
  const clock = createManualClock();
  const client = clientOver(
    { 'a.example': handle },
    { clock, http: { retries: 0 }, cache: { staleIfErrorMs: 0 } },
  );
  const look = () => client.discover('a.example', { cacheMode: 'refresh' });
  return { client, clock, look, provider, state };
}

describe('changes', () => {
  it('tells what was added, changed and removed, from content and not from bytes', async () => {
    const { client, clock, look, provider } = switchable(['one', 'two']);
    const startedAt = clock.now();
    await look();
    await clock.advance(MINUTE);
    const [one] = provider.skills;
    // The same document with its members in another order.
    provider.setSkills([
      Object.fromEntries(Object.entries(one as object).reverse()) as never,
      validDescriptor({ id: 'two' }),
    ]);
    await look();
    expect(await allKinds(client)).toEqual(['added one', 'added two']);

    await clock.advance(MINUTE);
    provider.setSkills([validDescriptor({ id: 'one', description: 'Another.', tags: ['new'] })]);
    await look();
    const { records } = await client.changes({ since: startedAt + 1 });
    expect(records).toEqual([
      { at: startedAt + 2 * MINUTE, kind: 'removed', domain: 'a.example', id: 'two' },
      {
        at: startedAt + 2 * MINUTE,
        kind: 'changed',
        domain: 'a.example',
        id: 'one',
        members: expect.arrayContaining([
          { field: '/description', old: 'Translates text between 40 languages.', new: 'Another.' },
          { field: '/descriptor/description', old: 'Translates text between 40 languages.', new: 'Another.' },
          { field: '/descriptor/tags', new: ['new'] },
        ]),
      },
    ]);
    await client.close();
  });

  it('tells what became unreachable and came back, once each', async () => {
    const { client, clock, look, state } = switchable(['one']);
    await look();
    state.down = true;
    await clock.advance(MINUTE);
    const lostAt = clock.now();
    await look();
    await clock.advance(MINUTE);
    await look();
    expect((await client.find()).records).toMatchObject([
      { id: 'one', stale: true, unreachableSince: lostAt },
    ]);
    state.down = false;
    await clock.advance(MINUTE);
    await look();
    expect((await client.find()).records[0]).toMatchObject({ stale: false });
    expect((await client.find()).records[0]).not.toHaveProperty('unreachableSince');
    expect(await allKinds(client)).toEqual(['added one', 'unreachable one', 'back one']);
    await client.close();
  });

  it('calls a skill unreachable whose last good copy stands in for a failed refresh', async () => {
    const provider = providerOf('a.example', ['one']);
    let isLost = false;
    const handle: MockSite = (request) =>
      isLost && !request.url.endsWith('skill-sharing')
        ? Promise.resolve(new Response(null, { status: 503 }))
        : provider.handle(request);
    await using client = clientOver({ 'a.example': handle }, { http: { retries: 0 } });
    await client.discover('a.example');
    isLost = true;
    const { skills } = await client.discover('a.example', { cacheMode: 'refresh' });
    expect(skills[0]?.warnings.map(({ code }) => code)).toContain('REFRESH_FAILED');
    expect(await allKinds(client)).toEqual(['added one', 'unreachable one']);
  });

  it('removes what was unreachable for too long, and knows it again for as long', async () => {
    const { client, clock, look, provider, state } = switchable(['one', 'two']);
    await look();
    provider.setSkills([validDescriptor({ id: 'one' })]);
    await look();
    state.down = true;
    await look();
    await clock.advance(30 * DAY);
    await look();
    expect(idsOf((await client.find()).records)).toEqual(['one']);
    await clock.advance(1);
    await look();
    expect((await client.find()).records).toEqual([]);
    state.down = false;
    provider.setSkills([validDescriptor({ id: 'one' }), validDescriptor({ id: 'two' })]);
    await clock.advance(MINUTE);
    await look();
    // Whatever happened longer ago than that is forgotten: "two" was removed before.
    expect(await allKinds(client)).toEqual(['removed one', 'back one', 'added two']);
    await client.close();
  });

  it('tells listeners as soon as it is stored, of private skills only those who ask', async () => {
    const provider = providerOf('a.example', ['open'], { token: 'key' });
    provider.setSkills([...provider.skills, validDescriptor({ id: 'secret', access: 'private' })]);
    await using client = clientOver(siteOf(provider), {
      credentials: { 'https://a.example': { bearer: 'key' } },
    });
    const [heard, all]: [Change[], Change[]] = [[], []];
    const stop = client.subscribe((change) => heard.push(change));
    client.subscribe((change) => all.push(change), { includePrivate: true });
    await client.discover('a.example');
    expect(kindsOf(heard)).toEqual(['added open']);
    expect(kindsOf(all)).toEqual(['added open', 'added secret']);
    expect(await allKinds(client)).toEqual(['added open']);
    expect(kindsOf((await client.changes({ includePrivate: true })).records)).toEqual([
      'added open',
      'added secret',
    ]);
    stop();
    provider.setSkills([]);
    await client.discover('a.example', { cacheMode: 'refresh' });
    expect(heard).toHaveLength(1);
  });

  it('ends the call with what a listener throws', async () => {
    await using client = clientOver(siteOf(providerOf('a.example', ['one'])));
    client.subscribe(() => {
      throw new Error('the listener broke');
    });
    await expect(client.discover('a.example')).rejects.toThrow('the listener broke');
  });

  it('leads from page to page', async () => {
    await using client = clientOver(siteOf(providerOf('a.example', ['one', 'two', 'three'])));
    await client.discover('a.example');
    const first = await client.changes({ limit: 2 });
    const second = await client.changes({ limit: 2, cursor: first.nextCursor as string });
    expect([...kindsOf(first.records), ...kindsOf(second.records)]).toEqual([
      'added one',
      'added two',
      'added three',
    ]);
    expect(second.nextCursor).toBeUndefined();
  });
});

describe('a dry run', () => {
  it('reports what would change, and stores nothing', async () => {
    const provider = providerOf('a.example', ['one', 'two']);
    await using client = clientOver(siteOf(provider));
    const first = await client.crawlAll(['a.example'], { dryRun: true });
    expect(kindsOf(first.changes ?? [])).toEqual(['added one', 'added two']);
    expect((await client.find()).records).toEqual([]);
    expect((await client.status()).records).toEqual([]);

    expect(await client.crawlAll(['a.example'])).not.toHaveProperty('changes');
    provider.setSkills([validDescriptor({ id: 'one', name: 'Other' })]);
    provider.requests.length = 0;
    const second = await client.crawlAll(['a.example'], { dryRun: true });
    expect(provider.requests.length).toBe(2);
    expect(kindsOf(second.changes ?? [])).toEqual(['removed two', 'changed one']);
    expect(second.changes?.[1]?.members).toContainEqual({ field: '/name', old: 'Translate', new: 'Other' });
    expect(idsOf((await client.find()).records)).toEqual(['one', 'two']);
    expect(await allKinds(client)).toEqual(['added one', 'added two']);
  });

  it('says nothing of private skills', async () => {
    const provider = providerOf('a.example', [], { token: 'key' });
    provider.setSkills([validDescriptor({ id: 'secret', access: 'private' })]);
    await using client = clientOver(siteOf(provider), {
      credentials: { 'https://a.example': { bearer: 'key' } },
    });
    const report = await client.crawlAll(['a.example'], { dryRun: true });
    expect(report).toMatchObject({ skills: { accepted: 1 }, changes: [] });
  });
});

describe('status', () => {
  it('tells how the last look ended, how often looks succeeded, and when the next is due', async () => {
    const { client, clock, look, state } = switchable(['one', 'two']);
    await look();
    const goodAt = clock.now();
    expect((await client.status()).records).toEqual([
      {
        domain: 'a.example',
        status: 'ok',
        lookedAt: goodAt,
        goodAt,
        dueAt: goodAt + 300_000,
        successes: 1,
        failures: 0,
        failuresInRow: 0,
        skills: 2,
      },
    ]);
    state.down = true;
    await clock.advance(300_000);
    const lostAt = clock.now();
    await look();
    await clock.advance(MINUTE);
    await look();
    expect((await client.status({ domain: 'a.example' })).records).toEqual([
      {
        domain: 'a.example',
        status: 'failed',
        code: 'SERVER_ERROR',
        message: expect.any(String),
        lookedAt: clock.now(),
        goodAt,
        unreachableSince: lostAt,
        dueAt: clock.now() + 2 * 300_000,
        successes: 1,
        failures: 2,
        failuresInRow: 2,
        skills: 2,
      },
    ]);
    await client.close();
  });

  it('lists what is due, the most overdue first', async () => {
    const clock = createManualClock();
    const providers = [300, 100, 900].map((age, i) =>
      providerOf(`${'abc'[i]}.example`, ['x'], { cacheControl: `max-age=${age}` }),
    );
    await using client = clientOver(siteOf(...providers), { clock });
    await client.crawlAll(['a.example', 'b.example', 'c.example', 'd.example']);
    const due = async () => (await client.status({ due: true })).records.map(({ domain }) => domain);
    expect(await due()).toEqual([]);
    await clock.advance(300_000);
    expect(await due()).toEqual(['b.example', 'a.example']);
  });
});

describe('refresh', () => {
  it('costs one conditional request where nothing has changed', async () => {
    const { client, clock, look, provider } = switchable(['one', 'two', 'three']);
    await look();
    provider.requests.length = 0;
    expect(await client.refresh()).toMatchObject({ providers: { total: 0 }, requests: 0 });
    await clock.advance(300_000);
    expect((await client.find({ freshness: 'fresh' })).records).toEqual([]);
    expect(await client.refresh()).toMatchObject({ providers: { total: 1, ok: 1 }, requests: 1 });
    expect(provider.requests).toMatchObject([{ path: '/.well-known/skill-sharing', status: 304 }]);
    expect((await client.find({ freshness: 'fresh' })).records).toHaveLength(3);
    expect(await client.refresh()).toMatchObject({ providers: { total: 0 }, requests: 0 });
    await client.close();
  });

  it('asks for descriptors again once a day, whatever the index vouches for', async () => {
    const { client, clock, look, provider } = switchable(['one']);
    await look();
    for (let passed = 0; passed < DAY; passed += 300_000) {
      await clock.advance(300_000);
      await client.refresh();
    }
    expect(provider.requests.filter(({ path }) => path.startsWith('/skills/'))).toHaveLength(1);
    await clock.advance(300_000);
    await client.refresh();
    expect(provider.requests.filter(({ path }) => path.startsWith('/skills/'))).toHaveLength(2);
    await client.close();
  });

  it('asks for whatever the index says has changed', async () => {
    const { client, clock, look, provider } = switchable(['one', 'two']);
    await look();
    await clock.advance(300_000);
    provider.setSkills([validDescriptor({ id: 'one', version: '2.0.0' }), validDescriptor({ id: 'two' })]);
    await client.refresh();
    expect(await client.get({ domain: 'a.example', id: 'one' })).toMatchObject({ version: '2.0.0' });
    await client.close();
  });

  it('with all looks at everybody, due or not, and asks for every document', async () => {
    const { client, look, provider } = switchable(['one', 'two']);
    await look();
    provider.requests.length = 0;
    provider.setSkills([
      validDescriptor({ id: 'one', inputs: [{ name: 'other' }] }),
      validDescriptor({ id: 'two' }),
    ]);
    expect(await client.refresh({ all: true })).toMatchObject({ requests: 3 });
    expect(provider.requests.map(({ status }) => status).sort()).toEqual([200, 304, 304]);
    expect((await client.changes()).records.at(-1)).toMatchObject({ kind: 'changed', id: 'one' });
    await client.close();
  });

  it('goes on where it was interrupted', async () => {
    const clock = createManualClock();
    const providers = Array.from({ length: 60 }, (_, i) => providerOf(`p${i}.example`, ['x']));
    const controller = new AbortController();
    let looks = 0;
    await using client = clientOver(siteOf(...providers), {
      clock,
      concurrency: { providers: 1 },
      onEvent: ({ type }) => {
        if (type === 'provider' && ++looks === 63) controller.abort(new Error('enough'));
      },
    });
    await client.crawlAll(providers.map(({ domain }) => domain));
    await clock.advance(300_000);
    await expect(client.refresh({ signal: controller.signal })).rejects.toThrow('enough');
    const { records } = await client.status({ due: true, limit: 100 });
    expect(records.length).toBeGreaterThan(0);
    expect(records.length).toBeLessThan(60);
    expect(await client.refresh()).toMatchObject({ providers: { total: records.length } });
    expect((await client.status({ due: true })).records).toEqual([]);
  });

  it('leaves a failing provider alone for longer each time', async () => {
    const { client, clock, look, state } = switchable(['one']);
    await look();
    state.down = true;
    const waits: number[] = [];
    for (let failures = 0; failures < 11; failures++) {
      const [{ dueAt = 0 } = {}] = (await client.status()).records;
      await clock.advance(dueAt - clock.now());
      await client.refresh();
      const [after] = (await client.status()).records;
      waits.push(((after?.dueAt ?? 0) - clock.now()) / MINUTE);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
    await client.close();
  });

  it.each([
    ['all', { all: 1 }],
    ['outcomes', { outcomes: 'yes' }],
    ['signal', { signal: 'stop' }],
    ['due', { due: true }],
  ])('refuses a wrong %s', async (name, options) => {
    await using client = clientOver({});
    await expect(client.refresh(options as never)).rejects.toThrow(new RegExp(`^${name}: `));
  });
});

describe('a clock that was ahead', () => {
  const HOUR = 60 * MINUTE;

  it.each([
    ['a year', 365 * DAY],
    ['two hours', 2 * HOUR],
  ])('by %s keeps nothing from being seen anew', async (_, ahead) => {
    const { client, clock, look, provider, state } = switchable(['one', 'two']);
    const time = clock.now();
    clock.set(time + ahead);
    await look();
    clock.set(time);
    provider.setSkills([validDescriptor({ id: 'one', description: 'Another.' })]);
    await look();
    const { records } = await client.find();
    expect(records).toMatchObject([{ id: 'one', description: 'Another.', fetchedAt: time }]);
    expect((await client.status()).records).toMatchObject([{ lookedAt: time, dueAt: time + 5 * MINUTE }]);

    state.down = true;
    clock.set(time + ahead);
    await look();
    clock.set(time + MINUTE);
    await look();
    expect((await client.find()).records).toMatchObject([{ stale: true, unreachableSince: time + MINUTE }]);
    expect((await client.status()).records).toMatchObject([{ unreachableSince: time + MINUTE }]);
    await client.close();
  });

  it('by a little is newer than a look that took long', async () => {
    const { client, clock, look, provider } = switchable(['one']);
    const time = clock.now();
    clock.set(time + HOUR);
    await look();
    clock.set(time);
    provider.setSkills([validDescriptor({ id: 'one', description: 'Another.' })]);
    await look();
    expect((await client.find()).records).toMatchObject([{ fetchedAt: time + HOUR }]);
    await client.close();
  });
});
