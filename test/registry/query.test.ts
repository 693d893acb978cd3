import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/registry/cursor.ts';
import { type FindQuery, type GetQuery, toSkillKey, toStoreQuery } from '../../src/registry/query.ts';

const defaults = { now: 7, includePrivate: false, limit: 50, total: false };

describe('toStoreQuery', () => {
  it('resolves the defaults', () => {
    expect(toStoreQuery({}, 7)).toEqual(defaults);
    expect(toStoreQuery({ freshness: 'any', include: 'descriptor', text: ' \t' }, 7)).toEqual(defaults);
  });

  it('takes one value or several, in any order, repeats included', () => {
    expect(toStoreQuery({ capabilityType: 'api', tags: 'b' }, 7)).toMatchObject({
      capabilityTypes: ['api'],
      tags: ['b'],
    });
    expect(toStoreQuery({ authType: ['oauth2', 'none', 'oauth2'], tags: ['b', 'a'] }, 7)).toMatchObject({
      authTypes: ['none', 'oauth2'],
      tags: ['a', 'b'],
    });
  });

  it('makes domains canonical', () => {
    const query = { domain: ['https://A.Example:443/', 'a.example.', 'http://b.example'] };
    expect(toStoreQuery(query, 7)?.domains).toEqual(['a.example', 'http://b.example']);
  });

  it('cuts text into words, the last one last', () => {
    expect(toStoreQuery({ text: 'Crème-a api A' }, 7)?.words).toEqual(['creme', 'a', 'api', 'a']);
  });

  it.each(['!', '🚀', '\ud800', '"*"'])('has no query for the text %j, in which there is no word', (text) => {
    expect(toStoreQuery({ text }, 7)).toBeUndefined();
  });

  it.each<[FindQuery, boolean]>([
    [{}, false],
    [{ access: ['public', 'restricted'] }, false],
    [{ access: ['public', 'private'] }, true],
    [{ access: 'private' }, true],
    [{ includePrivate: true }, true],
  ])('of %j asks for private skills: %j', (query, includePrivate) => {
    expect(toStoreQuery(query, 7)?.includePrivate).toBe(includePrivate);
  });

  it('takes its own cursor and no other', () => {
    const after = { domain: 'a.example', id: 'x' };
    const query: FindQuery = { tags: ['b', 'a'] };
    const cursor = encodeCursor({ ...defaults, tags: ['a', 'b'] }, after);
    expect(toStoreQuery({ ...query, limit: 3, total: true, cursor }, 9)).toMatchObject({ after, limit: 3 });
    expect(() => toStoreQuery({ cursor }, 7)).toThrow(/^cursor: /);
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
    ['tags', [1]],
    ['tags', []],
    ['text', 7],
    ['text', ['a']],
    ['text', 'a'.repeat(257)],
    ['freshness', 'old'],
    ['includePrivate', 'yes'],
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
  ])('names %s as what is wrong with %j', (option, value) => {
    const query = { [option]: value } as FindQuery;
    expect(() => toStoreQuery(query, 7)).toThrow(TypeError);
    expect(() => toStoreQuery(query, 7)).toThrow(new RegExp(`^${option}: `));
  });

  it.each([null, undefined, 'api'])('refuses %j for a query', (query) => {
    expect(() => toStoreQuery(query as unknown as FindQuery, 7)).toThrow(/^query: /);
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
