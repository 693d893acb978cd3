import type { ErrorCode } from '../errors.ts';
import type { CrawlReport, ProviderOutcome } from './outcomes.ts';

/** Outcomes as they add up. */
export interface ReportBuilder {
  /** What was added so far; its `durationMs` is 0 until `finish`. */
  readonly report: CrawlReport;
  add(outcome: ProviderOutcome): void;
  /** The report, timed from `startedAt` to `now`. */
  finish(now: number): CrawlReport;
}

/**
 * Adds outcomes up to a {@link CrawlReport}, as `crawl` does for its last event: for a crawl that is left early. Keeps the
 * outcomes themselves only with `keepOutcomes`. Times are in milliseconds since the epoch.
 */
export function createReport(options: { startedAt: number; keepOutcomes: boolean }): ReportBuilder {
  const report: CrawlReport = {
    providers: { total: 0, ok: 0, partial: 0, none: 0, failed: 0 },
    skills: { accepted: 0, rejected: 0 },
    codes: { providers: {}, skills: {} },
    requests: 0,
    bytes: 0,
    durationMs: 0,
    ...(options.keepOutcomes && { outcomes: [] }),
  };
  return {
    report,
    add(outcome) {
      const { providers, skills, codes } = report;
      providers.total += 1;
      providers[outcome.status] += 1;
      skills.accepted += outcome.skills.length;
      skills.rejected += outcome.rejected.length;
      if (outcome.code) count(codes.providers, outcome.code);
      for (const { code } of outcome.rejected) count(codes.skills, code);
      report.requests += outcome.requests;
      report.bytes += outcome.bytes;
      report.outcomes?.push(outcome);
    },
    finish(now) {
      report.durationMs = Math.max(0, now - options.startedAt);
      return report;
    },
  };
}

function count(codes: Partial<Record<ErrorCode, number>>, code: ErrorCode): void {
  codes[code] = (codes[code] ?? 0) + 1;
}
