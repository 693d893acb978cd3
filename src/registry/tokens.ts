import type { AccessLevel, AuthType, CapabilityType } from '../protocol/index.ts';
import type { StoredSkill, StoreQuery } from './store.ts';
import { tokenize } from './tokenize.ts';

/*
 * A token is a short text that says one thing of a skill, so that one inverted index answers every filter: what a skill is
 * begins with a letter, a word that it is found by with the digit of the best place where it stands. Tokens hold no spaces,
 * no quotes and no ASCII capitals.
 */

/** Where words stand, the best place first: the number is the rank. */
export const PLACES = ['name', 'tags', 'description', 'key'] as const;

const TYPES: Record<CapabilityType, string> = { plugin: 'tp', api: 'ta', knowledge: 'tk', task: 'tt' };
const ACCESS: Record<AccessLevel, string> = { public: 'ap', restricted: 'ar', private: 'ax' };
const AUTH: Record<AuthType, string> = { api_key: 'uk', oauth2: 'uo', custom: 'uc', none: 'un' };
/** The tokens of what matches are counted by. */
export const FACET_TOKENS = { capabilityType: TYPES, access: ACCESS, authType: AUTH } as const;

const ALL = 'x';
const NOT_PRIVATE = 'v';
const NOT_FLAGGED = 'f';

/** Distinct words by which one skill can be found: the first ones, of which these are kept for its key. */
const MAX_WORDS = 1024;
const KEY_WORDS = 64;

/**
 * The distinct words a skill is found by, each with the best place where it stands: of its name, tags, description, and of
 * id and domain.
 */
export function skillWords(skill: Pick<StoredSkill, 'entry' | 'tags'>): Map<string, number> {
  const placed = new Map<string, number>();
  for (const [words, place] of wordsByPlace(skill)) for (const word of words) placed.set(word, place);
  return placed;
}

/** The same place by place, each with the words that stand in none before it. */
export function* wordsByPlace({
  entry,
  tags,
}: Pick<StoredSkill, 'entry' | 'tags'>): Generator<[words: string[], place: number], void> {
  const known = new Set<string>();
  const texts = [[entry.name], tags, [entry.description], [entry.id, entry.domain]];
  for (const [place, ofPlace] of texts.entries()) {
    const limit = place === texts.length - 1 ? MAX_WORDS : MAX_WORDS - KEY_WORDS;
    const words: string[] = [];
    for (const text of ofPlace) {
      for (const word of tokenize(text)) {
        if (known.size >= limit || known.has(word)) continue;
        known.add(word);
        words.push(word);
      }
    }
    yield [words, place];
  }
}

/** All that a skill is found by, distinct. */
export function skillTokens(skill: StoredSkill): string[] {
  const { entry, authType, isFlagged } = skill;
  const { access, capability_type } = entry;
  const tokens = ownTokens(skill);
  tokens.push(ALL, TYPES[capability_type], ACCESS[access], AUTH[authType]);
  if (access !== 'private') tokens.push(NOT_PRIVATE);
  if (!isFlagged) tokens.push(NOT_FLAGGED);
  return tokens;
}

/** The part of {@link skillTokens} that says more than one of a few values: domain, tags and words. */
export function ownTokens(skill: Pick<StoredSkill, 'entry' | 'tags'>): string[] {
  const tokens = [domainToken(skill.entry.domain), ...skill.tags.map(tagToken)];
  for (const [words, place] of wordsByPlace(skill))
    for (const word of words) tokens.push(wordToken(word, place));
  return tokens;
}

/** The token of a word at a place, and with only the beginning of a word the beginning of its tokens. */
export function wordToken(word: string, place: number): string {
  return `${place}${word}`;
}

/**
 * What a query demands besides its words, versions, freshness and that there be no rivals: of each group at least one token. Never empty.
 */
export function filterGroups(query: StoreQuery): string[][] {
  const { capabilityTypes, access, authTypes, includePrivate, trusted } = query;
  const groups = [
    capabilityTypes?.map((type) => TYPES[type]),
    access?.map((level) => ACCESS[level]),
    authTypes?.map((type) => AUTH[type]),
    ...ownGroups(query),
  ].filter((group) => group !== undefined);
  if (!includePrivate) groups.push([NOT_PRIVATE]);
  if (trusted) groups.push([NOT_FLAGGED]);
  return groups.length > 0 ? groups : [[ALL]];
}

/** The part of {@link filterGroups} that {@link ownTokens} answer. */
export function ownGroups({ domains, tags = [] }: StoreQuery): string[][] {
  return [...(domains ? [domains.map(domainToken)] : []), ...tags.map((tag) => [tagToken(tag)])];
}

const tagToken = (tag: string) => `g${encoded(tag)}`;
const domainToken = (domain: string) => `d${encoded(domain)}`;

/** UTF-16 unit by unit, so that lone surrogates stay apart from each other. */
function encoded(text: string): string {
  return text.replace(/[^a-z0-9]/g, (unit) => `%${unit.charCodeAt(0).toString(16)};`);
}
