import { describe, expect, it } from 'vitest';
import { filterGroups, skillTokens, wordToken } from '../../src/registry/index.ts';
import { skillWords } from '../../src/registry/tokens.ts';
import { storedSkill } from '../support/stored-skill.ts';

const everything = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: false,
  limit: 1,
  total: false,
  facets: false,
};

describe('skillWords', () => {
  it('are those of name, tags, description and key, each with its best place', () => {
    const skill = storedSkill({
      domain: 'a.example',
      id: 'x.three',
      name: 'One two',
      tags: ['two-three', 'four'],
      description: 'four five',
    });
    expect([...skillWords(skill)]).toEqual([
      ['one', 0],
      ['two', 0],
      ['three', 1],
      ['four', 1],
      ['five', 2],
      ['x', 3],
      ['a', 3],
      ['example', 3],
    ]);
  });

  it('are bounded, and leave room for the key', () => {
    const description = Array.from({ length: 5_000 }, (_, i) => `w${i}`).join(' ');
    const words = skillWords(storedSkill({ id: 'com.example.key', description }));
    expect(words.size).toBeLessThanOrEqual(1_024);
    expect(words.get('w900')).toBe(2);
    expect(words.get('key')).toBe(3);
  });
});

describe('skillTokens', () => {
  it('are distinct, without spaces, quotes and ASCII capitals, whatever the skill says', () => {
    const text = 'A "b" \'c\' Ä%;\ud800 翻译 \0\n';
    const tokens = skillTokens(
      storedSkill({ name: text, tags: [text, 'b', 'B', '%62;'], description: text }),
    );
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^[^\sA-Z"']+$/);
  });

  it('answer each filter of a query, and only those that hold', () => {
    const skill = storedSkill({
      capability_type: 'task',
      access: 'restricted',
      auth: { type: 'oauth2' },
      tags: ['a b', 'ä'],
    });
    const tokens = new Set(skillTokens(skill));
    const holds = (query: Partial<Parameters<typeof filterGroups>[0]>) =>
      filterGroups({ ...everything, ...query }).every((group) => group.some((token) => tokens.has(token)));
    expect(holds({})).toBe(true);
    expect(holds({ includePrivate: false })).toBe(true);
    expect(holds({ capabilityTypes: ['api', 'task'], access: ['restricted'], authTypes: ['oauth2'] })).toBe(
      true,
    );
    expect(holds({ tags: ['a b', 'ä'], domains: ['b.example', 'a.example'] })).toBe(true);
    expect(holds({ tags: ['a b', 'A b'] })).toBe(false);
    expect(holds({ capabilityTypes: ['api'] })).toBe(false);
    expect(holds({ access: ['public'] })).toBe(false);
    expect(holds({ authTypes: ['none'] })).toBe(false);
    expect(holds({ domains: ['a.exampl', 'example'] })).toBe(false);
  });

  it('keep private skills from queries that may not show them', () => {
    const [group] = filterGroups({ ...everything, includePrivate: false });
    expect(skillTokens(storedSkill({ access: 'private' }))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(`^${group?.[0]}$`)]),
    );
  });

  it('hold a word with its place, which begins as the token of its beginning does', () => {
    expect(skillTokens(storedSkill({ name: 'Weather' }))).toContain(wordToken('weather', 0));
    expect(wordToken('weather', 2).startsWith(wordToken('wea', 2))).toBe(true);
  });
});
