import type { AccessLevel, AuthType, CapabilityType, SkillRecord } from '../protocol/index.ts';

/** A record as a store keeps it: whether it is stale depends on when one asks. */
export type StoredSkill = Omit<SkillRecord, 'stale'>;

/** What one look at one domain changes. Applied as a whole or not at all. */
export interface ProviderUpdate {
  domain: string;
  /** Whose view of the index this was. */
  view: string;
  /** When; milliseconds since the epoch. */
  at: number;
  /** The skills that were accepted. */
  skills: StoredSkill[];
  /**
   * The ids that a good index named, accepted or not; what its view could have shown and is not among them is removed.
   * Absent when no good index was read: then nothing is removed and what is kept becomes stale.
   */
  listed?: string[];
  /** Ids to remove even though they are listed: the publisher calls them private now and this view is not trusted with that. */
  withdrawn?: string[];
}

export interface ApplyResult {
  /** Skills written or confirmed; 0 where their provider alone exceeds the store's bound. */
  stored: number;
  removed: number;
  /** Whole providers pushed out by the store's bound, and how many skills went with them. */
  evictedProviders: number;
  evictedSkills: number;
}

/** A query with every default resolved. Absent members do not filter. */
export interface StoreQuery {
  /** Any of. */
  capabilityTypes?: readonly CapabilityType[];
  /** Any of. */
  access?: readonly AccessLevel[];
  /** Any of. */
  authTypes?: readonly AuthType[];
  /** All of, compared exactly. */
  tags?: readonly string[];
  /** Any of, canonical. */
  domains?: readonly string[];
  /** Words of {@link tokenize}, at least one: all must occur, the last one as the beginning of a word. */
  words?: readonly string[];
  /** `fresh`: freshUntil is after `now`. `stale`: it is not. */
  freshness?: 'fresh' | 'stale';
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether records of private skills may be given out. */
  includePrivate: boolean;
  /** Only what comes after this key in the order of domain, then id, both by code point. */
  after?: SkillKey;
  /** At least 1. */
  limit: number;
  /** Whether to count all matches, `after` and `limit` aside. */
  total: boolean;
}

export interface SkillKey {
  domain: string;
  id: string;
}

export interface StorePage {
  /** In the order of domain, then id, both by code point. */
  skills: StoredSkill[];
  /** Whether more follow. */
  more: boolean;
  total?: number;
}

/**
 * Where records live. The key is domain + id. A store is dumb: which records an update removes or ages is decided by
 * {@link planUpdate}, the same for every store. Throws SkillscoutError with a `STORE_` code.
 */
export interface Store {
  apply(update: ProviderUpdate): Promise<ApplyResult>;
  find(query: StoreQuery): Promise<StorePage>;
  /** Private or not: who may see it is the caller's to decide. */
  get(key: SkillKey): Promise<StoredSkill | undefined>;
  close(): Promise<void>;
}
