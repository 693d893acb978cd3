import { describe, expect, it } from 'vitest';
import { validDescriptor, validEntry, validIndex } from '../../mocks/documents.ts';
import type { CrawlContext } from '../../src/crawl/context.ts';
import { discoverProvider } from '../../src/crawl/discover-provider.ts';
import { descriptorCheck, indexCheck, KnownLooks } from '../../src/crawl/index.ts';
import { parseDomain, type SkillDescriptor, type SkillIndexEntry } from '../../src/protocol/index.ts';
import type { Check } from '../../src/transport/index.ts';
import { deferred, settle } from '../support/deferred.ts';
import { createFakeGet, type FakeRoute } from '../support/fake-get.ts';
import { createManualClock } from '../support/manual-clock.ts';

const INDEX_URL = 'https://a.example/.well-known/skill-sharing';
const urlOf = (id: string) => `https://a.example/${id}.json`;
const entryOf = ({ id, name, capability_type, description, access, version }: SkillDescriptor) =>
  validEntry({ id, name, capability_type, description, access, version, descriptor_url: urlOf(id) });
const skill = (id: string, overrides: Partial<SkillDescriptor> = {}) =>
  validDescriptor({ id, provider: { name: 'A' }, ...overrides });

function setUp(routes: Record<string, FakeRoute>, overrides: Partial<CrawlContext> = {}) {
  const clock = createManualClock();
  const fake = createFakeGet(routes, clock.now);
  const checks = { protocolVersion: '1.0.0', maxDepth: 64 };
  const context: CrawlContext = {
    get: fake.get,
    judgeTarget: (url) =>
      url.hostname === '10.0.0.1' ? { code: 'ADDRESS_REFUSED', message: 'private' } : undefined,
    clock,
    indexCheck: indexCheck(checks),
    descriptorCheck: descriptorCheck(checks),
    descriptorOrigins: 'same-site',
    limits: {
      maxSkillsPerIndex: 100,
      maxRequestsPerDomain: 1000,
      maxBytesPerDomain: 1_000_000,
      maxMsPerDomain: 60_000,
      ...overrides.limits,
    },
    providers: 4,
    descriptorsAtOnce: 4,
    ...overrides,
  };
  const controller = new AbortController();
  const discover = (cacheMode: 'use' | 'refresh' = 'use', revisit?: { vouchMs: number }) =>
    discoverProvider(context, parseDomain('a.example'), {
      cacheMode,
      ...(revisit && { revisit }),
      signal: controller.signal,
    });
  return { ...fake, clock, context, controller, discover };
}

/** A provider with these skills; entries and routes may be replaced. */
function provider(
  skills: SkillDescriptor[],
  entries: unknown[] = skills.map(entryOf),
  index: FakeRoute = {},
) {
  const routes: Record<string, FakeRoute> = {
    [INDEX_URL]: { body: { ...validIndex(), skills: entries }, ...index },
  };
  for (const each of skills) routes[urlOf(each.id)] = { body: each };
  return routes;
}

