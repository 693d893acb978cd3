/** Text that strangers wrote: how it is shown, and what is suspicious about it. */

const NEEDS_ESCAPE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}"\\]/u;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

// Control characters other than tab and line ends; lone surrogates; line separators; what is invisible or reorders the
// text around it. Allowed is what ordinary writing needs one by one: joiners and marks of right-to-left and Indic scripts,
// variation selectors of emoji and ideographs. Three such in a row hide something.
const UNSAFE = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]',
    '\\r(?!\\n)',
    '[\\p{Cs}\\p{Zl}\\p{Zp}\\ufff9-\\ufffb]',
    '(?![\\u200c-\\u200f\\u061c\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}',
    '\\p{Default_Ignorable_Code_Point}{3}',
  ].join('|'),
  'u',
);

/** Most texts: no other expression has to look at them. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * Whether a text holds characters that can deceive whoever reads it: control and escape characters, bidirectional
 * overrides and isolates, invisible and tag characters, lone surrogates. Tabs, line ends, emoji and every script pass.
 */
export function hasUnsafeText(text: string): boolean {
  return !PLAIN.test(text) && UNSAFE.test(text);
}

function escaped(char: string): string {
  const short = JSON.stringify(char).slice(1, -1);
  if (short !== char) return short;
  const units = Array.from({ length: char.length }, (_, i) => char.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A message in which all that is invisible or reorders text is escaped as in JSON; cut at `limit` characters. */
export function neutralize(text: string, limit = 2000): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return shown.replace(INVISIBLE, escaped);
}

const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;
// Sequences that steer terminals (ECMA-48), with the text that they would not show; runs of what cannot be seen.
const HIDDEN =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|(?:(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}])+/gu;
/** What joins emoji, and the letters of scripts that need it. */
const JOINER = /^(?:\ufe0f?[\u200c\u200d]|\ufe0f)$/;
const JOINABLE = /[^\0-\x7f\s]/;

/**
 * The text without what cannot be seen or steers what shows it: control characters and escape sequences, characters that
 * reorder text, tag characters, variation selectors, lone surrogates. Tabs and line ends stay, every one of these as `\n`, and
 * so do the joiners of emoji and of scripts other than Latin. Done twice it changes nothing more.
 */
export function cleanText(text: string): string {
  const lines = text.replace(LINE_END, '\n');
  return lines.replace(HIDDEN, (run, at: number) =>
    JOINER.test(run) && JOINABLE.test(lines.charAt(at - 1)) ? run : '',
  );
}

/** One line of at most `limit` characters, what is invisible escaped as in JSON; `…` stands for a rest that was cut. */
export function excerpt(text: string, limit = 80): string {
  const pieces: string[] = [];
  let length = 0;
  for (const char of text.slice(0, limit + 1)) {
    const piece = NEEDS_ESCAPE.test(char) ? escaped(char) : char;
    pieces.push(piece);
    length += piece.length;
  }
  if (length <= limit) return pieces.join('');
  while (length >= limit) length -= pieces.pop()?.length ?? length;
  return `${pieces.join('')}…`;
}

/** {@link excerpt} between double quotes: at most 80 characters with them. */
export function quote(text: string): string {
  return `"${excerpt(text, 78)}"`;
}

/** Any value in a few words: `missing`, `number 7`, `"v1"`, `array of 3`. At most 80 characters. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  if (Array.isArray(value)) return `array of ${value.length}`;
  return typeof value;
}
