import { type CrawlContext, crawlDomains, type ProviderResult } from '../crawl/index.ts';
import type { ErrorCode } from '../errors.ts';
import { contentHash, contentOf, type MemberChange, type SkillRecord } from '../protocol/index.ts';
import {
  compareContent,
  identityHashOf,
  type Lock,
  type LockedSkill,
  type Registry,
} from '../registry/index.ts';

/**
 * What a locked skill is now.
 *
 * `same` · `drift`: its publisher changed it · `identity`: under its id stands a skill of another provider, or its descriptor
 * or endpoint lies on another origin · `gone`: a good index does not list it · `unverified`: it could not be read; see `code`.
 */
export interface LockVerdict {
  domain: string;
  id: string;
  state: 'same' | 'drift' | 'identity' | 'gone' | 'unverified';
  code?: ErrorCode;
  message?: string;
  /** What was locked, and what is there now. */
  locked: LockedSkill;
  found?: Pick<LockedSkill, 'version' | 'descriptorUrl' | 'contentHash'>;
  /** What differs, as far as the registry still has the skill as it was locked. */
  members?: MemberChange[];
}

/** Looks at every locked skill again, asking its server; stores nothing. Verdicts come provider by provider. */
export async function* verifyLock(
  context: CrawlContext,
  registry: Registry,
  lock: Lock,
  { now, signal }: { now: () => number; signal: AbortSignal },
): AsyncGenerator<LockVerdict, void, undefined> {
  const byDomain = new Map<string, LockedSkill[]>();
  for (const locked of lock.skills) {
    byDomain.set(locked.domain, [...(byDomain.get(locked.domain) ?? []), locked]);
  }
  for await (const result of crawlDomains(context, byDomain.keys(), { cacheMode: 'bypass', signal })) {
    for (const locked of byDomain.get(result.outcome.domain) ?? []) {
      yield judge(locked, result, registry, now());
    }
  }
}

async function judge(
  locked: LockedSkill,
  { outcome, listed }: ProviderResult,
  registry: Registry,
  now: number,
): Promise<LockVerdict> {
  const { domain, id } = locked;
  const record = outcome.skills.find((skill) => skill.id === id);
  if (record) return compare(locked, record, registry, now);
  const rejection = outcome.rejected.find((rejected) => rejected.id === id);
  const reason = rejection ?? outcome;
  const isGone = rejection === undefined && listed !== undefined && !listed.includes(id);
  return {
    domain,
    id,
    state: isGone ? 'gone' : 'unverified',
    ...(!isGone && reason.code && { code: reason.code }),
    ...(!isGone && reason.message !== undefined && { message: reason.message }),
    locked,
  };
}

async function compare(
  locked: LockedSkill,
  record: SkillRecord,
  registry: Registry,
  now: number,
): Promise<LockVerdict> {
  const { domain, id, version, descriptorUrl, descriptor } = record;
  const found = { version, descriptorUrl, contentHash: await contentHash(record, descriptor) };
  const verdict = { domain, id, locked, found };
  if (found.contentHash === locked.contentHash) return { ...verdict, state: 'same' };
  const state = (await identityHashOf(record)) === locked.identityHash ? 'drift' : 'identity';
  const kept = await registry.get({ domain, id, includePrivate: true }, now);
  if (kept?.contentHash !== locked.contentHash) return { ...verdict, state };
  const members = compareContent(contentOf(kept, kept.descriptor), contentOf(record, descriptor));
  return { ...verdict, state, members };
}
