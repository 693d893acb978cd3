/** What strangers wrote, made safe to print. */

// Control characters, whatever reorders or hides text, tag characters, lone surrogates. The variation selector that makes
// an emoji of a symbol may stay where it does so.
const UNSAFE =
  /(?<!\p{Extended_Pictographic})\ufe0f|(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The same without what JSON.stringify escapes by itself; a raw control character below U+0020 is then its own line end. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * One line of at most `limit` characters for a terminal: white space is one space, whatever could steer the terminal, reorder
 * or hide text is shown as `\u{…}`, and `…` stands for a rest that was cut.
 */
export function printable(text: string, limit = 200): string {
  const line = text
    .slice(0, 8 * limit)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line.replace(UNSAFE, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)];
  if (characters.length <= limit && text.length <= 8 * limit) return characters.join('');
  return `${characters.slice(0, limit - 1).join('')}…`;
}

/** JSON for a terminal or a file: the same value as JSON.stringify writes, with everything invisible escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, null, indent));
}

/** JSON text of the same value with everything invisible escaped. */
export const escapedJson = (text: string): string => text.replace(UNSAFE_IN_JSON, escapeUnits);

function escapeUnits(char: string): string {
  const units = Array.from({ length: char.length }, (_, i) => char.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Text of several lines for a terminal: whatever could steer it, reorder or hide text is shown as `\u{…}`. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}
