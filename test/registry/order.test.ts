import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { compareCodePoints } from '../../src/registry/order.ts';

describe('compareCodePoints', () => {
  it('puts astral characters last, unlike the order of UTF-16', () => {
    expect('\u{1f600}' < '\uff5e').toBe(true);
    expect(compareCodePoints('\u{1f600}', '\uff5e')).toBeGreaterThan(0);
  });

  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
  });
  test.prop([text, text], { numRuns: 1000 })('is the order of the UTF-8 bytes', (a, b) => {
    expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  });
});
