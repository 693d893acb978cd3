import type { ErrorCode } from '../errors.ts';
import type { CrawlReport, ProviderOutcome } from '../protocol/index.ts';

/** Adds outcomes up to a {@link CrawlReport}, keeping the outcomes themselves only when asked to. */
export function createReport({ startedAt, keepOutcomes }: { startedAt: number; keepOutcomes: boolean }) {
  const providers = { total: 0, ok: 0, partial: 0, none: 0, failed: 0 };
  const skills = { accepted: 0, rejected: 0 };
  const codes: CrawlReport['codes'] = { providers: {}, skills: {} };
  const outcomes: ProviderOutcome[] = [];
  let requests = 0;
  let bytes = 0;

  const count = (of: Partial<Record<ErrorCode, number>>, code: ErrorCode) => {
    of[code] = (of[code] ?? 0) + 1;
  };

  return {
    add(outcome: ProviderOutcome): void {
      providers.total += 1;
      providers[outcome.status] += 1;
      skills.accepted += outcome.skills.length;
      skills.rejected += outcome.rejected.length;
      if (outcome.code) count(codes.providers, outcome.code);
      for (const { code } of outcome.rejected) count(codes.skills, code);
      requests += outcome.requests;
      bytes += outcome.bytes;
      if (keepOutcomes) outcomes.push(outcome);
    },

    finish(now: number): CrawlReport {
      const durationMs = Math.max(0, now - startedAt);
      return { providers, skills, codes, requests, bytes, durationMs, ...(keepOutcomes && { outcomes }) };
    },
  };
}
