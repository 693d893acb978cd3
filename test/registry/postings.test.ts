import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { allOf, anyOf, END, Postings, type Walk } from '../../src/registry/postings.ts';

const number = fc.oneof(fc.nat(40), fc.nat(5_000), fc.constant(END - 1));
const numbers = fc.array(number, { maxLength: 60 });

function postingsOf(items: Iterable<number>): Postings {
  const postings = new Postings();
  for (const item of items) postings.add(item);
  return postings;
}

function walked(walk: Walk, step = 1): number[] {
  const all: number[] = [];
  for (let next = walk.next(0); next !== END; next = walk.next(Math.min(next + step, END))) all.push(next);
  return all;
}

const ascending = (items: Iterable<number>) => [...new Set(items)].sort((a, b) => a - b);

describe('Postings', () => {
  test.prop([fc.array(fc.record({ adds: fc.boolean(), number }), { maxLength: 200 })], { numRuns: 300 })(
    'are a sorted set',
    (steps) => {
      const postings = new Postings();
      const model = new Set<number>();
      for (const step of steps) {
        postings[step.adds ? 'add' : 'remove'](step.number);
        model[step.adds ? 'add' : 'delete'](step.number);
        expect(postings.length).toBe(model.size);
      }
      expect(walked(postings.walk())).toEqual(ascending(model));
    },
  );

  test.prop([numbers, numbers], { numRuns: 300 })(
    'find the first number from any point on',
    (items, points) => {
      const all = ascending(items);
      const walk = postingsOf(items).walk();
      for (const point of ascending(points)) {
        expect(walk.next(point)).toBe(all.find((item) => item >= point) ?? END);
      }
    },
  );

  test.prop([numbers], { numRuns: 300 })('are made of any numbers, and can be changed then', (items) => {
    const postings = Postings.of(items);
    expect(postings.toArray()).toEqual(ascending(items));
    expect(postings.length).toBe(new Set(items).size);
    postings.add(7);
    postings.remove(40);
    expect(walked(postings.walk())).toEqual(ascending([...items, 7]).filter((item) => item !== 40));
  });

  it('hold little memory for what was once much', () => {
    const postings = postingsOf(Array(1_000).keys());
    expect(postings.capacity).toBe(1_024);
    for (let i = 0; i < 990; i++) postings.remove(i);
    expect(postings.capacity).toBeLessThanOrEqual(40);
    for (let i = 991; i < 1_000; i++) postings.remove(i);
    expect(postings.capacity).toBeLessThanOrEqual(4);
    expect(walked(postings.walk())).toEqual([990]);
  });
});

const lists = fc.array(numbers, { minLength: 1, maxLength: 5 });
const walks = (items: number[][]) => items.map((list) => postingsOf(list).walk());

describe('allOf', () => {
  test.prop([lists, fc.integer({ min: 1, max: 50 })], { numRuns: 300 })(
    'is the intersection',
    (items, step) => {
      const common = ascending(items.flat()).filter((item) => items.every((list) => list.includes(item)));
      expect(walked(allOf(walks(items)), step)).toEqual(spaced(common, step));
    },
  );
});

describe('anyOf', () => {
  test.prop([lists, fc.integer({ min: 1, max: 50 })], { numRuns: 300 })('is the union', (items, step) => {
    expect(walked(anyOf(walks(items)), step)).toEqual(spaced(ascending(items.flat()), step));
  });

  it('is nothing of nothing', () => {
    expect(anyOf([]).next(0)).toBe(END);
  });

  it('nests', () => {
    const odd = anyOf(walks([[1, 5], [3]]));
    expect(walked(allOf([odd, anyOf(walks([[3, 4], [5]]))]))).toEqual([3, 5]);
  });
});

/** What is left when each one must lie at least `step` behind the one before. */
function spaced(sorted: number[], step: number): number[] {
  const kept: number[] = [];
  for (const item of sorted) if (item >= (kept.at(-1) ?? -step) + step) kept.push(item);
  return kept;
}
