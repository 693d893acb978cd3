import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/registry/cursor.ts';
import type { StoreQuery } from '../../src/registry/index.ts';
import { filtersOf } from '../../src/registry/query.ts';

const query: StoreQuery = {
  now: 0,
  includePrivate: false,
  trusted: false,
  descriptors: false,
  limit: 50,
  total: false,
  facets: false,
  words: ['a'],
};
const filters = filtersOf(query);
const position = { number: 123_456, at: 0.5, domain: '翻译 😀' };
const refused = /^cursor: /;

describe('cursor', () => {
  const positions = fc.record({
    number: fc.nat(),
    at: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    domain: fc.string(),
  });
  test.prop([positions])('gives back its position', (given) => {
    const cursor = encodeCursor(filters, given);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(filters, cursor, position)).toEqual({ ...given, at: given.at + 0 });
  });

  it('outlives another limit, total, time, and amount of detail', () => {
    const later = {
      ...query,
      now: 5,
      limit: 1,
      total: true,
      facets: true,
      descriptors: true,
      after: { rank: 1, number: 1 },
    };
    expect(decodeCursor(filtersOf(later), encodeCursor(filters, position), position)).toEqual(position);
  });

  it.each<Partial<StoreQuery>>([
    { capabilityTypes: ['api'] },
    { access: ['public'] },
    { authTypes: ['none'] },
    { tags: ['a'] },
    { domains: ['a.example'] },
    { words: ['b'] },
    { versions: [{ afterFrom: false, beforeTo: false, releasesOnly: true }] },
    { protocolVersions: [] },
    { freshness: 'fresh' },
    { includePrivate: true },
  ])('does not work for a query with %j', (difference) => {
    const cursor = encodeCursor(filtersOf({ ...query, ...difference }), position);
    expect(() => decodeCursor(filters, cursor, position)).toThrow(refused);
  });

  it.each([
    '',
    ' ',
    '%',
    'a',
    'AAAA',
    '\u0100',
    'e30',
    'bnVsbA',
    encodeCursor(filters, position).slice(0, -1),
  ])('refuses %j', (text) => {
    expect(() => decodeCursor(filters, text, position)).toThrow(refused);
    expect(() => decodeCursor(filters, text, position)).toThrow(TypeError);
  });

  test.prop([
    fc.nat(),
    fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+/ '),
  ])('refuses any one character changed or added', (at, char) => {
    const cursor = encodeCursor(filters, position);
    const i = at % (cursor.length + 1);
    for (const altered of [
      cursor.slice(0, i) + char + cursor.slice(i),
      cursor.slice(0, i) + char + cursor.slice(i + 1),
    ]) {
      if (altered !== cursor) expect(() => decodeCursor(filters, altered, position)).toThrow(refused);
    }
  });

  it.each<object>([
    {},
    [],
    { ...position, rank: 1 },
    { ...position, number: -1 },
    { ...position, number: 0.5 },
    { ...position, number: 1e300 },
    { ...position, at: null },
    { ...position, domain: {} },
    { number: 1, at: 1, id: 'x' },
  ])('refuses a forged one with %j', (forged) => {
    expect(() => decodeCursor(filters, encodeCursor(filters, forged), position)).toThrow(refused);
  });
});
