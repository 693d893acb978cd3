import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonValue, skillDescriptor } from '../../mocks/arbitraries.ts';
import { parse, type SkillDescriptor, serialize } from '../../src/protocol/index.ts';

/** Any descriptor, and more often than by chance one with odd members: -0, `__proto__`, odd Unicode, own `toJSON` texts. */
const descriptor = fc
  .tuple(skillDescriptor(), jsonValue(), fc.constantFrom('__proto__', 'constructor', 'toJSON', '\u2028', 'x'))
  .map(([usual, value, name]): SkillDescriptor => ({ ...usual, ...Object.fromEntries([[name, value]]) }));

// Seen to fail when the reader assigns members instead of defining them (`__proto__` is lost), when serialize leaves some
// members out, and when it rounds numbers to 15 digits.
test('Feature: skill-sharing-protocol, Property 3: parse(serialize(d)) equals d in canonical JSON', () => {
  fc.assert(
    fc.property(descriptor, (original) => {
      const reading = parse(serialize(original));
      expect(reading.ok).toBe(true);
      expect(canonicalize(reading.ok && reading.value)).toBe(canonicalize(original));
    }),
    { numRuns: 500 },
  );
});
