import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, excerpt, hasUnsafeText, quote, show } from '../../src/protocol/text.ts';

describe('hasUnsafeText', () => {
  it.each([
    ['an escape sequence', '\u001b[31mred'],
    ['a C1 control', '\u009b31m'],
    ['DEL', '\u007f'],
    ['a lone carriage return', 'safe\rover'],
    ['a bidirectional override', 'a\u202eb'],
    ['a bidirectional isolate', 'a\u2066b'],
    ['a zero-width space', 'a\u200bb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a byte order mark', 'a\ufeffb'],
    ['a Hangul filler', '\u3164'],
    ['tag characters', 'a\u{e0041}\u{e0042}'],
    ['a run of variation selectors', 'a\ufe00\ufe01\ufe02'],
    ['a run of joiners', 'a\u200d\u200c\u200d'],
    ['a line separator', 'a\u2028b'],
    ['a lone surrogate', 'a\ud800b'],
  ])('sees %s', (_, text) => expect(hasUnsafeText(text)).toBe(true));

  it.each([
    ['lines and tabs', 'a\n\tb\r\nc'],
    ['emoji of several parts', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f\u200d\u{1f525}'],
    ['Persian with a non-joiner', '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc'],
    ['Hebrew with a mark', '\u05d0\u200f!'],
    ['an ideograph with a variation', '\u845b\u{e0100}'],
    ['accents and astral letters', 'e\u0301 \u{20000}'],
  ])('passes %s', (_, text) => expect(hasUnsafeText(text)).toBe(false));
});

describe('excerpt', () => {
  it('escapes what cannot be seen and leaves the rest alone', () => {
    expect(excerpt('é \u001b\n"\\\u202e\u{e0041}\ud800 😀')).toBe(
      'é \\u001b\\n\\"\\\\\\u202e\\udb40\\udc41\\ud800 😀',
    );
  });

  it('cuts at the limit, never inside an escape or a character', () => {
    expect(excerpt('abcdef', 6)).toBe('abcdef');
    expect(excerpt('abcdefg', 6)).toBe('abcde…');
    expect(excerpt('abc\u001bx', 8)).toBe('abc…');
    expect(excerpt('abcd😀fg', 6)).toBe('abcd…');
  });

  it('is never longer than the limit, and whole whenever it fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (text, limit) => {
          const shown = excerpt(text, limit);
          expect(shown.length).toBeLessThanOrEqual(limit);
          expect(shown).not.toMatch(/[\p{Cc}\p{Cs}]/u);
          const whole = excerpt(text, 1000);
          if (whole.length <= limit) expect(shown).toBe(whole);
          else expect(whole.startsWith(shown.slice(0, -1))).toBe(true);
        },
      ),
    );
  });
});

describe('cleanText', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['C1 sequences', '\u009b2Ja', '2Ja'],
    ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\click', 'click'],
    ['a sequence without an end', 'a\u001b]0;rest', 'a]0;rest'],
    ['a sequence within a sequence', '\u001b[\u001b[2J2J', '[2J'],
    ['bidirectional overrides and isolates', 'a\u202egnp.exe\u202c\u2066b', 'agnp.exeb'],
    ['tag characters', 'a\u{e0041}\u{e0042}\u{e007f}b', 'ab'],
    ['variation selectors that carry bytes', '\u{1f600}\u{e0141}\u{e0142}\ufe01', '\u{1f600}'],
    ['joiners between Latin letters', 'i\u200dg\u200cn\ufe0fore', 'ignore'],
    ['fillers, hyphens and marks that cannot be seen', '\u3164a\u00ad\u200b\u200e\ufeffb', 'ab'],
    ['lone surrogates', 'a\ud800\u200b\udc00b', 'ab'],
    ['NUL and BEL', 'a\u0000\u0007b', 'ab'],
  ])('takes out %s', (_, text, clean) => expect(cleanText(text)).toBe(clean));

  it('makes all line ends alike', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u2029e\u0085f\n\tg')).toBe('a\nb\nc\nd\ne\nf\n\tg');
  });

  it.each([
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f\u200d\u{1f525} \u{1f469}\u{1f3fd}\u200d\u{1f680}',
    '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc \u0915\u094d\u200d\u0937',
    'e\u0301 \u{20000} \u7ffb\u8bd1 \u05e9\u05dc\u05d5\u05dd',
  ])('leaves writing as it is: %s', (text) => expect(cleanText(text)).toBe(text));

  it('leaves nothing unsafe, and nothing to do', () => {
    const pieces = fc.constantFrom(
      ...[
        '\u001b',
        '\u001b[',
        '\u001b]',
        '\u009b',
        '\u0007',
        '\\',
        ';',
        '2',
        'J',
        '\r',
        '\n',
        '\u2028',
        ' ',
        '\u2003',
      ],
      ...[
        'a',
        '\u00e9',
        '\u0646',
        '\u{1f600}',
        '\ufe0f',
        '\u200d',
        '\u200c',
        '\u202e',
        '\u{e0041}',
        '\ud800',
        '\udc00',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const clean = cleanText(text);
          expect(hasUnsafeText(clean)).toBe(false);
          expect(cleanText(clean)).toBe(clean);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

it('shows any value in a few words', () => {
  const values = [undefined, null, true, 7, -0, Number.NaN, 'v1', [1, 2], {}, 5n, Symbol('s'), () => 1];
  expect(values.map(show)).toEqual([
    ...['missing', 'null', 'boolean true', 'number 7', 'number 0', 'number NaN', '"v1"', 'array of 2'],
    ...['object', 'bigint', 'symbol', 'function'],
  ]);
  expect(quote('x'.repeat(1e6))).toHaveLength(80);
});
