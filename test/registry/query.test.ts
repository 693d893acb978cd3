import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/registry/cursor.ts';
import {
  type ChangesQuery,
  type FindQuery,
  filtersOf,
  type GetQuery,
  type StatusQuery,
  toChangeQuery,
  toProviderQuery,
  toSkillKey,
  toStoreQuery,
} from '../../src/registry/query.ts';

const defaults = {
  now: 7,
  includePrivate: false,
  trusted: false,
  descriptors: false,
  limit: 50,
  total: false,
  facets: false,
};

describe('toStoreQuery', () => {
  it('resolves the defaults', async () => {
    expect(await toStoreQuery({}, 7)).toEqual(defaults);
    expect(await toStoreQuery({ freshness: 'any', include: 'summary', text: ' \t' }, 7)).toEqual(defaults);
    expect(await toStoreQuery({ include: 'descriptor', facets: true }, 7)).toMatchObject({
      descriptors: true,
      facets: true,
    });
  });

  it('takes one value or several, in any order, repeats included', async () => {
    expect(await toStoreQuery({ capabilityType: 'api', tags: 'b' }, 7)).toMatchObject({
      capabilityTypes: ['api'],
      tags: ['b'],
    });
    expect(await toStoreQuery({ authType: ['oauth2', 'none', 'oauth2'], tags: ['b', 'a'] }, 7)).toMatchObject(
      {
        authTypes: ['none', 'oauth2'],
        tags: ['a', 'b'],
      },
    );
  });

  it('makes domains canonical', async () => {
    const query = { domain: ['https://A.Example:443/', 'a.example.', 'http://b.example'] };
    expect((await toStoreQuery(query, 7))?.domains).toEqual(['a.example', 'http://b.example']);
  });

  it('cuts text into words, the last one last', async () => {
    expect((await toStoreQuery({ text: 'Crème-a api A' }, 7))?.words).toEqual(['creme', 'a', 'api', 'a']);
  });

  it('reads ranges of versions', async () => {
    expect(await toStoreQuery({ version: '>1.0.0', protocolVersion: '<2.0.0' }, 7)).toMatchObject({
      versions: [{ from: expect.any(String), afterFrom: true }],
      protocolVersions: [{ to: expect.any(String), beforeTo: true }],
    });
  });

  it.each(['!', '🚀', '\ud800', '"*"'])(
    'has no query for the text %j, in which there is no word',
    async (text) => {
      expect(await toStoreQuery({ text }, 7)).toBeUndefined();
    },
  );

  it.each<[FindQuery, boolean]>([
    [{}, false],
    [{ access: ['public', 'restricted'] }, false],
    [{ access: ['public', 'private'] }, true],
    [{ access: 'private' }, true],
    [{ includePrivate: true }, true],
  ])('of %j asks for private skills: %j', async (query, includePrivate) => {
    expect((await toStoreQuery(query, 7))?.includePrivate).toBe(includePrivate);
  });

  it('takes its own cursor and no other', async () => {
    const after = { rank: 1, number: 5 };
    const query: FindQuery = { tags: ['b', 'a'] };
    const cursor = encodeCursor(filtersOf({ tags: ['a', 'b'], ...defaults }), after);
    expect(await toStoreQuery({ ...query, limit: 3, total: true, cursor }, 9)).toMatchObject({
      after,
      limit: 3,
    });
    await expect(toStoreQuery({ cursor }, 7)).rejects.toThrow(/^cursor: /);
  });

  it.each<[string, unknown]>([
    ['capabilityType', 'plugins'],
    ['capabilityType', ['api', 'toString']],
    ['capabilityType', []],
    ['capabilityType', null],
    ['capabilityType', {}],
    ['access', 'secret'],
    ['authType', 'basic'],
    ['domain', 'a.example/path'],
    ['domain', ['a.example', '']],
    ['domain', [7]],
    ['domain', []],
    ['domain', Array.from({ length: 257 }, (_, i) => `d${i}.example`)],
    ['tags', [1]],
    ['tags', ['a'.repeat(257)]],
    ['tags', Array.from({ length: 65 }, (_, i) => `${i}`)],
    ['version', 'newest'],
    ['version', 1],
    ['version', '1'.repeat(257)],
    ['protocolVersion', '^'],
    ['facets', 'all'],
    ['tags', []],
    ['text', 7],
    ['text', ['a']],
    ['text', 'a'.repeat(257)],
    ['freshness', 'old'],
    ['includePrivate', 'yes'],
    ['trusted', 1],
    ['include', 'all'],
    ['limit', 0],
    ['limit', 1001],
    ['limit', 1.5],
    ['limit', '10'],
    ['limit', Number.NaN],
    ['cursor', ''],
    ['cursor', 7],
    ['total', 1],
    ['capability_type', 'api'],
    ['__proto__x', 1],
  ])('names %s as what is wrong with %j', async (option, value) => {
    const asked = toStoreQuery({ [option]: value } as FindQuery, 7);
    await expect(asked).rejects.toThrow(TypeError);
    await expect(asked).rejects.toThrow(new RegExp(`^${option}: `));
  });

  it.each([null, undefined, 'api'])('refuses %j for a query', async (query) => {
    await expect(toStoreQuery(query as unknown as FindQuery, 7)).rejects.toThrow(/^query: /);
  });
});

