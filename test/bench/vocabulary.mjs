// Words whose frequencies follow Zipf's law, the same on every machine.
import { createHash } from 'node:crypto';

/** Reproducible chance (mulberry32): numbers in [0, 1). */
export function createRandom(seed) {
  let state = createHash('sha256').update(seed).digest().readInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = (random, from) => from[Math.floor(random() * from.length)];
export const between = (random, least, most) => least + Math.floor(random() * (most - least + 1));

/** Gives ranks from 0 on; rank r as often as 1 / (r + 2.7) is to all others (Mandelbrot). */
export function zipf(size) {
  const ranks = new Uint16Array(2 ** 20);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) sum += 1 / (rank + 2.7);
  let slot = 0;
  let reached = 0;
  for (let rank = 0; rank < size; rank++) {
    reached += ranks.length / (rank + 2.7) / sum;
    while (slot < reached && slot < ranks.length) ranks[slot++] = rank;
  }
  return (random) => ranks[Math.floor(random() * ranks.length)];
}

/** `size` distinct words of `syllables`, the frequent ones short. */
function makeWords(name, size, syllables) {
  const random = createRandom(name);
  const words = new Set();
  while (words.size < size) {
    const count = 1 + Math.min(3, Math.floor(Math.log10(words.size + 10) * (0.5 + random())));
    words.add(Array.from({ length: count }, () => pick(random, syllables)).join(''));
  }
  return [...words];
}

const span = (from, count) => Array.from({ length: count }, (_, i) => String.fromCodePoint(from + i));
const LATIN = [...'bcdfghklmnprstvz', 'st', 'tr', 'pl', 'sh'].flatMap((start) =>
  ['a', 'e', 'i', 'o', 'u', 'an', 'er', 'in', 'on', 'al'].map((end) => start + end),
);
/** Frequent characters of Chinese and Japanese lie all over the block; 2,000 stand for them. */
const HAN = span(0x4e00, 20_000).filter((_, i) => i % 10 === 0);
const KATAKANA = span(0x30a2, 70);

/** By how often they occur, the most frequent first. */
export const WORDS = {
  latin: makeWords('latin', 50_000, LATIN),
  chinese: makeWords('chinese', 20_000, HAN),
  japanese: makeWords('japanese', 20_000, [...HAN, ...KATAKANA]),
};

/** The word that stands in about a third of all descriptions. */
export const COMMON = { latin: 'translate', chinese: '翻译', japanese: '翻訳' };
