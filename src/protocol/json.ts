import type { ErrorCode, Failure } from '../errors.ts';
import { firstFault } from './json-fault.ts';
import { quote } from './text.ts';

/** Deepest nesting of arrays and objects that is read, unless told otherwise. */
export const DEFAULT_MAX_DEPTH = 64;
/** Longest string that is read, in UTF-16 units between its quotes, unless told otherwise. */
export const DEFAULT_MAX_STRING_LENGTH = 2 ** 21;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export type ParsedJson = { ok: true; value: unknown } | { ok: false; failure: Failure };

export interface JsonLimits {
  /** Of objects and arrays. Default 64. */
  maxDepth?: number | undefined;
  /** Of one string, in UTF-16 units between its quotes. Default 2,097,152. */
  maxStringLength?: number | undefined;
}

/**
 * Reads JSON (RFC 8259) that a stranger wrote. Never throws for the text.
 *
 * One leading byte order mark is dropped. Of members with the same name the last one counts. `__proto__` is an ordinary
 * own member. Nesting is measured on the text, before anything recurses into it.
 *
 * Codes: `EMPTY_BODY`, `HTML_INSTEAD`, `TOO_DEEP`, `STRING_TOO_LONG`, `NOT_JSON`. Throws a TypeError when a limit is not a
 * positive number.
 */
export function parseJson(text: string, limits: JsonLimits = {}): ParsedJson {
  const { maxDepth = DEFAULT_MAX_DEPTH, maxStringLength = DEFAULT_MAX_STRING_LENGTH } = limits;
  if (!(maxDepth > 0)) throw new TypeError('maxDepth must be a positive number');
  if (!(maxStringLength > 0)) throw new TypeError('maxStringLength must be a positive number');
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const start = body.trimStart().slice(0, 4096);
  if (start === '') return failed('EMPTY_BODY', 'The body is empty.');
  if (start.startsWith('<')) return refuseMarkup(start);
  const excess = exceeds(body, maxDepth, maxStringLength);
  if (excess !== undefined) return excess;
  try {
    return { ok: true, value: JSON.parse(body) };
  } catch {
    return failed('NOT_JSON', describeFault(body));
  }
}

function failed(code: ErrorCode, message: string): ParsedJson {
  return { ok: false, failure: { code, message } };
}

const PROLOG = /^(?:\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)*/;
const HTML =
  /^<(?:!doctype\s+html|(?:html|head|body|script|style|meta|link|title|div|span|p|a|br|hr|h[1-6]|center|table|img|svg|main|form|pre|noscript|iframe|frameset)(?=[\s/>]|$))/i;

function refuseMarkup(start: string): ParsedJson {
  return HTML.test(start.replace(PROLOG, ''))
    ? failed('HTML_INSTEAD', `A web page stands where JSON was expected: it begins with ${quote(start)}.`)
    : failed(
        'NOT_JSON',
        `XML or other markup stands where JSON was expected: it begins with ${quote(start)}.`,
      );
}

function exceeds(text: string, maxDepth: number, maxStringLength: number): ParsedJson | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      const start = i + 1;
      i = endOfString(text, i);
      if (i - start > maxStringLength) {
        return failed('STRING_TOO_LONG', `A string is longer than ${maxStringLength} characters.`);
      }
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return failed('TOO_DEEP', `The JSON is nested deeper than ${maxDepth} levels.`);
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return undefined;
}

/** Position of the quote that ends the string begun at `start`, or the text's length where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function describeFault(text: string): string {
  const at = firstFault(text);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const where = `line ${line}, column ${column}`;
  const context = quote(text.slice(Math.max(0, at - 10), at + 30));
  return at === text.length
    ? `Not JSON: the text ends too early at ${where}, after ${quote(text.slice(-40))}.`
    : `Not JSON: unexpected ${quote(String.fromCodePoint(text.codePointAt(at) ?? 0))} at ${where}, near ${context}.`;
}
