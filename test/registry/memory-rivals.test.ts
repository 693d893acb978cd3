import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { StoredSkill } from '../../src/registry/index.ts';
import { MemoryRivals } from '../../src/registry/memory-rivals.ts';
import { storedSkill } from '../support/stored-skill.ts';

const skills = fc.uniqueArray(
  fc
    .record({
      domain: fc.constantFrom('a.example', 'b.example', 'c.example'),
      id: fc.constantFrom('x', 'X', 'y', 'Y'),
      name: fc.constantFrom('One', 'ONE', 'two'),
    })
    .map((parts) => storedSkill(parts)),
  { selector: ({ entry }) => `${entry.domain} ${entry.id}`, maxLength: 12 },
);

function rivalsOf(all: StoredSkill[]): MemoryRivals {
  const rivals = new MemoryRivals((number) => all[number] as StoredSkill);
  for (const [number, skill] of all.entries()) rivals.add(number, skill);
  return rivals;
}

describe('MemoryRivals', () => {
  test.prop([skills, fc.infiniteStream(fc.nat())], { numRuns: 200 })(
    'are after a removal as if it had never been there, down to the memory held',
    (all, choices) => {
      const rivals = rivalsOf(all);
      const left = [...all.keys()];
      while (left.length > 0) {
        const [number] = left.splice((choices.next().value as number) % left.length, 1);
        rivals.remove(number as number, all[number as number] as StoredSkill);
        const others = left.map((kept) => all[kept] as StoredSkill);
        const fresh = rivalsOf(others);
        expect(rivals.collisions()).toEqual(fresh.collisions());
        for (const skill of others) {
          expect(rivals.of(skill)).toEqual(fresh.of(skill));
          expect(rivals.has(skill)).toBe(fresh.of(skill) !== undefined);
        }
        expect(rivals.bytes).toBe(fresh.bytes);
      }
      expect(rivals.bytes).toBe(0);
    },
  );

  it('holds more memory for a key that several have', () => {
    const [one, other] = ['a.example', 'b.example'].map((domain) => storedSkill({ domain }));
    expect(rivalsOf([one, other] as StoredSkill[]).bytes).toBeGreaterThan(
      2 * rivalsOf([one as StoredSkill]).bytes,
    );
  });
});
