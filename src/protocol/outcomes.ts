import type { ErrorCode } from '../errors.ts';
import type {
  AccessLevel,
  AuthType,
  CapabilityType,
  Provider,
  SemVer,
  SkillDescriptor,
  SkillId,
} from './types.ts';

/** One broken rule of the schema. At most {@link MAX_VIOLATIONS} are kept per document. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the document that was fetched, such as `/skills/6/access`. */
  field: string;
  expected: string;
  actual: string;
  message: string;
}

/** Most violations kept for one document; how many there were is counted all the same. */
export const MAX_VIOLATIONS = 100;

/** Something worth knowing that did not stop the document from being used. */
export interface Warning {
  code: string;
  message: string;
  /** JSON Pointer into the document, where one member is meant. */
  field?: string;
}

/** The `details` of `VERSION_INCOMPATIBLE` (protocol section 4). */
export interface VersionDetails {
  descriptor_version: string;
  /** Such as `1.x.x`. */
  consumer_supported_range: string;
  upgrade_url?: string;
}

/** Why one entry of an index did not become a skill. */
export interface Rejection {
  /** Absent where the entry has no usable id. */
  id?: SkillId;
  /** Position in `skills[]` of the index, from 0. */
  index: number;
  code: ErrorCode;
  message: string;
  violations?: Violation[];
  /** As in the protocol's error envelope: both versions, the HTTP status, the wait that was asked for. */
  details?: Record<string, unknown>;
  /** As the index has it, without query string and user information. */
  descriptorUrl?: string;
}

/** How the copy of a document that was used came about. */
export type CacheStatus = 'miss' | 'hit' | 'revalidated' | 'stale';

/** A skill as an index lists it, with where and when it was found. */
export interface SkillSummary {
  /** The publisher: together with `id` the key of a skill. Canonical form of {@link parseDomain}. */
  domain: string;
  id: SkillId;
  name: string;
  capability_type: CapabilityType;
  description: string;
  descriptor_url: string;
  access: AccessLevel;
  version: SemVer;
  /** When the descriptor was last received or confirmed by its server; milliseconds since the epoch. */
  fetchedAt: number;
  /** Until when it needs no new look; milliseconds since the epoch. */
  freshUntil: number;
  /** True once `freshUntil` has passed or a later look failed. */
  stale: boolean;
  /** Since when no look could confirm it; milliseconds since the epoch. Absent while looks succeed. */
  unreachableSince?: number;
  /** It came from an import, and nobody has asked its publisher since: it is neither fresh nor may it be locked. */
  origin?: 'imported';
  warnings: Warning[];
}

/** A skill with its validated descriptor. */
export interface SkillRecord extends SkillSummary {
  descriptor: SkillDescriptor;
  /** Where the descriptor was finally read, after redirects, without its query string. */
  descriptorUrl: string;
  /** Who saw it: `anonymous`, or the label of the credential that was sent for the index. */
  view: string;
  /** SHA-256 of the canonical content, in hexadecimal, once it is stored. */
  contentHash?: string;
}

/** What a look at a domain, or at a descriptor, has cost. */
export interface Traffic {
  /** HTTP requests sent, redirects and retries included. A refresh that nobody waited for is not counted. */
  requests: number;
  /** Of these, those that repeated one that failed. */
  retries: number;
  /** Body bytes received, after decompression. */
  bytes: number;
  /** Waited for a free slot or for the end of a pause; the waits of documents read at once add up. */
  waitMs: number;
  /** Documents by how the copy that was used came about; what failed counts as `miss`, or as `hit` where nothing was asked. */
  documents: Record<CacheStatus, number>;
}

/** What one domain gave. Every domain that is crawled ends in exactly one of these. */
export interface ProviderOutcome extends Traffic {
  domain: string;
  /** `ok`: every entry good · `partial`: some rejected · `none`: no index offered · `failed`: see `code`. */
  status: 'ok' | 'partial' | 'none' | 'failed';
  /** Set for `none` and `failed`, and for a last good copy that stands in for a failed refresh. */
  code?: ErrorCode;
  message?: string;
  violations?: Violation[];
  details?: Record<string, unknown>;
  provider?: Provider;
  /** In the order of the index. */
  skills: SkillRecord[];
  /** In the order of the index. */
  rejected: Rejection[];
  warnings: Warning[];
  /** Who asked: `anonymous`, or the label of the credential that was sent for the index. */
  view: string;
  /** Of the index, after redirects, without its query string. Absent when nothing was asked. */
  finalUrl?: string;
  /** The URLs that redirected on the way to `finalUrl`, without query strings. */
  redirects: string[];
  /** Of the index. Absent when nothing was asked. */
  cacheStatus?: CacheStatus;
  durationMs: number;
}

