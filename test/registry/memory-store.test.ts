import { describe, expect, it } from 'vitest';
import { createMemoryStore, type StoredSkill, type StoreQuery } from '../../src/registry/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

const everything: StoreQuery = { now: 0, includePrivate: true, limit: 1_000, total: true };
const provider = (domain: string, skills: number) =>
  updateOf(Array.from({ length: skills }, (_, i) => storedSkill({ domain, id: `${i}` })) as [StoredSkill]);

describe('createMemoryStore', () => {
  it.each([0, -1, 1.5, Number.POSITIVE_INFINITY, '10' as unknown as number])(
    'refuses a bound of %s',
    (maxSkills) => {
      expect(() => createMemoryStore({ maxSkills })).toThrow(/^maxSkills: /);
    },
  );

  it('holds as many skills as it may', async () => {
    const store = createMemoryStore({ maxSkills: 5 });
    await store.apply(provider('a.example', 2));
    expect(await store.apply(provider('b.example', 3))).toMatchObject({
      evictedProviders: 0,
      evictedSkills: 0,
    });
    expect((await store.find(everything)).total).toBe(5);
  });

  it('lets whole providers go, the one updated longest ago first', async () => {
    const store = createMemoryStore({ maxSkills: 5 });
    await store.apply(provider('a.example', 2));
    await store.apply(provider('b.example', 2));
    await store.apply(provider('a.example', 2));
    await store.get({ domain: 'b.example', id: '0' });
    expect(await store.apply(provider('c.example', 3))).toEqual({
      stored: 3,
      removed: 0,
      evictedProviders: 1,
      evictedSkills: 2,
    });
    const { skills } = await store.find({ ...everything, capabilityTypes: ['api'] });
    expect(skills.map(({ domain }) => domain)).toEqual([
      ...Array(2).fill('a.example'),
      ...Array(3).fill('c.example'),
    ]);
    expect(await store.get({ domain: 'b.example', id: '0' })).toBeUndefined();
  });

  it('lets others go when a provider grows', async () => {
    const store = createMemoryStore({ maxSkills: 5 });
    await store.apply(provider('a.example', 1));
    await store.apply(provider('b.example', 4));
    expect(await store.apply(provider('b.example', 5))).toMatchObject({
      evictedProviders: 1,
      evictedSkills: 1,
    });
    expect((await store.find(everything)).skills.every(({ domain }) => domain === 'b.example')).toBe(true);
  });

  it('does not keep a provider that alone is too large, nor lets others go for it', async () => {
    const store = createMemoryStore({ maxSkills: 3 });
    await store.apply(provider('a.example', 1));
    await store.apply(provider('b.example', 2));
    expect(await store.apply(provider('b.example', 4))).toEqual({
      stored: 0,
      removed: 0,
      evictedProviders: 1,
      evictedSkills: 4,
    });
    expect((await store.find(everything)).skills.map(({ domain }) => domain)).toEqual(['a.example']);
  });

  it('counts what was evicted for one update only', async () => {
    const store = createMemoryStore({ maxSkills: 1 });
    await store.apply(provider('a.example', 1));
    expect(await store.apply(provider('b.example', 1))).toMatchObject({ evictedProviders: 1 });
    expect(await store.apply(provider('b.example', 1))).toMatchObject({ evictedProviders: 0 });
  });
});
