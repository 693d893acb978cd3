import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonValue, skillDescriptor, skillIndexEntry } from '../../mocks/arbitraries.ts';
import { validateSkillDescriptor, validateSkillIndexEntry } from '../../src/protocol/index.ts';

/** Written out from the property, not taken from the code that is judged. */
const DOMAINS = {
  '/capability_type': ['plugin', 'api', 'knowledge', 'task'],
  '/access': ['public', 'restricted', 'private'],
  '/auth/type': ['api_key', 'oauth2', 'custom', 'none'],
};

const legal = Object.values(DOMAINS).flat();
/** Any JSON value, texts that come close to a legal one, and what other protocols would say. */
const value = fc.oneof(
  fc.constantFrom(...legal),
  fc
    .tuple(fc.constantFrom(...legal), fc.constantFrom('', ' ', '\u200b', 's', '\n'))
    .chain(([text, mark]) => fc.constantFrom(text + mark, mark + text, text.toUpperCase(), text.slice(1))),
  fc.constantFrom(...legal).map((text) => [text]),
  fc.constantFrom('agent', 'tool', 'service', 'protected', 'internal', 'basic', 'bearer', 'oauth', ''),
  jsonValue(),
);

// Seen to fail when the schema loses `task`, when it gains an access of `protected`, and when auth.type is any string.
test('Feature: skill-sharing-protocol, Property 2: enumerated members hold exactly the values of their domain', () => {
  fc.assert(
    fc.property(skillDescriptor(), skillIndexEntry(), value, (descriptor, entry, candidate) => {
      const documents = [
        ['/capability_type', validateSkillDescriptor({ ...descriptor, capability_type: candidate })],
        ['/access', validateSkillDescriptor({ ...descriptor, access: candidate })],
        [
          '/auth/type',
          validateSkillDescriptor({ ...descriptor, auth: { ...descriptor.auth, type: candidate } }),
        ],
        ['/capability_type', validateSkillIndexEntry({ ...entry, capability_type: candidate })],
        ['/access', validateSkillIndexEntry({ ...entry, access: candidate })],
      ] as const;
      for (const [field, judged] of documents) {
        const domain: unknown[] = DOMAINS[field];
        expect(judged.ok ? [] : judged.violations.map((violation) => violation.field)).toEqual(
          domain.includes(candidate) ? [] : [field],
        );
      }
    }),
    { numRuns: 100 },
  );
});
