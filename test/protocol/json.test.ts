import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonLimits, parseJson } from '../../src/protocol/json.ts';
import { firstFault } from '../../src/protocol/json-fault.ts';

const failureOf = (text: string, options?: JsonLimits) => {
  const parsed = parseJson(text, options);
  return parsed.ok ? undefined : parsed.failure;
};

describe('parseJson', () => {
  it('drops one byte order mark, not two', () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(failureOf('\ufeff\ufeff{}')).toMatchObject({ code: 'NOT_JSON' });
  });

  it('keeps __proto__ an own member and pollutes nothing', () => {
    const parsed = parseJson('{"__proto__":{"polluted":true}}');
    expect(parsed.ok && Object.hasOwn(parsed.value as object, '__proto__')).toBe(true);
    expect(parsed.ok && (parsed.value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('takes the last of members with one name', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } });
  });

  it.each(['', ' \r\n\t', '\ufeff', '\ufeff \n'])('calls %j empty', (text) => {
    expect(failureOf(text)).toEqual({ code: 'EMPTY_BODY', message: 'The body is empty.' });
  });

  it.each([
    '<!doctype html><p>',
    '\n <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
    '\ufeff<html lang="en">',
    '<!-- a --><!-- b -->\n<html>',
    '<?xml version="1.0"?><!DOCTYPE html><html/>',
    '<head>',
    '<body class="x">',
    '<script>1</script>',
    '<h1>404</h1>',
  ])('recognises the web page %j', (text) => {
    expect(failureOf(text)?.code).toBe('HTML_INSTEAD');
  });

  it.each(['<?xml version="1.0"?><Error/>', '<rss version="2.0">', '<header>', '<', '<!-- never closed'])(
    'calls %j markup, but no web page',
    (text) => {
      expect(failureOf(text)).toMatchObject({
        code: 'NOT_JSON',
        message: expect.stringMatching(/^XML or other markup/),
      });
    },
  );

  it('judges long markup without going through it again and again', () => {
    expect(failureOf(`${' '.repeat(1e6)}${'<!--'.repeat(1e6)}`)?.code).toBe('NOT_JSON');
  });
});

describe('depth', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('is bounded at 64 unless told otherwise', () => {
    expect(parseJson(nested(64)).ok).toBe(true);
    expect(failureOf(nested(65))).toEqual({
      code: 'TOO_DEEP',
      message: 'The JSON is nested deeper than 64 levels.',
    });
    expect(failureOf('{"a":[{}]}', { maxDepth: 2 })?.code).toBe('TOO_DEEP');
    expect(parseJson('{"a":[{}]}', { maxDepth: 3 }).ok).toBe(true);
  });

  it('never recurses into what is too deep', () => {
    expect(failureOf(nested(100_000))?.code).toBe('TOO_DEEP');
    expect(failureOf('{"a":'.repeat(100_000))?.code).toBe('TOO_DEEP');
  });

  it('does not count brackets in strings', () => {
    expect(parseJson(JSON.stringify({ a: '[{'.repeat(100), b: '"[\\"' }), { maxDepth: 1 }).ok).toBe(true);
    expect(parseJson('["\\\\", [0]]', { maxDepth: 2 }).ok).toBe(true);
    expect(failureOf('["\\\\", [0]]', { maxDepth: 1 })?.code).toBe('TOO_DEEP');
  });

  it('is read as far as the longest string, escapes counted as they stand', () => {
    expect(parseJson('{"a":"1234"}', { maxStringLength: 4 }).ok).toBe(true);
    expect(failureOf('{"a":"12345"}', { maxStringLength: 4 })?.code).toBe('STRING_TOO_LONG');
    expect(failureOf('{"12345":0}', { maxStringLength: 4 })?.code).toBe('STRING_TOO_LONG');
    expect(failureOf('["\\"\\""]', { maxStringLength: 3 })?.code).toBe('STRING_TOO_LONG');
    expect(() => parseJson('1', { maxStringLength: 0 })).toThrow(TypeError);
  });

  it.each([0, -1, Number.NaN])('cannot be %d', (maxDepth) => {
    expect(() => parseJson('1', { maxDepth })).toThrow(new TypeError('maxDepth must be a positive number'));
  });
});

