import { beforeEach, describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  createRegistry,
  type FindQuery,
  type Registry,
} from '../../src/registry/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

const skill = storedSkill({ id: 'x', freshUntil: 2_000 });
const secret = storedSkill({ id: 'y', access: 'private', view: 'acme' });
let registry: Registry;

beforeEach(async () => {
  registry = createRegistry({ store: createMemoryStore() });
  await registry.apply(updateOf([skill, secret], { view: 'acme' }));
});

describe('registry', () => {
  it('finds summaries, and records on demand', async () => {
    const { descriptor, descriptorUrl, view, ...summary } = skill;
    expect(await registry.find({}, 1_999)).toEqual({ records: [{ ...summary, stale: false }] });
    expect(await registry.find({ include: 'descriptor' }, 1_999)).toEqual({
      records: [{ ...skill, stale: false }],
    });
  });

  it('calls a record stale from the moment that it is no longer fresh', async () => {
    const key = { domain: skill.domain, id: skill.id };
    expect(await registry.get(key, 1_999)).toMatchObject({ stale: false });
    expect(await registry.get(key, 2_000)).toMatchObject({ stale: true });
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
    const key = { domain: secret.domain, id: secret.id };
    expect(await registry.get(key, 0)).toBeUndefined();
    expect(await registry.get({ ...key, includePrivate: true }, 0)).toMatchObject({ id: 'y', view: 'acme' });
  });

  it('counts private skills only when asked for them', async () => {
    expect(await registry.find({ total: true, limit: 1 }, 0)).toMatchObject({ total: 1 });
    expect(await registry.find({ total: true, limit: 1, includePrivate: true }, 0)).toMatchObject({
      total: 2,
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
    expect(await registry.find({ text: '🚀', total: true }, 0)).toEqual({ records: [], total: 0 });
  });

  it('rejects with a TypeError for a wrong query', async () => {
    await expect(registry.find({ limit: 0 }, 0)).rejects.toThrow(TypeError);
    await expect(registry.get({ domain: '', id: 'x' }, 0)).rejects.toThrow(TypeError);
  });

  it('closes its store', async () => {
    await registry.close();
    await expect(registry.find({}, 0)).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });
});
