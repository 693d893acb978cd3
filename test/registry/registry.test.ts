import { beforeEach, describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  createRegistry,
  type FindQuery,
  type Registry,
  recordToStored,
  type Store,
} from '../../src/registry/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

const skill = storedSkill({ id: 'x', freshUntil: 2_000 });
const secret = storedSkill({ id: 'y', access: 'private', view: 'acme' });
const { domain } = skill.entry;
let registry: Registry;

beforeEach(async () => {
  registry = createRegistry({ store: createMemoryStore() });
  await registry.apply(updateOf([skill, secret], { view: 'acme' }), { dryRun: false });
});

describe('registry', () => {
  it('finds summaries, and records on demand', async () => {
    const { descriptorUrl, view, ...summary } = skill.entry;
    expect(await registry.find({}, 1_999)).toEqual({ records: [{ ...summary, stale: false }] });
    expect(await registry.find({ include: 'descriptor' }, 1_999)).toEqual({
      records: [
        {
          ...skill.entry,
          descriptor: JSON.parse(skill.descriptor),
          contentHash: skill.contentHash,
          stale: false,
        },
      ],
    });
  });

  it('calls a record stale from the moment that it is no longer fresh', async () => {
    const key = { domain, id: 'x' };
    expect(await registry.get(key, 1_999)).toMatchObject({ stale: false });
    expect(await registry.get(key, 2_000)).toMatchObject({ stale: true });
    expect((await registry.find({ freshness: 'fresh' }, 1_999)).records).toHaveLength(1);
    expect((await registry.find({ freshness: 'fresh' }, 2_000)).records).toEqual([]);
    expect((await registry.find({ freshness: 'stale' }, 2_000)).records).toMatchObject([
      { id: 'x', stale: true },
    ]);
  });

  it('gives private skills out only when asked for them', async () => {
    const ids = async (query: FindQuery) => (await registry.find(query, 0)).records.map(({ id }) => id);
    expect(await ids({})).toEqual(['x']);
    expect(await ids({ includePrivate: true })).toEqual(['x', 'y']);
    expect(await ids({ access: 'private' })).toEqual(['y']);
    expect(await ids({ access: 'public', includePrivate: true })).toEqual(['x']);
    expect(await registry.get({ domain, id: 'y' }, 0)).toBeUndefined();
    expect(await registry.get({ domain, id: 'y', includePrivate: true }, 0)).toMatchObject({
      id: 'y',
      view: 'acme',
    });
  });

  it('counts private skills only when asked for them', async () => {
    const query = { total: true, facets: true, limit: 1 };
    expect(await registry.find(query, 0)).toMatchObject({
      total: 1,
      facets: { capabilityType: { api: 1 }, access: { public: 1 }, authType: { none: 1 } },
    });
    expect(await registry.find({ ...query, includePrivate: true }, 0)).toMatchObject({
      total: 2,
      facets: { access: { public: 1, private: 1 } },
    });
  });

  it('leads from page to page', async () => {
    const query: FindQuery = { includePrivate: true, limit: 1 };
    const first = await registry.find(query, 0);
    expect(first.records).toMatchObject([{ id: 'x' }]);
    const second = await registry.find({ ...query, cursor: first.nextCursor as string }, 0);
    expect(second).toEqual({ records: [expect.objectContaining({ id: 'y' })] });
  });

  it('finds nothing by a text without words', async () => {
    expect(await registry.find({ text: '🚀' }, 0)).toEqual({ records: [] });
    expect(await registry.find({ text: '🚀', total: true, facets: true }, 0)).toEqual({
      records: [],
      total: 0,
      facets: { capabilityType: {}, access: {}, authType: {} },
    });
  });

  it('rejects with a TypeError for a wrong query', async () => {
    await expect(registry.find({ limit: 0 }, 0)).rejects.toThrow(TypeError);
    await expect(registry.get({ domain: '', id: 'x' }, 0)).rejects.toThrow(TypeError);
    await expect(registry.changes({ limit: 0 })).rejects.toThrow(TypeError);
    await expect(registry.status({ limit: 0 }, 0)).rejects.toThrow(TypeError);
  });

  it('hands out copies', async () => {
    const [first] = (await registry.find({ include: 'descriptor' }, 0)).records;
    first?.warnings.push({ code: 'MINE', message: '' });
    Object.assign(first ?? {}, { name: 'mine' });
    Object.assign(first?.descriptor ?? {}, { name: 'mine' });
    expect((await registry.find({ include: 'descriptor' }, 0)).records).toMatchObject([
      { name: 'A skill', warnings: [], descriptor: { name: 'A skill' } },
    ]);
  });

  it('keeps an own member __proto__ of a descriptor', async () => {
    const descriptor = { ...JSON.parse(skill.descriptor), output: JSON.parse('{"__proto__":{"x":1}}') };
    await registry.apply(updateOf([await recordToStored({ ...skill.entry, descriptor })]), { dryRun: false });
    const found = await registry.get({ domain, id: 'x' }, 0);
    expect(Object.getOwnPropertyDescriptor(found?.descriptor.output, '__proto__')?.value).toEqual({ x: 1 });
  });

  it('closes its store', async () => {
    await registry.close();
    await expect(registry.find({}, 0)).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });
});

