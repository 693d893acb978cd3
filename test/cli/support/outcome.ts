import type { ProviderOutcome } from '../../../src/index.ts';

/** An outcome with nothing in it but what is given. */
export function outcomeOf(members: Partial<ProviderOutcome>): ProviderOutcome {
  return {
    domain: 'a.example',
    status: 'ok',
    skills: [],
    rejected: [],
    warnings: [],
    view: 'anonymous',
    redirects: [],
    requests: 1,
    retries: 0,
    bytes: 10,
    waitMs: 0,
    documents: { miss: 1, hit: 0, revalidated: 0, stale: 0 },
    durationMs: 5,
    ...members,
  };
}