describe('NOT_JSON', () => {
  it.each([
    ['not found', 'Not JSON: unexpected "n" at line 1, column 1, near "not found".'],
    ['[1,]', 'Not JSON: unexpected "]" at line 1, column 4, near "[1,]".'],
    [
      '{\n  "a": 1,\n  b: 2\n}',
      'Not JSON: unexpected "b" at line 3, column 3, near "\\"a\\": 1,\\n  b: 2\\n}".',
    ],
    ['{"a":1', 'Not JSON: the text ends too early at line 1, column 7, after "{\\"a\\":1".'],
    ['["a\u001b"]', 'Not JSON: unexpected "\\u001b" at line 1, column 4, near "[\\"a\\u001b\\"]".'],
    ['{"a":1} {"a":2}', 'Not JSON: unexpected "{" at line 1, column 9, near "{\\"a\\":1} {\\"a\\":2}".'],
    ["{'a':1}", 'Not JSON: unexpected "\'" at line 1, column 2, near "{\'a\':1}".'],
    ['[NaN]', 'Not JSON: unexpected "N" at line 1, column 2, near "[NaN]".'],
    ['[01]', 'Not JSON: unexpected "1" at line 1, column 3, near "[01]".'],
    ['["\\x"]', 'Not JSON: unexpected "\\\\" at line 1, column 3, near "[\\"\\\\x\\"]".'],
    ['[😀]', 'Not JSON: unexpected "😀" at line 1, column 2, near "[😀]".'],
  ])('says where in %j', (text, message) => {
    expect(failureOf(text)).toEqual({ code: 'NOT_JSON', message });
  });

  it('says where in a long text without showing all of it', () => {
    const message = failureOf(`[${'1,'.repeat(1e6)}x${'1,'.repeat(1e6)}`)?.message ?? '';
    expect(message).toContain('unexpected "x" at line 1, column 2000002');
    expect(message.length).toBeLessThan(200);
  });
});

/** The judgement itself comes from JSON.parse; what must hold is that the place is right. */
describe('firstFault', () => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ':', ',', '"', '"a"', '"\\u00e9"', '"\\u00"', '\\', '\n', ' ', '\u00a0'],
    ...['0', '01', '-', '1.5', '1.', '2e', '2e5', 'true', 'tru', 'null', 'x', '\u0001'],
  );

  it('finds the end of the longest text that could still become JSON', () => {
    let faulty = 0;
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join('');
        if (parses(text)) return;
        faulty += 1;
        const at = firstFault(text);
        expect(at).toBeLessThanOrEqual(text.length);
        expect(completable(text.slice(0, at))).toBe(true);
        // A malformed number, literal or escape is pointed at where it begins or first goes wrong.
        if (/^[{}[\]:,"\s]/.test(text.slice(at))) expect(completable(text.slice(0, at + 1))).toBe(false);
      }),
      { numRuns: 2000, seed: 1 },
    );
    expect(faulty).toBeGreaterThan(1000);
  });

  function parses(text: string): boolean {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether some ending makes it JSON. */
  function completable(text: string): boolean {
    let closing = '';
    for (const [, bracket] of text.replace(/"(?:[^"\\]|\\.)*"?/g, '').matchAll(/([[{])|[\]}]/g)) {
      closing = bracket === undefined ? closing.slice(1) : (bracket === '[' ? ']' : '}') + closing;
    }
    const starts = [
      '',
      '0',
      '"',
      '""',
      '"":0',
      ':0',
      'rue',
      'ue',
      'e',
      'ull',
      'll',
      'l',
      '0000"',
      '000"',
      '00"',
    ];
    const endings = starts.flatMap((start) => [start, `${start}:0`, `"${start}:0`]);
    return endings.some((ending) => parses(text + ending + closing));
  }
});
