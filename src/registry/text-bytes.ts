const WIDE = /[^\0-\xff]/;

/** What an engine needs for the characters of a string: one byte each, or two where one of them is beyond Latin-1. */
export function textBytes(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length;
}
