import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { InvertedIndex } from '../../src/registry/inverted-index.ts';
import type { Postings } from '../../src/registry/postings.ts';

describe('InvertedIndex', () => {
  it('gives the words that begin so, and nothing but words', () => {
    const index = new InvertedIndex();
    for (const [i, token] of ['0win', '0wind', '0windy', '0wing', '1wind', 'gwind', '翻'].entries()) {
      for (let number = 0; number <= i; number++) index.add(token, number);
    }
    const lengths = (prefix: string) => index.beginningWith(prefix).map(({ length }) => length);
    expect(lengths('0wind')).toEqual([3]);
    expect(lengths('0win')).toEqual([4]);
    expect(lengths('1')).toEqual([5]);
    for (let number = 0; number <= 16; number++) index.add('0wing', number);
    expect(lengths('0win')).toEqual([17, 3]);
    expect(lengths('g')).toEqual([]);
    expect(index.having(['gwind', 'gx', '0win']).map(({ length }) => length)).toEqual([6, 1]);
  });

  const step = fc.record({
    adds: fc.boolean(),
    token: fc.constantFrom('0a', '0ab', '0abc', '1a'),
    number: fc.nat(24),
  });
  test.prop([fc.array(step, { size: 'max', maxLength: 300 })], { numRuns: 200 })(
    'says who has what, however many they are and whatever was before',
    (steps) => {
      const index = new InvertedIndex();
      const model = new Map<string, Set<number>>();
      const numbersOf = (prefix: string) =>
        [...model].flatMap(([token, numbers]) => (token.startsWith(prefix) ? [...numbers] : []));
      const given = (postings: Postings[]) => new Set(postings.flatMap((each) => each.toArray()));
      for (const { adds, token, number } of steps) {
        index[adds ? 'add' : 'remove'](token, number);
        const numbers = model.get(token) ?? new Set();
        model.set(token, numbers);
        numbers[adds ? 'add' : 'delete'](number);
        expect(index.having([token]).map((postings) => postings.toArray())).toEqual(
          numbers.size > 0 ? [[...numbers].sort((a, b) => a - b)] : [],
        );
        expect(given(index.beginningWith('0a'))).toEqual(new Set(numbersOf('0a')));
      }
      for (const [token, numbers] of model) for (const number of numbers) index.remove(token, number);
      expect(index.bytes).toBe(0);
    },
  );

  it('lets go of tokens that nobody has any more', () => {
    const index = new InvertedIndex();
    expect(index.bytes).toBe(0);
    for (let number = 0; number < 1_000; number++) {
      index.add('0common', number);
      index.add(`0rare${number}`, number);
    }
    expect(index.bytes).toBeGreaterThan(65_000);
    for (let number = 0; number < 1_000; number++) {
      index.remove('0common', number);
      index.remove(`0rare${number}`, number);
      index.remove('0unknown', number);
    }
    expect(index.bytes).toBe(0);
    expect(index.beginningWith('0')).toEqual([]);
    expect(index.having(['0common'])).toEqual([]);
  });
});
