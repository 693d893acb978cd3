import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as arbitraries from '../../mocks/arbitraries.ts';
import { createProvider, descriptorPath } from '../../mocks/provider.ts';
import * as protocol from '../../src/protocol/index.ts';

const { jsonValue, mockProvider, skillDescriptor, skillId } = arbitraries;

/** Whether some generated value is such. */
const occurs = <T>(arbitrary: fc.Arbitrary<T>, is: (value: T) => boolean) =>
  fc.sample(arbitrary, { numRuns: 1500, seed: 1 }).some(is);

const textOf = (value: unknown) => JSON.stringify(value);

describe('what is generated is valid', () => {
  test.each([
    ['descriptors', skillDescriptor(), protocol.validateSkillDescriptor],
    ['indexes', arbitraries.skillIndex(), protocol.validateSkillIndex],
    ['entries', arbitraries.skillIndexEntry(), protocol.validateSkillIndexEntry],
    ['protocol versions', arbitraries.protocolVersion(), protocol.validateProtocolVersion],
    ['requests', arbitraries.invocationRequest(), protocol.validateInvocationRequest],
    ['responses', arbitraries.invocationResponse(), protocol.validateInvocationResponse],
  ] as [string, fc.Arbitrary<unknown>, (value: unknown) => protocol.Validation<unknown>][])(
    '%s',
    (_name, arbitrary, validate) => {
      fc.assert(
        fc.property(arbitrary, (value) => validate(value).ok),
        { numRuns: 300 },
      );
    },
  );

  test('parts and versions, as parts of a descriptor', () => {
    fc.assert(
      fc.property(
        fc.record({
          id: skillId(),
          version: arbitraries.semVer(),
          provider: arbitraries.provider(),
          inputs: fc.array(arbitraries.parameterDefinition()),
          output: arbitraries.outputDefinition(),
          auth: arbitraries.authConfig(),
        }),
        skillDescriptor(),
        (parts, descriptor) => protocol.validateSkillDescriptor({ ...descriptor, ...parts }).ok,
      ),
      { numRuns: 300 },
    );
  });
});

describe('what trips careless code occurs', () => {
  test.each([
    ['an own __proto__', (value) => /"__proto__":/.test(textOf(value))],
    ['-0', (value) => Object.is(value, -0)],
    ['astral characters', (value) => /[\u{10000}-\u{10ffff}]/u.test(textOf(value))],
    ['nesting', (value) => /\[\[|\{"[^"]*":\{/.test(textOf(value))],
  ] as [string, (value: protocol.JsonValue) => boolean][])('%s in JSON values', (_what, is) => {
    expect(occurs(jsonValue(), is)).toBe(true);
  });

  test.each(['__proto__', 'constructor', '..', 'x'.repeat(512)])('the id %s', (id) => {
    expect(occurs(skillId(), (value) => value === id)).toBe(true);
  });

  test('unknown members at the top and deep inside of descriptors', () => {
    expect(occurs(skillDescriptor(), (value) => Object.hasOwn(value, '__proto__'))).toBe(true);
    expect(occurs(skillDescriptor(), ({ auth }) => Object.hasOwn(auth.oauth2 ?? {}, '__proto__'))).toBe(true);
  });

  test('lone surrogates only when asked for', () => {
    const isLone = (value: protocol.JsonValue) => /\\ud[89a-f]/.test(textOf(value));
    expect(occurs(jsonValue({ loneSurrogates: true }), isLone)).toBe(true);
    expect(occurs(jsonValue(), isLone)).toBe(false);
    expect(occurs(skillDescriptor(), (value) => /\\ud[89a-f]/.test(textOf(value)))).toBe(false);
  });
});

test('an override replaces a member and makes it present', () => {
  const descriptor = skillDescriptor({ access: fc.constant('private'), tags: fc.constant(['a']) });
  fc.assert(fc.property(descriptor, ({ access, tags }) => access === 'private' && tags?.[0] === 'a'));
});

test('a version has the MAJOR that was asked for', () => {
  fc.assert(fc.property(arbitraries.protocolSemVer(3), (version) => /^3\.\d+\.\d+$/.test(version)));
});

test('a mock provider is one that createProvider takes, and serves its skills', async () => {
  await fc.assert(
    fc.asyncProperty(mockProvider(), async (options) => {
      const { handle } = createProvider(options);
      for (const skill of options.skills) {
        const url = new URL(descriptorPath(skill.id), `https://${options.domain}`);
        const response = await handle(
          new Request(url, { headers: { authorization: `Bearer ${options.token}` } }),
        );
        expect(await response.text()).toBe(textOf(skill));
      }
    }),
  );
});
