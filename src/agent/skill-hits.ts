import type { SkillSummary } from '../protocol/index.ts';
import type { SkillHit } from './api.ts';
import { cut, evenShare, jsonTokens } from './budget.ts';
import { cleanLine, isShowable } from './untrusted.ts';

/** Of an answer with several skills. A margin to the 2,000 that are promised pays for letters without sense. */
const MAX_ANSWER_TOKENS = 1_800;
const NAME_TOKENS = 40;
const DESCRIPTION_TOKENS = 300;
/** Least of a description that makes a skill worth showing. */
const LEAST_TOKENS = 16;
const MAX_WARNINGS = 5;

/** Whether a model can be shown the id: it must be given back as it is, so that it is neither cut nor cleaned. */
export function hasShowableId({ id }: Pick<SkillSummary, 'id'>): boolean {
  return isShowable(id);
}

export function warningCodes({ warnings }: Pick<SkillSummary, 'warnings'>): string[] {
  return [...new Set(warnings.map(({ code }) => code))].slice(0, MAX_WARNINGS);
}

/** One skill without its description. */
export function toHit(skill: SkillSummary): SkillHit {
  const warnings = warningCodes(skill);
  return {
    domain: skill.domain,
    id: skill.id,
    name: cleanLine(skill.name, NAME_TOKENS),
    capability_type: skill.capability_type,
    description: '',
    ...(skill.access !== 'public' && { access: skill.access }),
    ...(skill.stale && { stale: true }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * The first of the skills that have room beside the rest of an answer, with descriptions that are cut evenly: who says little
 * leaves more to the others.
 */
export function fitHits(skills: readonly SkillSummary[], rest: object): SkillHit[] {
  let left = MAX_ANSWER_TOKENS - jsonTokens({ ...rest, skills: [] });
  const hits: { hit: SkillHit; description: string }[] = [];
  for (const skill of skills) {
    const hit = toHit(skill);
    const cost = jsonTokens([hit]);
    if (left < cost + LEAST_TOKENS * (hits.length + 1)) break;
    left -= cost;
    hits.push({ hit, description: cleanLine(skill.description, DESCRIPTION_TOKENS) });
  }
  const share = evenShare(
    hits.map(({ description }) => jsonTokens(description)),
    left,
  );
  return hits.map(({ hit, description }) => ({ ...hit, description: cut(description, share) }));
}
