import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT } from '../../mocks/index.ts';
import { jsonText, printable } from '../../src/cli/text.ts';
import { hasUnsafeText } from '../../src/index.ts';

/** Text in which what is dangerous is common. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\u202e',
        '\u2066',
        '\u200b',
        '\ufeff',
        '\u{e0041}',
        '\ud800',
        '\r\n',
        '❤️',
      ),
      fc.constant(HOSTILE_TEXT),
    ),
  )
  .map((parts) => parts.join(''));

describe('printable', () => {
  test.prop([anyText, fc.integer({ min: 1, max: 60 })])(
    'is one harmless line of bounded length',
    (text, limit) => {
      const line = printable(text, limit);

      expect(hasUnsafeText(line)).toBe(false);
      expect(line).not.toMatch(/[\n\r\t]/);
      expect([...line].length).toBeLessThanOrEqual(limit);
    },
  );

  it('shows what it disarms, and leaves ordinary text of every script alone', () => {
    expect(printable('a\u001b[31mb\u202ec')).toBe('a\\u{1b}[31mb\\u{202e}c');
    expect(printable('tag \u{e0041} and \u200b')).toBe('tag \\u{e0041} and \\u{200b}');
    expect(printable('  two\r\n\tlines  ')).toBe('two lines');
    for (const text of ['Übersetzung – “ok”', '天気', 'שלום', 'مرحبا', 'I ❤️ \\d+', '🌦'])
      expect(printable(text)).toBe(text);
  });

  it('cuts by characters, not through them', () => {
    expect(printable('🌦'.repeat(11), 10)).toBe(`${'🌦'.repeat(9)}…`);
    expect(printable('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…');
    expect(printable(`${' '.repeat(1_000_000)}x`, 10)).toBe('…');
  });
});

describe('jsonText', () => {
  test.prop([fc.oneof(fc.jsonValue(), fc.dictionary(anyText, anyText)), fc.constantFrom(undefined, 2)])(
    'is the same value in harmless text',
    (value, indent) => {
      const text = jsonText(value, indent);

      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(hasUnsafeText(text)).toBe(false);
      if (indent === undefined) expect(text).not.toContain('\n');
    },
  );

  it('escapes in units of UTF-16', () => {
    expect(jsonText('\u007f\u202e\u{e0041}')).toBe('"\\u007f\\u202e\\udb40\\udc41"');
  });
});
