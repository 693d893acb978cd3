import { type CrawlContext, crawlDomains, type ProviderResult } from '../crawl/index.ts';
import type { ErrorCode } from '../errors.ts';
import { contentOf, type MemberChange, type SkillRecord } from '../protocol/index.ts';
import {
  changedMembers,
  compareContent,
  type Lock,
  type LockedSkill,
  lockSkill,
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
  found?: LockedSkill;
  /** JSON Pointers of what differs, as in {@link LockedSkill.memberHashes}. */
  fields?: string[];
  /** The same with both values, deeper where objects differ; only while the registry has the skill as it was locked. */
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
    const others = byDomain.get(locked.domain);
    if (others) others.push(locked);
    else byDomain.set(locked.domain, [locked]);
  }
  for await (const result of crawlDomains(context, byDomain.keys(), { cacheMode: 'bypass', signal })) {
    const { outcome } = result;
    const found = new Map(outcome.skills.map((record) => [record.id, record]));
    for (const locked of byDomain.get(outcome.domain) ?? []) {
      const { domain, id } = locked;
      const record = found.get(id);
      const kept = await registry.get({ domain, id, includePrivate: true }, now());
      yield record ? await compare(locked, record, kept) : absent(locked, result, kept);
    }
  }
}

async function compare(
  locked: LockedSkill,
  record: SkillRecord,
  kept: SkillRecord | undefined,
): Promise<LockVerdict> {
  const { domain, id } = locked;
  const found = await lockSkill(record);
  if (found.contentHash === locked.contentHash) return { domain, id, state: 'same', locked, found };
  return {
    domain,
    id,
    state: found.identityHash === locked.identityHash ? 'drift' : 'identity',
    locked,
    found,
    fields: changedMembers(locked, found),
    ...(kept?.contentHash === locked.contentHash && {
      members: compareContent(contentOf(kept, kept.descriptor), contentOf(record, record.descriptor)),
    }),
  };
}

function absent(
  locked: LockedSkill,
  { outcome, listed }: ProviderResult,
  kept: SkillRecord | undefined,
): LockVerdict {
  const { domain, id } = locked;
  const rejection = outcome.rejected.find((rejected) => rejected.id === id);
  if (!rejection && listed && !listed.includes(id)) {
    if (kept?.access !== 'private' || outcome.view !== 'anonymous')
      return { domain, id, state: 'gone', locked };
    const message = 'the skill is private: without a credential nobody can tell';
    return { domain, id, state: 'unverified', code: 'AUTH_REQUIRED', message, locked };
  }
  const { code, message } = rejection ?? outcome;
  return {
    domain,
    id,
    state: 'unverified',
    ...(code && { code }),
    ...(message !== undefined && { message }),
    locked,
  };
}