describe('toChangeQuery', () => {
  it('resolves the defaults, and takes its own cursor', () => {
    const after = { at: 5, number: 9 };
    const filters = { since: 3, domains: ['a.example'], includePrivate: true };
    const query: ChangesQuery = { since: 3, domain: 'A.example', includePrivate: true };
    expect(toChangeQuery({})).toEqual({ includePrivate: false, limit: 50 });
    expect(toChangeQuery({ ...query, cursor: encodeCursor(filters, after) })).toEqual({
      ...filters,
      after,
      limit: 50,
    });
    expect(() => toChangeQuery({ ...query, since: 4, cursor: encodeCursor(filters, after) })).toThrow(
      /^cursor: /,
    );
  });

  it.each<[string, unknown]>([
    ['since', '2026-01-01'],
    ['since', Number.NaN],
    ['domain', 'a b'],
    ['includePrivate', 1],
    ['limit', 0],
    ['until', 1],
  ])('names %s as what is wrong with %j', (option, value) => {
    expect(() => toChangeQuery({ [option]: value } as ChangesQuery)).toThrow(new RegExp(`^${option}: `));
  });
});

describe('toProviderQuery', () => {
  it('lists by domain, or what is due, the most overdue first', () => {
    const after = { dueAt: 5, domain: 'a.example' };
    expect(toProviderQuery({}, 7)).toEqual({ order: 'domain', limit: 50 });
    expect(toProviderQuery({ due: true, cursor: encodeCursor({ order: 'due' }, after) }, 7)).toEqual({
      order: 'due',
      dueAt: 7,
      after,
      limit: 50,
    });
    expect(() => toProviderQuery({ cursor: encodeCursor({ order: 'due' }, after) }, 7)).toThrow(/^cursor: /);
  });

  it.each<[string, unknown]>([
    ['domain', ''],
    ['due', 'now'],
    ['limit', 1001],
    ['order', 'due'],
  ])('names %s as what is wrong with %j', (option, value) => {
    expect(() => toProviderQuery({ [option]: value } as StatusQuery, 7)).toThrow(new RegExp(`^${option}: `));
  });
});

describe('toSkillKey', () => {
  it('makes the domain canonical', () => {
    expect(toSkillKey({ domain: 'A.EXAMPLE', id: 'x' })).toEqual({
      domain: 'a.example',
      id: 'x',
      includePrivate: false,
    });
  });

  it.each<[string, object]>([
    ['domain', { id: 'x' }],
    ['domain', { domain: 'a b', id: 'x' }],
    ['id', { domain: 'a.example' }],
    ['includePrivate', { domain: 'a.example', id: 'x', includePrivate: 1 }],
  ])('names %s as what is wrong', (option, query) => {
    expect(() => toSkillKey(query as GetQuery)).toThrow(new RegExp(`^${option}: `));
  });
});