describe('answers in memory', () => {
  /** A store that counts how often it is asked. */
  function counting() {
    const store = createMemoryStore();
    const asked = { find: 0, get: 0 };
    const counted: Store = {
      ...store,
      find: (query) => {
        asked.find++;
        return store.find(query);
      },
      get: (key) => {
        asked.get++;
        return store.get(key);
      },
    };
    return { store, asked, registry: createRegistry({ store: counted }) };
  }

  it('are given again from the second question on, as of another time, until the store has changed', async () => {
    const { store, asked, registry } = counting();
    await store.apply(updateOf([skill]));
    const ask = async (now: number) => ({
      page: await registry.find({ capabilityType: 'api' }, now),
      record: await registry.get({ domain, id: 'x' }, now),
    });
    await ask(0);
    expect(await ask(0)).toMatchObject({ page: { records: [{ stale: false }] }, record: { stale: false } });
    expect(asked).toEqual({ find: 2, get: 2 });
    expect(await ask(9_999)).toMatchObject({ page: { records: [{ stale: true }] }, record: { stale: true } });
    expect(asked).toEqual({ find: 2, get: 2 });
    await registry.find({ capabilityType: 'task' }, 0);
    expect(asked.find).toBe(3);

    await store.apply(updateOf([storedSkill({ id: 'x', name: 'Another', fetchedAt: 1_001 })]));
    for (const now of [0, 1]) {
      expect(await ask(now)).toMatchObject({
        page: { records: [{ name: 'Another' }] },
        record: { name: 'Another' },
      });
    }
    expect(asked).toEqual({ find: 4, get: 3 });
  });

  it('are not kept where they depend on the time', async () => {
    const { asked, registry } = counting();
    for (let i = 0; i < 3; i++) await registry.find({ freshness: 'fresh' }, 0);
    expect(asked.find).toBe(3);
  });

  it('do not outlive a change that comes while they are fetched', async () => {
    const store = createMemoryStore();
    let gate: Promise<void> | undefined;
    let found = () => {};
    let open = () => {};
    const registry = createRegistry({
      store: {
        ...store,
        async find(query) {
          const held = gate;
          const page = await store.find(query);
          found();
          await held;
          return page;
        },
      },
    });
    await registry.find({}, 0);

    gate = new Promise((resolve) => {
      open = resolve;
    });
    const isFound = new Promise<void>((resolve) => {
      found = resolve;
    });
    const early = registry.find({}, 0);
    await isFound;
    gate = undefined;
    await store.apply(updateOf([skill]));
    expect((await registry.find({}, 0)).records).toHaveLength(1);
    open();
    expect((await early).records).toHaveLength(0);
    expect((await registry.find({}, 0)).records).toHaveLength(1);
  });

  it('are bounded in bytes', async () => {
    const { store, asked, registry } = counting();
    // Sixteen pages of this size are more than is kept.
    const large = storedSkill({ id: 'x', description: 'x'.repeat(600_000) });
    await store.apply(updateOf([large]));
    const pages = Array.from({ length: 20 }, (_, i) => i + 1);
    for (const limit of pages) for (let i = 0; i < 2; i++) await registry.find({ limit }, 0);
    await registry.find({ limit: 20 }, 0);
    expect(asked.find).toBe(40);
    await registry.find({ limit: 1 }, 0);
    expect(asked.find).toBe(41);
  });
});
