import { describe, expect, it } from 'vitest';
import { checkVersion } from '../../src/protocol/index.ts';

describe('checkVersion', () => {
  it.each([
    ['1.0.0', undefined],
    ['1.9.3', '1.0.0'],
    ['1.0.0', '1.9.3'],
    ['0.1.0', '0.2.0'],
    ['9007199254740993.0.0', '9007199254740993.1.0'],
    [`${'9'.repeat(300)}.0.0`, `${'9'.repeat(300)}.1.0`],
    ['1.99999999999999999999.0', '1.0.0'],
  ])('takes %s as a consumer of %s', (document, supported) => {
    expect(checkVersion(document, supported)).toEqual({ compatible: true });
  });

  it.each([
    ['2.0.0', '1.5.0', '1.x.x'],
    ['1.5.0', '2.0.0', '2.x.x'],
    ['0.9.0', '1.0.0', '1.x.x'],
    ['10.0.0', '1.0.0', '1.x.x'],
    ['9007199254740992.0.0', '9007199254740993.0.0', '9007199254740993.x.x'],
    ['100000000000000000000.0.0', '1.0.0', '1.x.x'],
  ])('refuses %s as a consumer of %s', (document, supported, range) => {
    expect(checkVersion(document, supported)).toEqual({
      compatible: false,
      details: { descriptor_version: document, consumer_supported_range: range },
    });
  });

  it('reports a version without end as an excerpt', () => {
    const judgement = checkVersion(`2.0.${'1'.repeat(100_000)}`);
    expect(!judgement.compatible && judgement.details.descriptor_version).toMatch(/^2\.0\.1+…$/);
  });

  it.each(['v1.0.0', '1.0', '01.0.0', '1.0.0-rc.1', '1.0.0\n', ' 1.0.0', '', 1, ['1.0.0'], null])(
    'calls %j no version',
    (bad) => {
      expect(() => checkVersion(bad as string)).toThrow(
        /^documentVersion must be MAJOR\.MINOR\.PATCH, but is /,
      );
      expect(() => checkVersion('1.0.0', bad as string)).toThrow(
        /^supported must be MAJOR\.MINOR\.PATCH, but is /,
      );
      expect(() => checkVersion(bad as string)).toThrow(TypeError);
    },
  );
});
