import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonValue, protocolSemVer } from '../../mocks/arbitraries.ts';
import { checkVersion, validateProtocolVersion } from '../../src/protocol/index.ts';

/** Three non-negative integers without leading zeros, judged without a pattern. */
function isVersion(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const numbers = value.split('.');
  return numbers.length === 3 && numbers.every((text) => text !== '' && isInteger(text));
}

function isInteger(text: string): boolean {
  if (text.length > 1 && text.startsWith('0')) return false;
  return [...text].every((digit) => '0123456789'.includes(digit));
}

/** Versions, near misses one edit away from one, and anything else. */
const candidate = fc.oneof(
  protocolSemVer(),
  fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 2, maxLength: 4 })
    .map((all) => all.join('.')),
  fc
    .tuple(
      protocolSemVer(),
      fc.nat(12),
      fc.nat(1),
      fc.constantFrom('', '.', '0', '-', '+', 'v', ' ', '\n', '-rc.1', '+b', '\u0661', '\uff11', 'x'),
    )
    .map(([text, at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed)),
  jsonValue(),
);

// Seen to fail when the pattern allows leading zeros, a trailing line end, or Unicode digits.
test('Feature: skill-sharing-protocol, Property 9: a protocol version is MAJOR.MINOR.PATCH, three non-negative integers', () => {
  fc.assert(
    fc.property(candidate, (version) => {
      expect(validateProtocolVersion({ version }).ok).toBe(isVersion(version));
      if (isVersion(version))
        expect(checkVersion(String(version), String(version))).toEqual({ compatible: true });
      else expect(() => checkVersion(version as string)).toThrow(TypeError);
    }),
    { numRuns: 1000 },
  );
});
