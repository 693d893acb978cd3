import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { skillDescriptor } from '../../mocks/arbitraries.ts';
import { validateSkillDescriptor } from '../../src/protocol/index.ts';

/** Written out from the property, not taken from the code that is judged. */
const REQUIRED = [
  'protocol',
  'id',
  'name',
  'version',
  'capability_type',
  'description',
  'provider',
  'endpoint',
  'inputs',
  'output',
  'auth',
  'access',
];

// Seen to fail when the schema no longer requires `output`, and when members of the prototype count as present.
test('Feature: skill-sharing-protocol, Property 1: a descriptor is valid only with all of its required members', () => {
  fc.assert(
    fc.property(
      skillDescriptor(),
      fc.subarray([...REQUIRED, 'protocol/version'], { minLength: 1 }),
      (descriptor, removed) => {
        expect(validateSkillDescriptor(descriptor)).toEqual({ ok: true, value: descriptor });

        const { version, ...protocol } = descriptor.protocol;
        const incomplete = Object.create(descriptor, {
          ...Object.getOwnPropertyDescriptors(descriptor),
          ...(removed.includes('protocol/version') && {
            protocol: { value: protocol, enumerable: true, configurable: true },
          }),
        });
        for (const member of removed) delete incomplete[member];
        const judged = validateSkillDescriptor(incomplete);
        const expected = removed.includes('protocol')
          ? removed.filter((name) => name !== 'protocol/version')
          : removed;
        expect(judged.ok ? [] : judged.violations.map(({ field }) => field).sort()).toEqual(
          expected.map((name) => `/${name}`).sort(),
        );
      },
    ),
    { numRuns: 100 },
  );
});
