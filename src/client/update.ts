import type { ProviderResult } from '../crawl/index.ts';
import type { ErrorCode } from '../errors.ts';
import { type ProviderUpdate, type StoredSkill, toStored } from '../registry/index.ts';

/** Refusals of ours: the provider was not asked. */
const REFUSALS: readonly (ErrorCode | undefined)[] = ['URL_REFUSED', 'ADDRESS_REFUSED', 'CREDENTIAL_FAILED'];
/** Records that are converted at once: others get their turn while these are hashed. */
const SKILLS_IN_ONE_GO = 50;

/** Of looks that are repeated, which say what they accepted by the same array. */
const storedOf = new WeakMap<ProviderResult['accepted'], StoredSkill[]>();

/** What a registry is told of a look. */
export async function toUpdate(result: ProviderResult, retentionMs: number): Promise<ProviderUpdate> {
  const { outcome, accepted, at, indexAt, freshUntil, standIns, listed, withdrawn } = result;
  const { domain, view, status, code, message, details } = outcome;
  const retryAfterMs = details?.retry_after_ms;
  return {
    domain,
    view,
    at,
    ...(indexAt !== undefined && { indexAt }),
    ...(status === 'failed' && REFUSALS.includes(code) && { wasRefused: true }),
    status,
    ...(code && { code }),
    ...(message !== undefined && { message }),
    ...(freshUntil !== undefined && { freshUntil }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    skills: storedOf.get(accepted) ?? (await allStored(accepted)),
    standIns,
    ...(listed && { listed }),
    withdrawn,
    spared: outcome.rejected.flatMap(({ code, id }) =>
      code === 'LOCK_MISMATCH' && id !== undefined ? [id] : [],
    ),
    forgetBefore: at - retentionMs,
  };
}

async function allStored(accepted: ProviderResult['accepted']): Promise<StoredSkill[]> {
  const stored: StoredSkill[] = [];
  for (let start = 0; start < accepted.length; start += SKILLS_IN_ONE_GO) {
    const some = accepted.slice(start, start + SKILLS_IN_ONE_GO);
    stored.push(...(await Promise.all(some.map(({ entry, content }) => toStored(entry, content)))));
  }
  storedOf.set(accepted, stored);
  return stored;
}
