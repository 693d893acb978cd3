import type {
  AccessLevel,
  AuthType,
  CapabilityType,
  Change,
  Collisions,
  FacetCounts,
  ProviderOutcome,
  ProviderStatus,
  SkillSummary,
} from '../protocol/index.ts';
import type { VersionSpan } from './version-range.ts';

/** What a store hands out of a skill without its descriptor. Whether it is stale depends on when one asks. */
export interface StoredEntry extends Omit<SkillSummary, 'stale'> {
  /** Where the descriptor was finally read, after redirects, without its query string. */
  descriptorUrl: string;
  /** Who saw it: `anonymous`, or the label of the credential that was sent for the index. */
  view: string;
}

/** A skill as a store keeps it: plain data, the descriptor as text. */
export interface StoredSkill {
  entry: StoredEntry;
  /** JSON text, well-formed Unicode. */
  descriptor: string;
  authType: AuthType;
  /** The descriptor's `protocol.version`. */
  protocolVersion: string;
  /** Distinct, bounded in number and length: those that a query can ask for. */
  tags: string[];
  /** SHA-256 of the canonical content, in hexadecimal: equal exactly when nothing of the content has changed. */
  contentHash: string;
  /** What its id and its name look like ({@link skeleton}), bounded in length. */
  idKey: string;
  nameKey: string;
  /** Whether it claims to be another's ({@link CLAIM_CODES}), or is not confirmed since it was imported. */
  isFlagged: boolean;
}

/** What one look at one domain changes. Applied as a whole or not at all. Its skills may be given again: a store must not change them. */
export interface ProviderUpdate {
  domain: string;
  /** Whose view of the index this was. */
  view: string;
  /** When the look ended; milliseconds since the epoch. */
  at: number;
  /** When the index was received or last confirmed, where one was read. */
  indexAt?: number;
  /** The provider was not asked, by a rule of ours: nothing follows for it and its skills. */
  wasRefused?: boolean;
  status: ProviderOutcome['status'];
  code?: ProviderOutcome['code'];
  message?: string;
  /** Until when the index is fresh, where one was read; milliseconds since the epoch. */
  freshUntil?: number;
  /** How long the server asked to be left alone. */
  retryAfterMs?: number;
  /** The skills that were accepted. */
  skills: StoredSkill[];
  /** Of these, the ids of those whose copy stands in for a failed refresh: they are kept, but nobody confirmed them. */
  standIns: string[];
  /**
   * The ids that a good index named, accepted or not; what its view could have shown and is not among them is removed.
   * Absent when no good index was read: then nothing is removed and what is kept becomes stale.
   */
  listed?: string[];
  /** Ids that a rule of ours refused: what is known of them stays as it is. */
  spared?: string[];
  /** Ids to remove even though they are listed: the publisher calls them private now and this view is not trusted with that. */
  withdrawn?: string[];
  /**
   * What was unreachable since before this is removed; what was removed before this, and every change of any domain before
   * this, is forgotten. Milliseconds since the epoch.
   */
  forgetBefore: number;
  /** Nobody has looked: `skills` come from an import, and only those that are not known are added. */
  isImport?: boolean;
}

export interface ApplyResult {
  /** In the order of what the look gave; none where their provider alone exceeds the store's bound. */
  changes: StoredChange[];
  /** Skills written or confirmed; 0 where their provider alone exceeds the store's bound. */
  stored: number;
  removed: number;
  /** Whole providers pushed out by the store's bound, and how many skills went with them. Evicting is no change. */
  evictedProviders: number;
  evictedSkills: number;
}

/** A change, and whether it is one of a private skill. */
export interface StoredChange extends Change {
  isPrivate: boolean;
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
  /** Of the skill itself: within any of the spans. */
  versions?: readonly VersionSpan[];
  /** Of the protocol that the descriptor speaks: within any of the spans. */
  protocolVersions?: readonly VersionSpan[];
  /** Words of {@link queryWords}, at least one: all must occur, the last one as the beginning of a word. */
  words?: readonly string[];
  /** `fresh`: freshUntil is after `now`. `stale`: it is not. */
  freshness?: 'fresh' | 'stale';
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether records of private skills may be given out. */
  includePrivate: boolean;
  /** Only skills that are not flagged and have no rivals among those that are not private. */
  trusted: boolean;
  /** Whether descriptors are wanted. */
  descriptors: boolean;
  /** Only what comes after this position. */
  after?: SkillPosition;
  /** At least 1. */
  limit: number;
  /** Whether to count all matches, `after` and `limit` aside. */
  total: boolean;
  /** Whether to count all matches by their members, `after` and `limit` aside. */
  facets: boolean;
}

