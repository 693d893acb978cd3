import { fc } from '@fast-check/vitest';
import compare from 'semver/functions/compare.js';
import satisfies from 'semver/functions/satisfies.js';
import { describe, expect, it } from 'vitest';
import { isWithin, parseVersionRange, versionKey } from '../../src/registry/version-range.ts';

const identifier = fc.oneof(
  fc.integer({ min: 0, max: 11 }).map(String),
  fc.constantFrom('alpha', 'beta', 'rc-1', 'a', 'A', '0a'),
);
const prerelease = fc.array(identifier, { minLength: 1, maxLength: 3 }).map((parts) => `-${parts.join('.')}`);
const versionUpTo = (max: number) => {
  const number = fc.integer({ min: 0, max });
  return fc
    .tuple(number, number, number, fc.option(prerelease, { nil: '' }))
    .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);
};
const near = versionUpTo(2);
const version = fc.oneof(near, versionUpTo(12));
const range = fc.oneof(
  fc.tuple(fc.constantFrom('^', '~', '>', '>=', '<', '<=', '=', ''), near).map((parts) => parts.join('')),
  fc.tuple(near, near).map(([from, to]) => `${from} - ${to}`),
  fc.tuple(near, near).map(([from, to]) => `>${from} <=${to} || ^${to}`),
  fc.constantFrom('*', '', '1.x', '1', '2.1', 'x', '>=1 <2', '<0.0.0-0'),
);

describe('versionKey', () => {
  it('orders as semver does', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const [keyA, keyB] = [versionKey(a), versionKey(b)];
        expect(keyA < keyB ? -1 : Number(keyA > keyB)).toBe(compare(a, b));
      }),
      { numRuns: 1_000 },
    );
  });

  it('orders numbers that no integer holds', () => {
    const [small, large] = [versionKey(`${'9'.repeat(20)}.0.0`), versionKey(`1${'0'.repeat(20)}.0.0`)];
    expect(small < large).toBe(true);
  });

  it('ignores build metadata, and knows no order of what is no version', () => {
    expect(versionKey('1.2.3+build')).toBe(versionKey('1.2.3'));
    expect(versionKey('latest')).toBe('');
  });
});

describe('parseVersionRange', () => {
  it('holds what semver says satisfies the range', async () => {
    await fc.assert(
      fc.asyncProperty(range, version, async (text, candidate) => {
        expect(isWithin(await parseVersionRange('version', text), versionKey(candidate))).toBe(
          satisfies(candidate, text),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('never holds what is no version', async () => {
    expect(isWithin(await parseVersionRange('version', '*'), versionKey('latest'))).toBe(false);
  });

  it('refuses what is no range', async () => {
    await expect(parseVersionRange('version', 'newest')).rejects.toThrow(
      'version: expected a range of semantic versions such as ^1.2.0',
    );
  });
});
