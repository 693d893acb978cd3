import type { StoredSkill, StoreQuery } from './store.ts';
import { wordsByPlace } from './tokens.ts';
import { isWithin, versionKey } from './version-range.ts';

/** What a filter has to know of a record. */
export type Candidate = Omit<StoredSkill, 'descriptor'>;

/** Whether a record passes the filters of a query, rivals aside; words, `after` and `limit` are no filters. */
export function passes(query: StoreQuery, skill: Candidate): boolean {
  const { entry, authType, protocolVersion, tags, isFlagged } = skill;
  const { access, capability_type, domain } = entry;
  return (
    (query.includePrivate || access !== 'private') &&
    !(query.trusted && isFlagged) &&
    isAmong(query.capabilityTypes, capability_type) &&
    isAmong(query.access, access) &&
    isAmong(query.authTypes, authType) &&
    isAmong(query.domains, domain) &&
    (query.tags ?? []).every((tag) => tags.includes(tag)) &&
    passesLater(query, { entry, protocolVersion })
  );
}

/** The part of {@link passes} that no inverted index answers: freshness and versions. */
export function passesLater(
  query: StoreQuery,
  { entry, protocolVersion }: Pick<StoredSkill, 'entry' | 'protocolVersion'>,
): boolean {
  const { freshness, now, versions, protocolVersions } = query;
  return (
    (freshness === undefined || (freshness === 'fresh') === now < entry.freshUntil) &&
    (versions === undefined || isWithin(versions, versionKey(entry.version))) &&
    (protocolVersions === undefined || isWithin(protocolVersions, versionKey(protocolVersion)))
  );
}

/**
 * How well the words of a query match a skill; undefined where they do not. Each word counts with the best place where it
 * stands, the skill with the worst of its words: 0 where all of them stand in the name.
 */
export function rankOf(
  { words }: StoreQuery,
  skill: Pick<StoredSkill, 'entry' | 'tags'>,
): number | undefined {
  if (words === undefined) return 0;
  const last = words.length - 1;
  const missing = new Set(words.entries());
  for (const [known, place] of wordsByPlace(skill)) {
    for (const asked of missing) {
      const [i, word] = asked;
      if (i < last ? known.includes(word) : known.some((whole) => whole.startsWith(word)))
        missing.delete(asked);
    }
    if (missing.size === 0) return place;
  }
  return undefined;
}

function isAmong<T>(wanted: readonly T[] | undefined, value: T): boolean {
  return wanted === undefined || wanted.includes(value);
}
