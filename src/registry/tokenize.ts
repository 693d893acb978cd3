import type { StoredSkill } from './store.ts';

const MAX_TEXT = 32_768;
const MAX_TOKENS = 512;
const MAX_TOKEN_LENGTH = 64;

// The same for plain English and most identifiers, five times as fast.
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
// Scripts written without spaces between words.
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const PIECE = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/**
 * The words of a text, by which skills are indexed and searched: compatibility forms, case and the accents of Latin, Greek
 * and Cyrillic are folded; a word is a run of letters and digits, so `com.example.translate-v1` has four.
 *
 * Scripts that put no spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) give every character and every
 * two neighbours instead. `Intl.Segmenter` would cut them by dictionary, but its cuts depend on the context and on the ICU
 * version: what it makes of 翻译 alone need not be among what it makes of a sentence with 翻译 in it. Neighbours always are,
 * and an index written under one version of Node is read under another.
 *
 * In the order of the text, repeats included. Reads the first 32,768 UTF-16 units; words are cut to 64 code points.
 */
export function* tokenize(text: string): Generator<string, void> {
  const head = text.slice(0, MAX_TEXT);
  if (ASCII.test(head)) {
    for (const [word] of head.toLowerCase().matchAll(ASCII_WORD)) yield word.slice(0, MAX_TOKEN_LENGTH);
    return;
  }
  for (const [run] of fold(head).matchAll(RUN)) {
    for (const [piece] of run.matchAll(PIECE)) {
      if (STARTS_UNSPACED.test(piece)) yield* neighbours(piece);
      else if (piece.length <= MAX_TOKEN_LENGTH) yield piece;
      else yield Array.from(piece).slice(0, MAX_TOKEN_LENGTH).join('');
    }
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFD').replace(ACCENTED, '$1').normalize('NFC');
}

// The pair comes last, so that a prefix search for the last token of a query stays as narrow as the query.
function* neighbours(run: string): Generator<string, void> {
  let previous = '';
  for (const char of run) {
    yield char;
    if (previous) yield previous + char;
    previous = char;
  }
}

/** The distinct words a skill is found by: of its id, name, tags and description, in this order, the first 512. */
export function skillWords(skill: StoredSkill): Set<string> {
  const words = new Set<string>();
  for (const text of [skill.id, skill.name, ...(skill.descriptor.tags ?? []), skill.description]) {
    for (const word of tokenize(text)) {
      words.add(word);
      if (words.size === MAX_TOKENS) return words;
    }
  }
  return words;
}
