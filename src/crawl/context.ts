import type { Clock } from '../clock.ts';
import type { Failure } from '../errors.ts';
import type { IndexReading, SkillRecord } from '../protocol/index.ts';
import type { CacheMode, Check, HttpGet } from '../transport/index.ts';
import type { DomainLimits } from './budget.ts';
import type { DescriptorReading } from './descriptor-reading.ts';
import type { KnownLooks } from './known-looks.ts';

/**
 * Which origins a descriptor may lie on: those of the provider's own site (equal registrable domain; for IP addresses and
 * single-label hosts, equal host and port), any, or what the function allows for a provider domain. Redirects never leave the
 * site that they start from, whatever is said here, and where they end is judged again.
 */
export type DescriptorOrigins = 'same-site' | 'any' | ((url: URL, domain: string) => boolean);

export interface CrawlLimits extends DomainLimits {
  /** An index that lists more is rejected as a whole. */
  maxSkillsPerIndex: number;
}

/** What both steps of a look at a provider need. */
export interface CrawlContext {
  get: HttpGet;
  /** Why the network would refuse a URL without even resolving its name. */
  judgeTarget: (url: URL) => Failure | undefined;
  clock: Clock;
  indexCheck: Check<IndexReading>;
  descriptorCheck: Check<DescriptorReading>;
  descriptorOrigins: DescriptorOrigins;
  limits: CrawlLimits;
  /** Why a skill that is good in itself is refused all the same. */
  judgeRecord?: (record: SkillRecord, contentHash: string) => Promise<Failure | undefined>;
  /** Of looks with this context, which is judged by nothing but what the client was made with. */
  looks?: KnownLooks;
  /** Domains in progress at once. */
  providers: number;
  /** Descriptors of one domain in progress at once. */
  descriptorsAtOnce: number;
}

export interface CrawlOptions {
  cacheMode: CacheMode;
  /**
   * For a provider that is known: its index is asked in any case, conditionally. While that has not changed, it vouches for
   * descriptors up to so long past their own freshness, and nobody asks for them.
   */
  revisit?: { vouchMs: number };
  signal: AbortSignal;
}
