import type { ProviderResult } from '../crawl/index.ts';
import { type ProviderUpdate, toStored } from '../registry/index.ts';

/** What a registry is told of a look. */
export async function toUpdate(result: ProviderResult, retentionMs: number): Promise<ProviderUpdate> {
  const { outcome, at, freshUntil, standIns, listed, withdrawn } = result;
  const { domain, view, status, code, message, details } = outcome;
  const retryAfterMs = details?.retry_after_ms;
  return {
    domain,
    view,
    at,
    status,
    ...(code && { code }),
    ...(message !== undefined && { message }),
    ...(freshUntil !== undefined && { freshUntil }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    skills: await Promise.all(outcome.skills.map(({ stale: _, ...record }) => toStored(record))),
    standIns,
    ...(listed && { listed }),
    withdrawn,
    forgetBefore: at - retentionMs,
  };
}
