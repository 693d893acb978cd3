import type { StoredSkill } from './store.ts';

/** Some that every record has. */
const MEMBERS = ['domain', 'id', 'name', 'capability_type', 'access', 'version', 'view'] as const;

/**
 * Records are kept as JSON text: what a store hands out is always the caller's own copy, nothing the caller does to a record
 * reaches the store, and text costs the garbage collector less than the objects it stands for. Lone surrogates and members
 * named `__proto__` survive.
 */
export function encodeSkill(skill: StoredSkill): string {
  return JSON.stringify(skill);
}

/** `freshUntil` is kept beside the text, since it changes without the record. Throws SyntaxError for what is no record. */
export function decodeSkill(text: string, freshUntil: number): StoredSkill {
  const skill: Partial<StoredSkill> | null = JSON.parse(text);
  const isRecord =
    MEMBERS.every((member) => typeof skill?.[member] === 'string') && skill?.descriptor && skill.warnings;
  if (!isRecord) throw new SyntaxError('this is no stored skill');
  return { ...(skill as StoredSkill), freshUntil };
}
