import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { queryWords, tokenize } from '../../src/registry/index.ts';

const words = (text: string) => [...tokenize(text)];

describe('tokenize', () => {
  it.each([
    ['com.example.translate-v1', ['com', 'example', 'translate', 'v1']],
    ['snake_case CamelCase', ['snake', 'case', 'camelcase']],
    ["don't stop", ['don', 't', 'stop']],
    ['Crème BRÛLÉE naïve', ['creme', 'brulee', 'naive']],
    ['Ελληνικά', ['ελληνικα']],
    ['Ёлка', ['елка']],
    ['İstanbul', ['istanbul']],
    ['ﬁne ＡＢＣ １２', ['fine', 'abc', '12']],
    ['a a b a', ['a', 'a', 'b', 'a']],
    ['한국어 번역', ['한국어', '번역']],
    ['हिन्दी', ['हिन्दी']],
    ['NEAR("x" OR *) "', ['near', 'x', 'or']],
    ['🚀 — !? \0 \ud800', []],
    ['', []],
  ])('reads %j as %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('gives the characters and neighbours of scripts without spaces', () => {
    expect(words('翻译API服务')).toEqual(['翻', '译', '翻译', 'api', '服', '务', '服务']);
    expect(words('ガーデン')).toEqual(words('ｶﾞｰﾃﾞﾝ'));
  });

  test.prop([
    fc.string({ unit: fc.constantFrom(...'高质量翻译服务のひらがなカタカナ한ไทยမြ𠮷a1-'), maxLength: 30 }),
    fc.nat(30),
    fc.nat(30),
  ])('gives a text all tokens of every part cut out of its script runs', (text, from, to) => {
    const part = Array.from(text)
      .slice(from, to)
      .join('')
      .replace(/^\p{M}+/u, '');
    const whole = new Set(words(text));
    const unspaced = words(part).filter((word) => !/[a1한]/.test(word));
    expect(unspaced.filter((word) => !whole.has(word))).toEqual([]);
  });

  test.prop([fc.string({ unit: 'binary', maxLength: 60 })])('reads its own words as themselves', (text) => {
    for (const word of words(text)) if (!/^\p{M}/u.test(word)) expect(words(word)).toContain(word);
  });

  test.prop([fc.string({ unit: 'binary', maxLength: 60 })])(
    'gives only letters, digits and marks',
    (text) => {
      for (const word of words(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,64}$/u);
    },
  );

  it('cuts words to 64 code points, never through one', () => {
    expect(words('𝔄'.repeat(10))).toEqual(['a'.repeat(10)]);
    expect(words('𐐨'.repeat(100))).toEqual(['𐐨'.repeat(64)]);
  });

  it('takes no time for a letter under a tower of accents', () => {
    expect(words(`a${'\u0301'.repeat(1_000_000)}b`)).toEqual(['a']);
  });
});

describe('queryWords', () => {
  it.each([
    ['Crème-BRÛLÉE v1', ['creme', 'brulee', 'v1']],
    ['翻译服务', ['翻译', '服务']],
    ['翻', ['翻']],
    ['翻译API 2', ['翻译', 'api', '2']],
    ['한국어 번역', ['한국어', '번역']],
    ['— !?', []],
    ['', []],
  ])('asks %j for %j', (text, expected) => {
    expect(queryWords(text)).toEqual(expected);
  });

  test.prop([
    fc.string({ unit: fc.constantFrom(...'高质量翻译服务のひらがなカタカナ한ไทยမြ𠮷aÉ1- '), maxLength: 30 }),
  ])('asks a text only for words that it has', (text) => {
    const has = new Set(words(text));
    for (const word of queryWords(text)) expect(has).toContain(word);
  });

  it('cuts words as an index does', () => {
    expect(queryWords('a'.repeat(100))).toEqual(words('a'.repeat(100)));
  });
});
