import { describe, expect, it } from 'vitest';
import { createMemoryStore, type Store, type StoredSkill } from '../../src/registry/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

const provider = (domain: string, skills: number, parts: Parameters<typeof storedSkill>[0] = {}) =>
  updateOf(
    Array.from({ length: skills }, (_, i) => storedSkill({ domain, id: `${i}`, ...parts })) as [StoredSkill],
  );
const domainsOf = async (store: Store) => {
  const { providers } = await store.providers({ order: 'domain', limit: 100 });
  return providers.map(({ domain }) => domain);
};
const everything = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: false,
  limit: 1_000,
  total: true,
  facets: false,
};
const total = async (store: Store) => (await store.find(everything)).total;
/** Room for two of the skills below, not for three. */
const large = { descriptor: { note: 'x'.repeat(100_000) } };
const maxBytes = 250_000;

describe('createMemoryStore', () => {
  it.each([0, -1, 1.5, Number.POSITIVE_INFINITY, '10' as unknown as number])(
    'refuses a bound of %s',
    (bound) => {
      expect(() => createMemoryStore({ maxBytes: bound })).toThrow(/^maxBytes: expected /);
    },
  );

  it('lets whole providers go, the one updated longest ago first', async () => {
    const store = createMemoryStore({ maxBytes });
    await store.apply(provider('a.example', 1, large));
    await store.apply(provider('b.example', 1, large));
    await store.apply(provider('a.example', 1, large));
    await store.get({ domain: 'b.example', id: '0' });
    const result = await store.apply(provider('c.example', 1, large));
    expect(result).toMatchObject({ stored: 1, evictedProviders: 1, evictedSkills: 1 });
    expect(await domainsOf(store)).toEqual(['a.example', 'c.example']);
    expect(await total(store)).toBe(2);
    expect(await store.get({ domain: 'b.example', id: '0' })).toBeUndefined();
  });

  it.each([
    { fetchedAt: 1_500 },
    { freshUntil: 3_000 },
    { unreachableSince: 1_500 },
    { origin: 'imported' as const },
    { view: 'other' },
    { descriptorUrl: 'https://a.example/moved.json' },
    { warnings: [{ code: 'FOREIGN_ID', message: '' }] },
  ])('takes up %j of a skill that says the same', async (members) => {
    const store = createMemoryStore();
    for (const parts of [{}, members, { fetchedAt: 1_500 }]) {
      await store.apply(provider('a.example', 1, parts));
      const { entry } = storedSkill({ id: '0', ...parts });
      expect((await store.find(everything)).skills[0]?.entry).toEqual(entry);
    }
  });

  it('finds nothing of what it let go', async () => {
    const store = createMemoryStore({ maxBytes });
    await store.apply(provider('a.example', 1, { ...large, name: 'gone', tags: ['gone'] }));
    await store.apply(provider('b.example', 2, large));
    for (const query of [
      { words: ['gone'] },
      { words: ['go'] },
      { tags: ['gone'] },
      { domains: ['a.example'] },
    ]) {
      expect(await store.find({ ...everything, ...query })).toEqual({ skills: [], total: 0 });
    }
    const { changes } = await store.apply(provider('a.example', 1, { ...large, fetchedAt: 3_000 }));
    expect(changes).toMatchObject([{ kind: 'added' }]);
  });

  it('lets others go when a provider grows', async () => {
    const store = createMemoryStore({ maxBytes });
    await store.apply(provider('a.example', 1, large));
    await store.apply(provider('b.example', 1, large));
    expect(await store.apply(provider('b.example', 2, large))).toMatchObject({
      stored: 2,
      evictedProviders: 1,
      evictedSkills: 1,
    });
    expect(await domainsOf(store)).toEqual(['b.example']);
  });

  it('does not keep a provider that alone is too large, nor lets others go for it', async () => {
    const store = createMemoryStore({ maxBytes });
    await store.apply(provider('a.example', 1, large));
    await store.apply(provider('b.example', 1, large));
    const tooLarge = provider('b.example', 4, large);
    const expected = { changes: [], stored: 0, removed: 0, evictedProviders: 1, evictedSkills: 4 };
    expect(await store.apply(tooLarge)).toEqual(expected);
    expect(await domainsOf(store)).toEqual(['a.example']);
    expect(await total(store)).toBe(1);
    expect((await store.changes({ includePrivate: true, limit: 10 })).changes).toHaveLength(2);
    expect((await store.apply(tooLarge, { dryRun: true })).changes).toEqual([]);
  });

  it('counts words as well: a skill of many that nobody else has takes more than its text', async () => {
    const store = createMemoryStore({ maxBytes });
    const words = (from: number) =>
      Array.from({ length: 500 }, (_, i) => (from + i).toString(36).padStart(4, '0')).join(' ');
    for (let i = 0; i < 10; i++) {
      await store.apply(provider(`p${i}.example`, 1, { description: words(i * 500) }));
    }
    expect(await total(store)).toBe(5);
  });

  it('lets providers without skills go too', async () => {
    const store = createMemoryStore({ maxBytes: 10_000 });
    for (let i = 0; i < 100; i++) {
      const { listed, ...failed } = {
        ...provider(`p${i}.example`, 1),
        skills: [],
        status: 'failed' as const,
      };
      await store.apply(failed);
    }
    const domains = await domainsOf(store);
    expect(domains).toContain('p99.example');
    expect(domains).not.toContain('p0.example');
    expect(domains.length).toBeLessThan(20);
  });

  it('counts what was evicted for one update only', async () => {
    const store = createMemoryStore({ maxBytes: 150_000 });
    await store.apply(provider('a.example', 1, large));
    expect(await store.apply(provider('b.example', 1, large))).toMatchObject({ evictedProviders: 1 });
    expect(await store.apply(provider('b.example', 1, large))).toMatchObject({ evictedProviders: 0 });
  });

  it('remembers changes only as far as they fit', async () => {
    const store = createMemoryStore({ maxBytes });
    for (let at = 1; at <= 500; at++) {
      const name = String(at % 10).repeat(900);
      await store.apply(provider('a.example', 1, { name, fetchedAt: at }));
    }
    const { changes } = await store.changes({ includePrivate: true, limit: 1_000 });
    expect(changes.at(-1)).toMatchObject({ at: 500, kind: 'changed' });
    expect(JSON.stringify(changes).length).toBeLessThan(maxBytes / 4);
    expect(changes.length).toBeGreaterThan(10);
  });
});
