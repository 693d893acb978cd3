import type { SkillRecord, SkillSummary } from '../protocol/index.ts';
import { encodeCursor } from './cursor.ts';
import { type FindQuery, type GetQuery, toSkillKey, toStoreQuery } from './query.ts';
import type { ApplyResult, ProviderUpdate, Store, StoredSkill } from './store.ts';

/** One part of an answer, in the order of domain, then id, both by code point. */
export interface Page<T> {
  records: T[];
  /** Present when more follow: the `cursor` of the next query. */
  nextCursor?: string;
  /** How many skills match in all, when asked for. */
  total?: number;
}

/** What is known of all providers, as the public speaks of it. `now` is in milliseconds since the epoch. */
export interface Registry {
  find(query: FindQuery & { include: 'descriptor' }, now: number): Promise<Page<SkillRecord>>;
  find(query: FindQuery, now: number): Promise<Page<SkillSummary>>;
  /** Undefined for what is not known, and for a private skill unless `includePrivate` is true. */
  get(query: GetQuery, now: number): Promise<SkillRecord | undefined>;
  apply(update: ProviderUpdate): Promise<ApplyResult>;
  /** Closes the store. */
  close(): Promise<void>;
}

/**
 * A registry over a store. `find` and `get` reject with a TypeError for a query that is wrong, all methods with a
 * SkillscoutError when the store fails.
 */
export function createRegistry({ store }: { store: Store }): Registry {
  async function find(query: FindQuery & { include: 'descriptor' }, now: number): Promise<Page<SkillRecord>>;
  async function find(query: FindQuery, now: number): Promise<Page<SkillSummary>>;
  async function find(query: FindQuery, now: number): Promise<Page<SkillSummary>> {
    const storeQuery = toStoreQuery(query, now);
    if (storeQuery === undefined) return { records: [], ...(query.total && { total: 0 }) };
    const { skills, more, total } = await store.find(storeQuery);
    const last = skills.at(-1);
    const toRecord = query.include === 'descriptor' ? recordAt(now) : summaryAt(now);
    return {
      records: skills.map(toRecord),
      ...(more && last && { nextCursor: encodeCursor(storeQuery, last) }),
      ...(total !== undefined && { total }),
    };
  }

  return {
    find,
    async get(query, now) {
      const { includePrivate, ...key } = toSkillKey(query);
      const skill = await store.get(key);
      if (skill === undefined || (skill.access === 'private' && !includePrivate)) return undefined;
      return recordAt(now)(skill);
    },
    apply: (update) => store.apply(update),
    close: () => store.close(),
  };
}

function recordAt(now: number) {
  return (skill: StoredSkill): SkillRecord => ({ ...skill, stale: now >= skill.freshUntil });
}

function summaryAt(now: number) {
  return ({ descriptor, descriptorUrl, view, ...entry }: StoredSkill): SkillSummary => ({
    ...entry,
    stale: now >= entry.freshUntil,
  });
}
