import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { compareContent } from '../../src/registry/index.ts';
import { canonical } from '../support/canonical.ts';

describe('compareContent', () => {
  it.each<[string, unknown, unknown, unknown[]]>([
    ['nothing where only the order differs', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, []],
    ['nothing of numbers that are equal', { a: 0, b: 100 }, { a: -0, b: 1e2 }, []],
    [
      'members at their depth',
      { a: { b: { c: 1 } } },
      { a: { b: { c: 2 } } },
      [{ field: '/a/b/c', old: 1, new: 2 }],
    ],
    [
      'what is new and what is gone',
      { a: 1 },
      { b: null },
      [
        { field: '/a', old: 1 },
        { field: '/b', new: null },
      ],
    ],
    [
      'names by RFC 6901',
      { 'a/b': { '~': 1, '': 1 } },
      { 'a/b': {} },
      [
        { field: '/a~1b/~0', old: 1 },
        { field: '/a~1b/', old: 1 },
      ],
    ],
    [
      'arrays as a whole',
      { a: [1, { b: 2 }] },
      { a: [1, { b: 3 }] },
      [{ field: '/a', old: [1, { b: 2 }], new: [1, { b: 3 }] }],
    ],
    ['another kind of value', { a: { b: 1 } }, { a: [1] }, [{ field: '/a', old: { b: 1 }, new: [1] }]],
    ['the whole where it is no object', 'a', 'b', [{ field: '', old: 'a', new: 'b' }]],
  ])('gives %s', (_, before, after, expected) => {
    expect(compareContent(before, after)).toEqual(expected);
  });

  it('takes names of object prototypes for ordinary ones', () => {
    const before = JSON.parse('{"__proto__": {"x": 1}, "toString": 1}');
    const after = JSON.parse('{"constructor": 1, "__proto__": {"x": 2}}');
    expect(compareContent(before, after)).toEqual([
      { field: '/__proto__/x', old: 1, new: 2 },
      { field: '/toString', old: 1 },
      { field: '/constructor', new: 1 },
    ]);
  });

  it('cuts the text of long values', () => {
    const [short, long] = ['a'.repeat(1_022), 'a'.repeat(1_023)];
    expect(compareContent({ a: short }, { a: long })).toEqual([
      { field: '/a', old: short, new: `"${'a'.repeat(1_023)}…` },
    ]);
    const list = Array(1_000).fill(1);
    expect(compareContent({ a: 1 }, { a: list })).toEqual([
      { field: '/a', old: 1, new: `${JSON.stringify(list).slice(0, 1_024)}…` },
    ]);
  });

  it('compares an object with names without end as a whole', () => {
    const [name, longer] = ['n'.repeat(600), 'n'.repeat(6_000)];
    expect(compareContent({ a: { [name]: 1 } }, { a: { [name]: 2 } })).toEqual([
      { field: '/a', old: { [name]: 1 }, new: { [name]: 2 } },
    ]);
    const [change] = compareContent({ a: { [longer]: 1 } }, { a: { [longer]: 2 } });
    expect(JSON.stringify(change).length).toBeLessThan(2_200);
  });

  it('stops at 100 differences', () => {
    const members = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`m${i}`, i]));
    const changes = compareContent({ in: members }, { in: {} });
    expect(changes).toHaveLength(100);
    expect(changes.at(-1)).toEqual({ field: '/in/m99', old: 99 });
  });

  test.prop([fc.jsonValue(), fc.jsonValue()], { numRuns: 300 })(
    'gives nothing exactly for what is equal',
    (before, after) => {
      expect(compareContent(before, before)).toEqual([]);
      expect(compareContent(before, after).length === 0).toBe(canonical(before) === canonical(after));
    },
  );
});