interface DescriptorLook extends Traffic {
  /** As it was given, without query string and user information. */
  url: string;
  warnings: Warning[];
  /** After redirects, without its query string. Absent when nothing was asked. */
  finalUrl?: string;
  redirects: string[];
  /** Absent when nothing was asked. */
  cacheStatus?: CacheStatus;
  durationMs: number;
}

/** What one descriptor URL gave. */
export type DescriptorOutcome =
  | (DescriptorLook & {
      status: 'ok';
      descriptor: SkillDescriptor;
      /** Milliseconds since the epoch. */
      fetchedAt: number;
      /** Milliseconds since the epoch. */
      freshUntil: number;
      /** Set with `message` where a last good copy stands in for a failed refresh. */
      code?: ErrorCode;
      message?: string;
      violations?: Violation[];
      details?: Record<string, unknown>;
    })
  | (DescriptorLook & {
      status: 'failed';
      code: ErrorCode;
      message: string;
      violations?: Violation[];
      details?: Record<string, unknown>;
    });

/** What a whole crawl gave, in figures. */
export interface CrawlReport {
  providers: { total: number; ok: number; partial: number; none: number; failed: number };
  skills: { accepted: number; rejected: number };
  /** How often each code occurred. */
  codes: { providers: Partial<Record<ErrorCode, number>>; skills: Partial<Record<ErrorCode, number>> };
  requests: number;
  bytes: number;
  durationMs: number;
  /** What a bounded store pushed out to make room, whole providers at a time; absent where it was nothing. */
  evicted?: { providers: number; skills: number };
  /** What would change. Only of a dry run. */
  changes?: Change[];
  /** Ids that several domains publish, among all that is stored and not private; absent where there is none. */
  collisions?: Collisions;
  /** Only when asked for. */
  outcomes?: ProviderOutcome[];
}

/** What a crawl says while it runs. The events of one domain come together, its `provider` event last. */
export type CrawlEvent =
  | { type: 'skill'; record: SkillRecord }
  | { type: 'rejected'; domain: string; rejection: Rejection }
  | { type: 'provider'; outcome: ProviderOutcome }
  | { type: 'done'; report: CrawlReport };

/** Ids that look the same and are published under several domains. */
export interface Collisions {
  /** How many such ids there are. */
  total: number;
  /** The first {@link MAX_COLLISIONS}, in the order of what they look like, each with the first domains by code point. */
  first: { id: SkillId; domains: string[] }[];
}

export const MAX_COLLISIONS = 100;

/**
 * `added`: seen for the first time · `changed`: its content differs · `removed`: a good index that could have shown it does
 * not, its publisher made it private, or it was unreachable for too long · `unreachable`: a look could not confirm it ·
 * `back`: confirmed again after that, or listed again after it was removed. Whoever does not ask for private skills also hears
 * `removed` of one that its publisher made private, and `added` of one that was made public.
 */
export type ChangeKind = 'added' | 'changed' | 'removed' | 'unreachable' | 'back';

/** One difference between two contents. A value whose JSON text is long is given as the beginning of that text. */
export interface MemberChange {
  /** JSON Pointer into the record, such as `/description` or `/descriptor/endpoint/url`. Arrays are compared as a whole. */
  field: string;
  /** Absent where the member is new. */
  old?: unknown;
  /** Absent where the member is gone. */
  new?: unknown;
}

/** What became of one skill. */
export interface Change {
  /** When it was seen; milliseconds since the epoch. */
  at: number;
  kind: ChangeKind;
  domain: string;
  id: SkillId;
  /** For `changed`: what differs, the first {@link MAX_MEMBER_CHANGES}. */
  members?: MemberChange[];
}

/** Most differences kept for one change. */
export const MAX_MEMBER_CHANGES = 100;

/** What is known of one provider from all looks at it. Times are in milliseconds since the epoch. */
export interface ProviderStatus {
  domain: string;
  /** Of the last look, as are `code` and `message`. `imported`: there was none yet. */
  status: ProviderOutcome['status'] | 'imported';
  code?: ErrorCode;
  message?: string;
  /** When the last look ended, or the import. */
  lookedAt: number;
  /** When a look last read a good index. */
  goodAt?: number;
  /** When the first of the failed looks since then ended. */
  unreachableSince?: number;
  /** When the next look is due. */
  dueAt: number;
  /** Looks that read a good index. */
  successes: number;
  /** Looks that did not; what we refused to ask, by a rule of ours, is neither. */
  failures: number;
  /** Of these, those since the last success. */
  failuresInRow: number;
  /** Skills kept, private ones included. */
  skills: number;
}

/** How many of the matches have each value. */
export interface FacetCounts {
  capabilityType: Partial<Record<CapabilityType, number>>;
  access: Partial<Record<AccessLevel, number>>;
  authType: Partial<Record<AuthType, number>>;
}
