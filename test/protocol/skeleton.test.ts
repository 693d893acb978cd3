import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSkeleton, mixesScripts, skeleton } from '../../src/protocol/skeleton.ts';

describe('skeleton', () => {
  it.each([
    ['case', 'Translate', 'tRANSLATE'],
    ['width', 'Translate', '\uff34ranslate'],
    ['compatibility forms', 'file \u2460', '\ufb01le 1'],
    ['composition', '\u00e1', 'a\u0301'],
    ['Cyrillic letters', 'paypal', '\u0440\u0430\u0443\u0440\u0430l'],
    ['Greek letters', 'oxo', '\u03bfx\u03bf'],
    ['mathematical letters', 'bank', '\u{1d5ef}\u{1d5ee}\u{1d5fb}\u{1d5f8}'],
    ['digits', 'goog1e 0', 'google o'],
    ['a bar', 'goog|e', 'google'],
    ['m and rn', 'modern', 'rnodern'],
    ['a capital I at the end', 'paypaI', 'paypal'],
    ['several', 'skiII', 'skill'],
    ['a capital I before a mark', 'paypaI.v1', 'paypal.v1'],
    ['invisible characters', 'pay\u200bpal', 'paypal'],
    ['a soft hyphen', 'pay\u00adpal', 'paypal'],
    ['tag characters', 'paypal\u{e0041}', 'paypal'],
  ])('is equal whatever the %s', async (_, a, b) => expect(await skeleton(a)).toBe(await skeleton(b)));

  it.each([
    ['Translate', 'Translator'],
    ['OpenAI', 'OpenAl'],
    ['myItem', 'myltem'],
    ['v1', 'v2'],
    ['\u7ffb\u8a33', '\u7ffb\u8b6f'],
    ['com.example.a', 'com.example.b'],
    ['a-b', 'ab'],
  ])('tells %s from %s', async (a, b) => expect(await skeleton(a)).not.toBe(await skeleton(b)));

  it('is the same as a function that waits for nothing, and in upper case', async () => {
    const now = await loadSkeleton();
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        expect(now(text)).toBe(await skeleton(text));
      }),
      { numRuns: 500 },
    );
    const ascii = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789.-_ ') });
    fc.assert(fc.property(ascii, (text) => now(text) === now(text.toUpperCase())));
  });

  it('needs no table for ASCII to agree with the table', async () => {
    const now = await loadSkeleton();
    // A trailing letter of another script makes the whole text go through the table.
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(now(`${text} \u7ffb`)).toBe(`${now(`${text} `)}\u7ffb`);
      }),
      { numRuns: 500 },
    );
  });
});

describe('mixesScripts', () => {
  it.each([
    'p\u0430ypal',
    '\u041cicrosoft',
    'A\u0392C',
    'com.p\u0430ypal.pay',
    'one two thr\u0435e',
    'e\u0301\u0430',
  ])('sees %j', (text) => expect(mixesScripts(text)).toBe(true));

  it.each([
    ['ASCII', 'translate v1.2'],
    ['accents', 'na\u00efve \u010capek'],
    ['one script', '\u043f\u0435\u0440\u0435\u0432\u043e\u0434'],
    ['words in scripts of their own', 'API \u0434\u043b\u044f \u0391\u03b8\u03ae\u03bd\u03b1'],
    ['words divided by a mark', '\u043f\u0435\u0440\u0435\u0432\u043e\u0434-api'],
    ['Japanese with its three scripts', '\u65e5\u672c\u8a9e\u304b\u306aAPI'],
    ['a unit', '5\u00b5m'],
    ['emoji and digits', '\u{1f680}1a'],
  ])('passes %s: %s', (_, text) => expect(mixesScripts(text)).toBe(false));
});