/**
 * Where a skill stands in an answer: by where its words matched ({@link rankOf}; 0 without words), then by `number`, which
 * grows with every skill that is stored for the first time and stays with it while it is known.
 */
export interface SkillPosition {
  rank: number;
  number: number;
}

export interface SkillKey {
  domain: string;
  id: string;
}

/** A skill that was found, with the descriptor only where it was wanted. */
export interface FoundSkill {
  entry: StoredEntry;
  contentHash: string;
  descriptor?: string;
  /** Skills of other domains that it can be mistaken for; absent where there are none. */
  rivals?: Rivals;
}

/**
 * Skills that are known, not private and of another domain, the first {@link MAX_RIVALS} of each kind in the order of domain and
 * id by code point, so that it does not matter who was found first.
 */
export interface Rivals {
  /** With the same `idKey`. */
  byId: SkillKey[];
  /** With the same `nameKey`, but another name. */
  byName: (SkillKey & { name: string })[];
}

export const MAX_RIVALS = 6;

export interface StorePage {
  /** In the order of {@link SkillPosition}. */
  skills: FoundSkill[];
  /** The position of the last one. Present when more follow. */
  next?: SkillPosition;
  total?: number;
  facets?: FacetCounts;
}

/** In the order of time, then of arrival. */
export interface ChangeQuery {
  /** Only changes at this time or later; milliseconds since the epoch. */
  since?: number;
  /** Any of, canonical. */
  domains?: readonly string[];
  includePrivate: boolean;
  /** Only what comes after this position. */
  after?: ChangePosition;
  /** At least 1. */
  limit: number;
}

export interface ChangePosition {
  at: number;
  /** Grows with every change of this store. */
  number: number;
}

export interface ChangePage {
  changes: Change[];
  /** The position of the last one. Present when more follow. */
  next?: ChangePosition;
}

export interface ProviderQuery {
  /** Any of, canonical. */
  domains?: readonly string[];
  /** Only those whose next look is due at this time or was before; milliseconds since the epoch. */
  dueAt?: number;
  /** `domain`: by code point. `due`: the most overdue first, then by domain. */
  order: 'domain' | 'due';
  /** Only what comes after this one in that order. */
  after?: ProviderPosition;
  /** At least 1. */
  limit: number;
}

export type ProviderPosition = Pick<ProviderStatus, 'domain' | 'dueAt'>;

export interface ProviderPage {
  providers: ProviderStatus[];
  /** Whether more follow. */
  more: boolean;
}

/**
 * Where records live. The key is domain + id. A store is dumb: what an update adds, changes, removes or ages is decided by
 * {@link planUpdate} and {@link planProvider}, what matches by {@link matches}, the same for every store.
 * Throws SkillscoutError with a `STORE_` code.
 */
export interface Store {
  /** With `dryRun` tells what would change and stores nothing. */
  apply(update: ProviderUpdate, options?: { dryRun?: boolean }): Promise<ApplyResult>;
  find(query: StoreQuery): Promise<StorePage>;
  /** Private or not: who may see it is the caller's to decide. */
  get(key: SkillKey): Promise<FoundSkill | undefined>;
  changes(query: ChangeQuery): Promise<ChangePage>;
  providers(query: ProviderQuery): Promise<ProviderPage>;
  /** Of all skills that are not private: equal `idKey`s under several domains, each with at most {@link MAX_RIVALS} of these. */
  collisions(): Promise<Collisions>;
  /** Another number than before once anything that `find` or `get` gives may have changed, whoever changed it. */
  revision(): number;
  close(): Promise<void>;
}
