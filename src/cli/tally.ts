import {
  type CrawlReport,
  createReport,
  type ErrorCode,
  type ProviderOutcome,
  type ReportBuilder,
} from '../index.ts';

/** Domains kept for the list of the worst. */
const WORST = 10;

/** A domain that gave less than it should have, or only what it gave an earlier time. */
export interface Culprit {
  domain: string;
  status: ProviderOutcome['status'];
  rejected: number;
  /** The reason of a failed domain, or of the first rejection. */
  code: ErrorCode | undefined;
  message: string;
}

/** What a crawl found so far, in bounded memory unless `keepOutcomes`. */
export interface Tally extends ReportBuilder {
  /** How many domains are at fault. */
  culprits: number;
  /** Of these, the one with the most rejected skills first; a domain whose index could not be had counts as one. */
  worst: Culprit[];
}

export function createTally(options: { startedAt: number; keepOutcomes: boolean }): Tally {
  const figures = createReport(options);
  const tally: Tally = {
    ...figures,
    culprits: 0,
    worst: [],
    add(outcome) {
      figures.add(outcome);
      // With a code and skills, a last good copy stands in.
      const isAtFault = outcome.code !== undefined || outcome.rejected.length > 0;
      if (outcome.status === 'none' || !isAtFault) return;
      tally.culprits += 1;
      blame(tally.worst, outcome);
    },
  };
  return tally;
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
    message: first ? `${first.id ?? `entry ${first.index}`}: ${first.message}` : (message ?? ''),
  });
  worst.splice(WORST);
}

/** Private skills are stored and counted, but only `find` and `show` give them out, when asked to. */
export function withoutPrivate(outcome: ProviderOutcome): ProviderOutcome {
  return { ...outcome, skills: outcome.skills.filter(({ access }) => access !== 'private') };
}

/** {@link withoutPrivate} of every outcome that a report has. The figures stay. */
export function withoutPrivateSkills(report: CrawlReport): CrawlReport {
  return { ...report, ...(report.outcomes && { outcomes: report.outcomes.map(withoutPrivate) }) };
}
