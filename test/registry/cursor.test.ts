import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/registry/cursor.ts';
import type { StoreQuery } from '../../src/registry/index.ts';

const query: StoreQuery = { now: 0, includePrivate: false, limit: 50, total: false, words: ['a'] };
const key = { domain: 'a.example', id: 'com.example.x y 翻译 😀' };
const refused = /^cursor: /;

describe('cursor', () => {
  const id = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/\p{Cc}/u.test(text));
  test.prop([fc.domain(), id])('gives back its key', (domain, id) => {
    const cursor = encodeCursor(query, { domain, id });
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(query, cursor)).toEqual({ domain, id });
  });

  it('outlives another limit, total and time', () => {
    const later = { ...query, now: 5, limit: 1, total: true, after: key };
    expect(decodeCursor(later, encodeCursor(query, key))).toEqual(key);
  });

  it.each<Partial<StoreQuery>>([
    { capabilityTypes: ['api'] },
    { access: ['public'] },
    { authTypes: ['none'] },
    { tags: ['a'] },
    { domains: ['a.example'] },
    { words: ['b'] },
    { freshness: 'fresh' },
    { includePrivate: true },
  ])('does not work for a query with %j', (difference) => {
    const cursor = encodeCursor({ ...query, ...difference }, key);
    expect(() => decodeCursor(query, cursor)).toThrow(refused);
  });

  it.each(['', ' ', '%', 'a', 'AAAA', '\u0100', 'e30', encodeCursor(query, key).slice(0, -1)])(
    'refuses %j',
    (text) => {
      expect(() => decodeCursor(query, text)).toThrow(refused);
      expect(() => decodeCursor(query, text)).toThrow(TypeError);
    },
  );

  test.prop([
    fc.nat(),
    fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+/ '),
  ])('refuses any one character changed or added', (at, char) => {
    const cursor = encodeCursor(query, key);
    const i = at % (cursor.length + 1);
    for (const altered of [
      cursor.slice(0, i) + char + cursor.slice(i),
      cursor.slice(0, i) + char + cursor.slice(i + 1),
    ]) {
      if (altered !== cursor) expect(() => decodeCursor(query, altered)).toThrow(refused);
    }
  });
});
