import type { StoredSkill } from './store.ts';

/**
 * Records are kept as JSON text: what a store hands out is always the caller's own copy, nothing the caller does to a record
 * reaches the store, and text costs the garbage collector less than the objects it stands for. Lone surrogates and members
 * named `__proto__` survive.
 */
export function encodeSkill(skill: StoredSkill): string {
  return JSON.stringify(skill);
}

/** `freshUntil` is kept beside the text, since it changes without the record. */
export function decodeSkill(text: string, freshUntil: number): StoredSkill {
  const skill: StoredSkill = JSON.parse(text);
  skill.freshUntil = freshUntil;
  return skill;
}
