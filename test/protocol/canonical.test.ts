import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/protocol/index.ts';
import { canonical } from '../support/canonical.ts';

describe('canonicalJson', () => {
  test.prop([fc.jsonValue({ stringUnit: 'binary' })])('is what RFC 8785 says', (value) => {
    const parsed = JSON.parse(JSON.stringify(value));
    expect(canonicalJson(parsed)).toBe(canonical(parsed));
  });

  it.each([
    ['the order of members', '{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'],
    ['the order by UTF-16 units', '{"\\ufb33":1,"\\ud83d\\ude00":2}', '{"😀":2,"\ufb33":1}'],
    ['numbers', '[-0,1e3,1E-7,1.50]', '[0,1000,1e-7,1.5]'],
    ['an own __proto__', '{"__proto__":{"b":1}}', '{"__proto__":{"b":1}}'],
    ['lone surrogates', '["\\ud800"]', '["\\ud800"]'],
  ])('does not depend on %s', (_, text, expected) => {
    expect(canonicalJson(JSON.parse(text))).toBe(expected);
  });
});
