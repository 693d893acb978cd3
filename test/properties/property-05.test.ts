import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { skillId, skillIndex } from '../../mocks/arbitraries.ts';
import { findDuplicateIds, validateSkillIndex } from '../../src/protocol/index.ts';

/** A valid index in which some entries were given the ids of others. */
const indexWithShares = fc
  .tuple(skillIndex(), fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }), skillId())
  .map(([index, shares, id]) => {
    const skills = index.skills.map((entry) => ({ ...entry }));
    for (const [from, to] of skills.length > 0 ? shares : []) {
      const target = skills[to % skills.length];
      const source = skills[from % skills.length];
      if (target && source) target.id = source.id;
    }
    const [only] = skills;
    if (skills.length === 1 && only) only.id = id;
    return { ...index, skills };
  });

// Seen to catch: `findDuplicateIds` comparing each id with the previous entry's only; ids kept in a plain object, in which
// `__proto__` is lost.
it('Feature: skill-sharing-protocol, Property 5: the ids of a valid index are mutually distinct', () => {
  fc.assert(
    fc.property(indexWithShares, (index) => {
      const ids = index.skills.map(({ id }) => id);
      const shared = new Set(ids.filter((id, position) => ids.indexOf(id) !== position));

      const validation = validateSkillIndex(index);
      expect(validation.ok).toBe(shared.size === 0);

      const duplicates = findDuplicateIds(index.skills);
      expect(new Set(duplicates.keys())).toEqual(shared);
      for (const [id, positions] of duplicates) {
        expect(positions).toEqual(ids.flatMap((other, position) => (other === id ? [position] : [])));
      }
      if (!validation.ok) {
        const named = validation.violations.map(({ field }) => field);
        expect(named.every((field) => /^\/skills\/\d+\/id$/.test(field))).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
