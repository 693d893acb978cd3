import { neutralize, type Warning } from '../protocol/index.ts';
import { MAX_RIVALS, type Rivals, type SkillKey, type StoredEntry } from './store.ts';

/** Characters of another's id or name that a warning repeats. */
const MAX_SHOWN = 80;

/**
 * Warnings of what a skill can be mistaken for: `ID_COLLISION` for its very id, `ID_LOOKALIKE` and `NAME_LOOKALIKE` for what looks
 * like its id or name, under other domains. Each of the skills concerned has them.
 */
export function rivalWarnings({ id, name }: Pick<StoredEntry, 'id' | 'name'>, rivals: Rivals): Warning[] {
  const same = rivals.byId.filter((rival) => rival.id === id);
  const alike = rivals.byId.filter((rival) => rival.id !== id);
  const warnings: Warning[] = [];
  const warn = (code: string, field: string, message: string) => warnings.push({ code, message, field });
  if (same.length > 0) warn('ID_COLLISION', '/id', `the same id is published by ${list(same)}`);
  if (alike.length > 0) {
    warn('ID_LOOKALIKE', '/id', `the id looks like ${list(alike, (rival) => rival.id)}`);
  }
  if (rivals.byName.length > 0) {
    const message = `the name ${shown(name)} looks like ${list(rivals.byName, (rival) => rival.name)}`;
    warn('NAME_LOOKALIKE', '/name', message);
  }
  return warnings;
}

function list<R extends SkillKey>(rivals: R[], text?: (rival: R) => string): string {
  const named = rivals
    .slice(0, MAX_RIVALS - 1)
    .map((rival) => (text ? `${shown(text(rival))} of ${rival.domain}` : rival.domain));
  return `${named.join(', ')}${rivals.length === MAX_RIVALS ? ' and others' : ''}`;
}

const shown = (text: string) => `"${neutralize(text, MAX_SHOWN)}"`;
