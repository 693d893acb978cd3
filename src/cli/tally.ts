import type { CrawlReport, ErrorCode, ProviderOutcome } from '../index.ts';

/** Domains kept for the list of the worst. */
const WORST = 10;

/** A domain that gave less than it should have. */
export interface Culprit {
  domain: string;
  status: ProviderOutcome['status'];
  rejected: number;
  /** The reason of a failed domain, or of the first rejection. */
  code: ErrorCode | undefined;
  message: string;
}

/** What a crawl found so far, in bounded memory unless `keepOutcomes`. */
export interface Tally {
  report: CrawlReport;
  /** The one with the most rejected skills first; a domain that failed as a whole counts as one. */
  worst: Culprit[];
  add(outcome: ProviderOutcome): void;
}

export function createTally({ keepOutcomes }: { keepOutcomes: boolean }): Tally {
  const report: CrawlReport = {
    providers: { total: 0, ok: 0, partial: 0, none: 0, failed: 0 },
    skills: { accepted: 0, rejected: 0 },
    codes: { providers: {}, skills: {} },
    requests: 0,
    bytes: 0,
    durationMs: 0,
    ...(keepOutcomes && { outcomes: [] }),
  };
  const worst: Culprit[] = [];

  return {
    report,
    worst,
    add(outcome) {
      const { status, code, skills, rejected } = outcome;
      report.providers.total += 1;
      report.providers[status] += 1;
      report.skills.accepted += skills.length;
      report.skills.rejected += rejected.length;
      report.requests += outcome.requests;
      report.bytes += outcome.bytes;
      report.outcomes?.push(withoutPrivate(outcome));
      if (code) count(report.codes.providers, code);
      for (const rejection of rejected) count(report.codes.skills, rejection.code);
      if (status === 'failed' || rejected.length > 0) blame(worst, outcome);
    },
  };
}

function count(codes: Partial<Record<ErrorCode, number>>, code: ErrorCode): void {
  codes[code] = (codes[code] ?? 0) + 1;
}

function blame(worst: Culprit[], { domain, status, code, message, rejected }: ProviderOutcome): void {
  const loss = Math.max(1, rejected.length);
  const better = worst.findIndex((other) => Math.max(1, other.rejected) < loss);
  const [first] = rejected;
  worst.splice(better === -1 ? worst.length : better, 0, {
    domain,
    status,
    rejected: rejected.length,
    code: first?.code ?? code,
    message: first?.message ?? message ?? '',
  });
  worst.splice(WORST);
}

/** Private skills are stored and counted, but only `find` and `show` give them out, when asked to. */
export function withoutPrivate(outcome: ProviderOutcome): ProviderOutcome {
  return { ...outcome, skills: outcome.skills.filter(({ access }) => access !== 'private') };
}
