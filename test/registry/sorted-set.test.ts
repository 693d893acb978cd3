import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { SortedSet } from '../../src/registry/sorted-set.ts';

const byNumber = (a: number, b: number) => a - b;
const all = (set: SortedSet<number>) => [...set.from(() => false)];

describe('SortedSet', () => {
  test.prop([fc.array(fc.record({ adds: fc.boolean(), item: fc.nat(30) }), { maxLength: 100 }), fc.nat(30)], {
    numRuns: 300,
  })('holds distinct items in order', (steps, start) => {
    const set = new SortedSet<number>(byNumber);
    const model = new Set<number>();
    for (const { adds, item } of steps) {
      set[adds ? 'add' : 'delete'](item);
      model[adds ? 'add' : 'delete'](item);
    }
    const sorted = [...model].sort(byNumber);
    expect(set.size).toBe(model.size);
    expect(all(set)).toEqual(sorted);
    expect([...set.from((item) => item < start)]).toEqual(sorted.filter((item) => item >= start));
  });

  it('does so for more than fit into one chunk, in whatever order they come and go', () => {
    const items = Array.from({ length: 10_007 }, (_, i) => (i * 7_919) % 10_007);
    const set = new SortedSet<number>(byNumber);
    for (const item of items) set.add(item);
    expect(all(set)).toEqual([...Array(10_007).keys()]);
    expect([...set.from((item) => item < 10_000)]).toEqual([
      10_000, 10_001, 10_002, 10_003, 10_004, 10_005, 10_006,
    ]);
    for (const item of items) if (item % 1_000 !== 7) set.delete(item);
    expect(all(set)).toEqual([7, 1_007, 2_007, 3_007, 4_007, 5_007, 6_007, 7_007, 8_007, 9_007]);
    for (const item of items) set.delete(item);
    expect([set.size, ...all(set)]).toEqual([0]);
    set.add(5);
    expect(all(set)).toEqual([5]);
  });
});
