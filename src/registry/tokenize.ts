const MAX_TEXT = 32_768;
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
export function tokenize(text: string): string[] {
  const head = text.slice(0, MAX_TEXT);
  if (ASCII.test(head)) return head.toLowerCase().match(ASCII_WORD)?.map(cutWord) ?? [];
  const words: string[] = [];
  for (const run of fold(head).match(RUN) ?? []) {
    for (const piece of run.match(PIECE) ?? []) {
      if (STARTS_UNSPACED.test(piece)) words.push(...neighbours(piece));
      else words.push(cutWord(piece));
    }
  }
  return words;
}

function cutWord(piece: string): string {
  return piece.length <= MAX_TOKEN_LENGTH ? piece : Array.from(piece).slice(0, MAX_TOKEN_LENGTH).join('');
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(ACCENTED, '$1')
    .normalize('NFC');
}

function* neighbours(run: string): Generator<string, void> {
  let previous = '';
  for (const char of run) {
    yield char;
    if (previous) yield previous + char;
    previous = char;
  }
}

/**
 * The words of a question, each as {@link tokenize} would give it somewhere in a text. Where a script has no spaces,
 * `Intl.Segmenter` says which characters belong together: 翻译服务 asks for 翻译 and for 服务, wherever each of them stands. If it
 * cuts a text differently under another version of ICU, the same index still answers.
 */
export function queryWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of fold(text).matchAll(RUN)) {
    for (const [piece] of run.matchAll(PIECE)) {
      if (!STARTS_UNSPACED.test(piece)) words.push(cutWord(piece));
      else for (const word of segment(piece)) words.push(...pairs(word));
    }
  }
  return words;
}

let segmenter: Intl.Segmenter | undefined;

function segment(piece: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(piece)].map((part) => part.segment);
}

function pairs(word: string): string[] {
  const tokens = [...neighbours(word)];
  return tokens.length === 1 ? tokens : tokens.filter((token) => Array.from(token).length === 2);
}
