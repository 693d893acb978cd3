import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseSkillUri, skillUri } from '../../src/mcp/skill-uri.ts';

describe('a skill URI', () => {
  const domains = fc.constantFrom(
    'a.example',
    'a.example:8443',
    'http://a.example',
    'http://127.0.0.1:80',
    '[::1]:8',
  );
  const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 512 });

  test.prop([domains, ids], { numRuns: 300 })('comes back as it was given', (domain, id) => {
    const uri = skillUri({ domain, id });
    expect(uri).toMatch(/^skill:\/\/[\w.~!'()*%-]+\/[\w.~!'()*%-]+$/);
    expect(parseSkillUri(uri)).toEqual({ domain, id });
  });

  it.each(['..', '.', 'A/B', '?a=b#c', '%2F', 'a%', '__proto__', '\u202eevil', ' '])(
    'keeps the id %j',
    (id) => {
      expect(parseSkillUri(skillUri({ domain: 'http://a.example:8080', id }))).toEqual({
        domain: 'http://a.example:8080',
        id,
      });
    },
  );

  it.each([
    '',
    'skill://a.example',
    'skill://a.example/',
    'skill:///id',
    'skill:/a.example/id',
    'SKILL://a.example/id',
    'skill://a.example/id/more',
    'skill://a.example/id?query',
    'skill://a.example/id#part',
    'skill://a.example/%',
    'skill://a.example/%ff',
    'https://a.example/id',
  ])('is not %j', (uri) => {
    expect(parseSkillUri(uri)).toBeUndefined();
  });
});
