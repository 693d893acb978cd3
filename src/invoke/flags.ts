import { CLAIM_CODES } from '../protocol/index.ts';

/**
 * Codes of warnings that keep a skill from being invoked unless they are accepted: it claims to be another's, can be mistaken for
 * one of another domain, or was only imported. The same skills are left out by a query with `trusted`.
 */
export const SKILL_FLAGS = [
  ...CLAIM_CODES,
  'ID_COLLISION',
  'ID_LOOKALIKE',
  'NAME_LOOKALIKE',
  'IMPORTED',
] as const;

/** One of the codes of {@link SKILL_FLAGS}. */
export type SkillFlag = (typeof SKILL_FLAGS)[number];
