import { CLAIM_CODES, type SkillRecord, type Warning } from '../protocol/index.ts';

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

/** What is known against a record: its own warnings, and how sure we are that it still is so. */
export function recordWarnings({ origin, stale, unreachableSince, warnings }: SkillRecord): Warning[] {
  const more: Warning[] = [];
  if (origin !== undefined) {
    more.push({ code: 'IMPORTED', message: 'it was imported, and nobody has asked its publisher since' });
  }
  if (unreachableSince !== undefined) {
    const since = new Date(unreachableSince).toISOString();
    more.push({ code: 'SKILL_UNREACHABLE', message: `no look could confirm it since ${since}` });
  } else if (stale) {
    more.push({ code: 'SKILL_STALE', message: 'its descriptor is past its freshness and may have changed' });
  }
  return [...warnings, ...more];
}

/** Those of the warnings that keep a skill from being invoked. */
export function flagsAmong(warnings: readonly Warning[], accepted: readonly SkillFlag[]): string[] {
  const codes = new Set(warnings.map(({ code }) => code));
  return SKILL_FLAGS.filter((flag) => codes.has(flag) && !accepted.includes(flag));
}