describe('a good provider', () => {
  it('gives a record for each entry, in the order of the index', async () => {
    const skills = ['c', 'a', 'b'].map((id) => skill(id));
    const { discover, clock } = setUp(provider(skills));
    const { outcome, listed, withdrawn } = await discover();
    expect(outcome).toMatchObject({
      domain: 'a.example',
      status: 'ok',
      rejected: [],
      warnings: [],
      requests: 4,
    });
    expect(outcome.skills.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(outcome.skills[0]).toMatchObject({
      domain: 'a.example',
      view: 'anonymous',
      descriptor: skills[0],
      descriptorUrl: urlOf('c'),
      fetchedAt: clock.now(),
      stale: false,
    });
    expect(listed).toEqual(['c', 'a', 'b']);
    expect(withdrawn).toEqual([]);
  });

  it("hands out documents that are the caller's own, however often they are read", async () => {
    const skills = [skill('a', { tags: ['kept'] })];
    const readings = new Map<string, ReturnType<Check<unknown>>>();
    const { context, discover } = setUp(provider(skills));
    const { get } = context;
    // As a cache does: the value of a check is given out again.
    context.get = (request) =>
      get({
        ...request,
        check: (response) => {
          const known = readings.get(request.url) ?? request.check(response);
          readings.set(request.url, known);
          return known as ReturnType<typeof request.check>;
        },
      });
    const first = (await discover()).outcome;
    for (const { descriptor } of first.skills) {
      descriptor.tags?.push('spoilt');
      descriptor.provider.name = 'spoilt';
    }
    Object.assign(first.provider ?? {}, { name: 'spoilt' });
    const { outcome, accepted } = await discover();
    expect(outcome.skills.map(({ descriptor }) => descriptor)).toEqual(skills);
    expect(outcome.provider).toEqual(validIndex().provider);
    expect(accepted[0]?.content.tags).toEqual(['kept']);
    expect(JSON.parse(JSON.stringify(outcome.skills[0]))).toMatchObject({ id: 'a', descriptor: skills[0] });
  });

  it('gives the same result whatever the order in which descriptors arrive', async () => {
    const skills = ['a', 'b', 'c', 'd'].map((id) => skill(id));
    const routes = provider(skills);
    const gates = skills.map(() => deferred());
    skills.forEach((each, i) => {
      routes[urlOf(each.id)] = async () => {
        await gates[i]?.promise;
        return { body: each };
      };
    });
    const { discover } = setUp(routes);
    const run = discover();
    for (const gate of [...gates].reverse()) {
      gate.resolve();
      await settle();
    }
    expect((await run).outcome.skills.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is fresh for as long as both its documents are', async () => {
    const routes = provider([skill('a')], undefined, { freshUntil: 500 });
    const { discover } = setUp(routes);
    expect((await discover()).outcome.skills[0]?.freshUntil).toBe(500);
  });
});

describe('entries that are no skills', () => {
  it('[B13] rejects one broken entry of fifty with its pointer and keeps the rest', async () => {
    const skills = Array.from({ length: 50 }, (_, i) => skill(`s${i}`));
    const entries: unknown[] = skills.map(entryOf);
    const { access: _, ...broken } = entryOf(skills[6] as SkillDescriptor);
    entries[6] = broken;
    const { discover } = setUp(provider(skills, entries));
    const { outcome } = await discover();
    expect(outcome.status).toBe('partial');
    expect(outcome.skills).toHaveLength(49);
    expect(outcome.rejected).toMatchObject([
      { id: 's6', index: 6, code: 'VALIDATION_ERROR', violations: [{ field: '/skills/6/access' }] },
    ]);
  });

  it('[B15] rejects all entries that share an id, each naming the positions', async () => {
    const skills = [skill('x'), skill('y')];
    const entries = [entryOf(skill('x')), entryOf(skill('y')), { id: 'x' }];
    const { discover, asked } = setUp(provider(skills, entries));
    const { outcome } = await discover();
    expect(outcome.skills.map(({ id }) => id)).toEqual(['y']);
    expect(outcome.rejected).toMatchObject([
      { id: 'x', index: 0, code: 'DUPLICATE_ID', message: 'entries 0, 2 share this id' },
      { id: 'x', index: 2, code: 'DUPLICATE_ID', details: { positions: [0, 2] } },
    ]);
    expect(asked.map(({ url }) => url)).toEqual([INDEX_URL, urlOf('y')]);
  });

  it('rejects a private skill shown to an anonymous caller without reading it, and withdraws it', async () => {
    const { discover, asked } = setUp(provider([skill('p', { access: 'private' })]));
    const { outcome, listed, withdrawn } = await discover();
    expect(outcome.rejected).toMatchObject([{ id: 'p', code: 'PRIVATE_EXPOSED' }]);
    expect(asked).toHaveLength(1);
    expect(listed).toEqual(['p']);
    expect(withdrawn).toEqual(['p']);
  });

  it('takes a private skill that a credential was shown', async () => {
    const { discover } = setUp(provider([skill('p', { access: 'private' })], undefined, { view: 'team' }));
    expect((await discover()).outcome).toMatchObject({
      status: 'ok',
      view: 'team',
      skills: [{ id: 'p', view: 'team' }],
    });
  });

  it('withdraws what the descriptor alone calls private', async () => {
    const published = skill('p');
    const routes = provider([published]);
    routes[urlOf('p')] = { body: { ...published, access: 'private' } };
    const { outcome, withdrawn } = await setUp(routes).discover();
    expect(outcome.rejected).toMatchObject([
      { code: 'DESCRIPTOR_MISMATCH', violations: [{ field: '/access' }] },
    ]);
    expect(withdrawn).toEqual(['p']);
  });

  it.each([
    ['javascript:alert(1)', 'URL_REFUSED'],
    ['https://user:pass@a.example/x', 'URL_REFUSED'],
    ['https://b.example/x.json', 'ORIGIN_REFUSED'],
    ['https://10.0.0.1/x.json', 'ADDRESS_REFUSED'],
    ['https://cdn.a.example/missing.json', 'SKILL_NOT_FOUND'],
  ])('judges the descriptor URL %s as %s', async (descriptor_url, code) => {
    const { discover } = setUp(provider([], [{ ...entryOf(skill('x')), descriptor_url }]));
    expect((await discover()).outcome.rejected).toMatchObject([
      { id: 'x', code, descriptorUrl: descriptor_url.replace('user:pass@', '') },
    ]);
  });

  it('reads a relative descriptor URL against the final URL of the index, with a warning', async () => {
    const entry = { ...entryOf(skill('x')), descriptor_url: '/skills/x.json' };
    const routes = provider([], [entry], { finalUrl: 'https://www.a.example/.well-known/skill-sharing' });
    routes['https://www.a.example/skills/x.json'] = { body: skill('x') };
    const { outcome } = await setUp(routes).discover();
    expect(outcome.skills).toMatchObject([{ id: 'x', warnings: [{ code: 'RELATIVE_URL' }] }]);
  });

  it.each(['//user:pass@a.example/x.json', 'https://['])(
    'refuses %s, which is no URL by itself',
    async (descriptor_url) => {
      const { discover, asked } = setUp(provider([], [{ ...entryOf(skill('x')), descriptor_url }]));
      expect((await discover()).outcome.rejected).toMatchObject([{ id: 'x', code: 'URL_REFUSED' }]);
      expect(asked).toHaveLength(1);
    },
  );

  it('judges the origin where a redirect has led once more', async () => {
    const routes = provider([skill('x'), skill('y')]);
    routes[urlOf('x')] = { body: skill('x'), finalUrl: 'https://b.example/x.json' };
    routes[urlOf('y')] = { body: skill('y'), finalUrl: 'https://www.a.example/y.json' };
    const { outcome } = await setUp(routes).discover();
    expect(outcome.rejected).toMatchObject([{ id: 'x', code: 'ORIGIN_REFUSED' }]);
    expect(outcome.skills).toMatchObject([{ id: 'y', descriptorUrl: 'https://www.a.example/y.json' }]);
  });

  it('names no more than ten of the positions that share an id', async () => {
    const { outcome } = await setUp(
      provider(
        [],
        Array.from({ length: 12 }, () => entryOf(skill('x'))),
      ),
    ).discover();
    expect(outcome.rejected[0]?.message).toBe(
      'entries 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more share this id',
    );
  });

  it('lets a function decide about origins', async () => {
    const entry = { ...entryOf(skill('x')), descriptor_url: 'https://b.example/x.json' };
    const routes = { ...provider([], [entry]), 'https://b.example/x.json': { body: skill('x') } };
    const seen: string[] = [];
    const descriptorOrigins = (url: URL, domain: string) => seen.push(`${domain} ${url.host}`) > 0;
    expect((await setUp(routes, { descriptorOrigins }).discover()).outcome.status).toBe('ok');
    expect(seen).toEqual(['a.example b.example']);
    expect((await setUp(routes, { descriptorOrigins: 'any' }).discover()).outcome.status).toBe('ok');
  });
});

describe('index and descriptor out of step', () => {
  it.each(['id', 'capability_type', 'access'] as const)('rejects a differing %s', async (member) => {
    const other = { id: 'other', capability_type: 'task', access: 'restricted' } as const;
    const routes = provider([skill('x')]);
    routes[urlOf('x')] = { body: { ...skill('x'), [member]: other[member] } };
    const { outcome } = await setUp(routes).discover();
    expect(outcome.rejected).toMatchObject([
      { code: 'DESCRIPTOR_MISMATCH', violations: [{ field: `/${member}`, actual: other[member] }] },
    ]);
  });

  it('takes a differing version with a warning, and the descriptor counts', async () => {
    const routes = provider(
      [skill('x', { version: '2.1.0' })],
      [{ ...entryOf(skill('x')), version: '2.0.0' }],
    );
    const { outcome } = await setUp(routes).discover();
    expect(outcome.skills).toMatchObject([{ version: '2.1.0', warnings: [{ code: 'VERSION_DRIFT' }] }]);
  });

  it('asks once again before it holds a cached descriptor against a newer index', async () => {
    const old = skill('x', { capability_type: 'task' });
    const routes = provider([], [entryOf(skill('x'))]);
    routes[urlOf('x')] = ({ cacheMode }) =>
      cacheMode === 'refresh' ? { body: skill('x') } : { body: old, cacheStatus: 'hit' };
    const { discover, asked } = setUp(routes);
    expect((await discover()).outcome.status).toBe('ok');
    expect(asked.map(({ cacheMode }) => cacheMode)).toEqual(['use', 'use', 'refresh']);
  });
});

describe('a provider that is looked at again', () => {
  const vouching = { vouchMs: 5_000 };

  it('asks for the index in any case, and takes descriptors past their freshness while it has not changed', async () => {
    const skills = ['a', 'b'].map((id) => skill(id));
    const { asked, discover } = setUp(provider(skills, undefined, { cacheStatus: 'revalidated' }));
    await discover('use', vouching);
    expect(asked.map(({ cacheMode, maxStaleMs = 0 }) => [cacheMode, maxStaleMs])).toEqual([
      ['refresh', 0],
      ['use', 5_000],
      ['use', 5_000],
    ]);
  });

  it('trusts no index that has changed to vouch, nor one that is only read', async () => {
    const changed = setUp(provider([skill('a')]));
    await changed.discover('use', vouching);
    const read = setUp(provider([skill('a')], undefined, { cacheStatus: 'revalidated' }));
    await read.discover();
    for (const { asked } of [changed, read])
      expect(asked[1]).toMatchObject({ cacheMode: 'use', maxStaleMs: 0 });
  });

  it('is fresh for as long as the index, but no longer than that vouches', async () => {
    const freshUntil = async (index: number, descriptor: number) => {
      const routes = provider([skill('a')], undefined, { cacheStatus: 'revalidated', freshUntil: index });
      routes[urlOf('a')] = {
        body: skill('a'),
        cacheStatus: 'stale',
        isTakenStale: true,
        freshUntil: descriptor,
      };
      return (await setUp(routes).discover('use', vouching)).outcome.skills[0]?.freshUntil;
    };
    expect(await freshUntil(6_000, 2_000)).toBe(6_000);
    expect(await freshUntil(9_000, 2_000)).toBe(7_000);
  });

  it('names the skills that nobody confirmed', async () => {
    const skills = ['a', 'b'].map((id) => skill(id));
    const routes = provider(skills);
    routes[urlOf('b')] = { body: skills[1], cacheStatus: 'stale' };
    const { discover, clock } = setUp(routes);
    const { standIns, listed, freshUntil } = await discover();
    expect({ standIns, listed, freshUntil }).toEqual({
      standIns: ['b'],
      listed: ['a', 'b'],
      freshUntil: clock.now() + 60_000,
    });
    const lost = await setUp(provider(skills, undefined, { cacheStatus: 'stale' })).discover();
    expect(lost.standIns).toEqual(['a', 'b']);
    expect(lost.listed).toBeUndefined();
  });

  it('asks for no descriptor that there is a copy of where the index could not be had', async () => {
    const routes = provider([skill('a')], undefined, { cacheStatus: 'stale', freshUntil: 0 });
    const { asked, discover } = setUp(routes);
    await discover('refresh');
    expect(asked[1]).toMatchObject({ cacheMode: 'use', maxStaleMs: Number.POSITIVE_INFINITY });
  });

  it('asks once for a descriptor that contradicts the index that vouched for it', async () => {
    const routes = provider([], [entryOf(skill('a', { version: '2.0.0' }))], { cacheStatus: 'revalidated' });
    routes[urlOf('a')] = ({ cacheMode }) =>
      cacheMode === 'refresh'
        ? { body: skill('a', { version: '2.0.0' }) }
        : { body: skill('a'), cacheStatus: 'stale', isTakenStale: true };
    const { discover, asked } = setUp(routes);
    expect((await discover('use', vouching)).outcome.skills[0]?.descriptor.version).toBe('2.0.0');
    expect(asked.map(({ cacheMode }) => cacheMode)).toEqual(['refresh', 'use', 'refresh']);
  });
});

describe('text that can deceive who reads it', () => {
  it('[B20] is kept as published, and named', async () => {
    const deceptive = skill('x', {
      description: 'Done.\u001b[2J\u202e',
      tags: ['ok', 'a\u{e0041}\u{e0042}'],
    });
    const { outcome } = await setUp(provider([deceptive])).discover();
    expect(outcome.skills).toMatchObject([
      {
        description: deceptive.description,
        warnings: [
          { code: 'UNSAFE_TEXT', field: '/description' },
          { code: 'UNSAFE_TEXT', field: '/tags/1' },
        ],
      },
    ]);
  });
});

describe('domains without a usable index', () => {
  it('is none where there is no index', async () => {
    const { outcome, listed } = await setUp({}).discover();
    expect(outcome).toMatchObject({
      status: 'none',
      code: 'INDEX_NOT_FOUND',
      details: { status: 404 },
      skills: [],
    });
    expect(listed).toBeUndefined();
  });

  it('is failed where the index breaks the schema, and says how', async () => {
    const { outcome } = await setUp({ [INDEX_URL]: { body: { protocol: { version: '1.0.0' } } } }).discover();
    expect(outcome).toMatchObject({ status: 'failed', code: 'VALIDATION_ERROR' });
    expect(outcome.violations?.map(({ field }) => field)).toEqual(['/provider', '/skills']);
  });

  it('is failed where the index is of another MAJOR, whatever its shape', async () => {
    const { outcome } = await setUp({ [INDEX_URL]: { body: { protocol: { version: '2.0.0' } } } }).discover();
    expect(outcome).toMatchObject({ code: 'VERSION_INCOMPATIBLE', details: { descriptor_version: '2.0.0' } });
  });

  it('[B8] is failed where the index lists more than the limit', async () => {
    const skills = Array.from({ length: 101 }, (_, i) => skill(`s${i}`));
    const { discover, asked } = setUp(provider(skills));
    expect((await discover()).outcome).toMatchObject({ status: 'failed', code: 'TOO_MANY_SKILLS' });
    expect(asked).toHaveLength(1);
  });

  it('[C3] uses a stale copy but draws no conclusion from what it does not list', async () => {
    const { outcome, listed, withdrawn } = await setUp(
      provider([skill('a')], undefined, { cacheStatus: 'stale', freshUntil: 0 }),
    ).discover();
    expect(outcome).toMatchObject({ status: 'ok', code: 'SERVER_ERROR', cacheStatus: 'stale' });
    expect(outcome.skills[0]?.freshUntil).toBe(0);
    expect(listed).toBeUndefined();
    expect(withdrawn).toEqual([]);
  });
});

describe('warnings of the whole', () => {
  it.each([
    [{ contentType: 'text/plain' }, 'CONTENT_TYPE'],
    [{ contentType: '' }, 'CONTENT_TYPE'],
    [{ addressCheck: 'proxy' as const }, 'ADDRESS_CHECK_PROXIED'],
    [{ addressCheck: 'literal' as const }, 'ADDRESS_CHECK_LITERAL'],
  ])('%j gives %s', async (index, code) => {
    const { outcome } = await setUp(provider([], [], index)).discover();
    expect(outcome).toMatchObject({ status: 'ok', warnings: [{ code }] });
  });
});

describe('budgets', () => {
  const many = Array.from({ length: 20 }, (_, i) => skill(`s${i}`));
  const limits = {
    maxSkillsPerIndex: 100,
    maxRequestsPerDomain: 1000,
    maxBytesPerDomain: 1e9,
    maxMsPerDomain: 60_000,
  };

  it('stops at the number of requests', async () => {
    const { discover } = setUp(provider(many), {
      limits: { ...limits, maxRequestsPerDomain: 11 },
      descriptorsAtOnce: 1,
    });
    const { outcome } = await discover();
    expect(outcome.skills).toHaveLength(10);
    expect(new Set(outcome.rejected.map(({ code }) => code))).toEqual(new Set(['BUDGET_EXCEEDED']));
  });

  it('stops at the number of bytes', async () => {
    const routes = provider(many);
    for (const each of many) routes[urlOf(each.id)] = { body: each, bytes: 1000 };
    const bounded = { limits: { ...limits, maxBytesPerDomain: 100_000 }, descriptorsAtOnce: 1 };
    routes[INDEX_URL] = { body: { ...validIndex(), skills: many.map(entryOf) }, bytes: 95_500 };
    const { outcome } = await setUp(routes, bounded).discover();
    expect(outcome.skills).toHaveLength(5);
    expect(outcome.rejected[0]).toMatchObject({ id: 's5', code: 'BUDGET_EXCEEDED' });
  });

  it('stops when the time is used up, keeps what it has, and leaves no timer', async () => {
    const routes = provider(many.slice(0, 3));
    const never = deferred<never>();
    routes[urlOf('s1')] = ({ signal }) =>
      Promise.race([
        never.promise,
        new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ]);
    const { discover, clock } = setUp(routes);
    const run = discover();
    await clock.advance(60_000);
    const { outcome } = await run;
    expect(outcome.skills.map(({ id }) => id)).toEqual(['s0', 's2']);
    expect(outcome.rejected).toMatchObject([{ id: 's1', index: 1, code: 'BUDGET_EXCEEDED' }]);
    expect(clock.sleepers).toBe(0);
  });

  it('stops before it asks again for a cached descriptor', async () => {
    const routes = provider([], [entryOf(skill('x'))]);
    routes[urlOf('x')] = { body: skill('x', { capability_type: 'task' }), cacheStatus: 'hit', bytes: 9e5 };
    const { discover, asked } = setUp(routes, { limits: { ...limits, maxBytesPerDomain: 9e5 } });
    expect((await discover()).outcome.rejected).toMatchObject([{ id: 'x', code: 'BUDGET_EXCEEDED' }]);
    expect(asked).toHaveLength(2);
  });

  it('passes on what breaks in the network port, and leaves no timer', async () => {
    const routes = provider([skill('x')]);
    routes[urlOf('x')] = () => Promise.reject(new Error('a bug'));
    const { discover, clock } = setUp(routes);
    await expect(discover()).rejects.toThrow('a bug');
    expect(clock.sleepers).toBe(0);
  });

  it('rejects with the reason when the caller aborts, and leaves no timer', async () => {
    const routes = provider(many);
    const started = deferred();
    routes[urlOf('s1')] = ({ signal }) => {
      started.resolve();
      return new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
    };
    const { discover, controller, clock } = setUp(routes);
    const run = discover();
    await started.promise;
    controller.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    expect(clock.sleepers).toBe(0);
  });
});

it('[B4] takes names of Object.prototype as ordinary ids', async () => {
  const ids = ['__proto__', 'constructor', 'toString'];
  const { discover } = setUp(provider(ids.map((id) => skill(id))));
  expect((await discover()).outcome.skills.map(({ id }) => id)).toEqual(ids);
  const twice: SkillIndexEntry[] = [entryOf(skill('__proto__')), entryOf(skill('__proto__'))];
  const { outcome } = await setUp(provider([skill('__proto__')], twice)).discover();
  expect(outcome.rejected.map(({ code }) => code)).toEqual(['DUPLICATE_ID', 'DUPLICATE_ID']);
});

describe('a look that is known', () => {
  const kept = {
    key: 'key',
    entry: {
      ...{ url: INDEX_URL, redirects: [], headers: [], text: '{}', bytes: 2 },
      ...{ view: 'anonymous', fetchedAt: 0, freshUntil: 1 },
    },
  };
  const setUpKept = (entries?: unknown[]) => {
    const routes = provider([skill('a')], entries, { kept });
    routes[urlOf('a')] = { body: skill('a'), kept };
    return setUp(routes, { looks: new KnownLooks(() => true) });
  };

  it('is repeated without asking', async () => {
    const { discover, asked, clock } = setUpKept();
    const { at, outcome, ...first } = await discover();
    await clock.advance(7);
    const again = await discover();
    expect(asked).toHaveLength(2);
    expect(again).toMatchObject({ ...first, at: at + 7 });
    expect(again.outcome).toMatchObject({ skills: outcome.skills, requests: 0, documents: { hit: 2 } });
  });

  it('is not where the index is ahead of a descriptor', async () => {
    const { discover, asked } = setUpKept([{ ...entryOf(skill('a')), version: '9.0.0' }]);
    expect((await discover()).outcome.skills[0]?.warnings).toMatchObject([{ code: 'VERSION_DRIFT' }]);
    await discover();
    expect(asked).toHaveLength(4);
  });

  it('is not where an entry is rejected', async () => {
    const { discover, asked } = setUpKept([entryOf(skill('a')), { id: 'b' }]);
    await discover();
    expect((await discover()).outcome.rejected).toHaveLength(1);
    expect(asked).toHaveLength(4);
  });

  it('is not for whoever wants its server asked, or looks no more', async () => {
    const { discover, asked, controller } = setUpKept();
    await discover();
    await discover('refresh');
    await discover('use', { vouchMs: 1000 });
    expect(asked).toHaveLength(6);
    controller.abort(new Error('enough'));
    await expect(discover()).rejects.toThrow('enough');
  });
});
