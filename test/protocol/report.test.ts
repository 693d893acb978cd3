import { expect, it } from 'vitest';
import type { ProviderOutcome } from '../../src/protocol/index.ts';
import { createReport } from '../../src/protocol/report.ts';

const outcome = (overrides: Partial<ProviderOutcome>): ProviderOutcome => ({
  domain: 'a.example',
  status: 'ok',
  skills: [],
  rejected: [],
  warnings: [],
  view: 'anonymous',
  redirects: [],
  requests: 2,
  retries: 0,
  bytes: 100,
  waitMs: 0,
  documents: { miss: 2, hit: 0, revalidated: 0, stale: 0 },
  durationMs: 5,
  ...overrides,
});

it('adds up statuses, codes, skills, requests and bytes', () => {
  const report = createReport({ startedAt: 1000, keepOutcomes: false });
  const rejection = { index: 0, code: 'DUPLICATE_ID' as const, message: '' };
  report.add(outcome({}));
  report.add(outcome({ status: 'none', code: 'INDEX_NOT_FOUND' }));
  report.add(outcome({ status: 'failed', code: 'TIMEOUT' }));
  report.add(
    outcome({ status: 'partial', rejected: [rejection, rejection, { ...rejection, code: 'TIMEOUT' }] }),
  );
  expect(report.finish(4000)).toEqual({
    providers: { total: 4, ok: 1, partial: 1, none: 1, failed: 1 },
    skills: { accepted: 0, rejected: 3 },
    codes: { providers: { INDEX_NOT_FOUND: 1, TIMEOUT: 1 }, skills: { DUPLICATE_ID: 2, TIMEOUT: 1 } },
    requests: 8,
    bytes: 400,
    durationMs: 3000,
  });
});

it('keeps outcomes only when asked to', () => {
  const report = createReport({ startedAt: 0, keepOutcomes: true });
  report.add(outcome({ domain: 'kept.example' }));
  expect(report.finish(0).outcomes).toMatchObject([{ domain: 'kept.example' }]);
});

it('[C11] has no negative duration after the clock was set back', () => {
  expect(createReport({ startedAt: 5000, keepOutcomes: false }).finish(1000).durationMs).toBe(0);
});
