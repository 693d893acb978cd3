import type { StoredSkill, StoreQuery } from './store.ts';
import { skillWords } from './tokenize.ts';

/** What a store has to know of a record to find it and to update it. */
export interface Facets
  extends Pick<
    StoredSkill,
    'domain' | 'id' | 'capability_type' | 'access' | 'view' | 'fetchedAt' | 'freshUntil'
  > {
  authType: StoredSkill['descriptor']['auth']['type'];
  /** Distinct; the first {@link MAX_TAGS} of them. */
  tags: string[];
  /** {@link skillWords}, each with a space on both sides. */
  words: string;
}

/** Tags by which one skill can be found. A descriptor of a few megabytes can hold a million. */
const MAX_TAGS = 256;

export function facetsOf(skill: StoredSkill): Facets {
  const { domain, id, capability_type, access, view, fetchedAt, freshUntil, descriptor } = skill;
  return {
    domain,
    id,
    capability_type,
    access,
    view,
    fetchedAt,
    freshUntil,
    authType: descriptor.auth.type,
    tags: [...new Set(descriptor.tags)].slice(0, MAX_TAGS),
    words: ` ${[...skillWords(skill)].join(' ')} `,
  };
}

/** Whether a record passes the filters of a query; `after`, `limit` and `total` are no filters. */
export function matches(query: StoreQuery, facets: Facets): boolean {
  const { access, authType, tags, words, freshUntil } = facets;
  return (
    (query.includePrivate || access !== 'private') &&
    isAmong(query.capabilityTypes, facets.capability_type) &&
    isAmong(query.access, access) &&
    isAmong(query.authTypes, authType) &&
    isAmong(query.domains, facets.domain) &&
    (query.freshness === undefined || (query.freshness === 'fresh') === query.now < freshUntil) &&
    (query.tags ?? []).every((tag) => tags.includes(tag)) &&
    (query.words ?? []).every((word, i, { length }) =>
      words.includes(i < length - 1 ? ` ${word} ` : ` ${word}`),
    )
  );
}

function isAmong<T>(wanted: readonly T[] | undefined, value: T): boolean {
  return wanted === undefined || wanted.includes(value);
}
