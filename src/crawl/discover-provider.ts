import pLimit from 'p-limit';
import type { Failure } from '../errors.ts';
import {
  findDuplicateIds,
  type IndexReading,
  judgeEntry,
  type ParsedDomain,
  type ProviderOutcome,
  type Rejection,
  type Traffic,
  type Violation,
  type Warning,
  wellKnownUrl,
  withoutQuery,
} from '../protocol/index.ts';
import type { GetReport, GetResult } from '../transport/index.ts';
import { DomainBudget } from './budget.ts';
import type { CrawlContext, CrawlOptions } from './context.ts';
import { contentTypeWarnings, failureMembers } from './failures.ts';
import { type Accepted, type EntrySource, resolveDescriptor } from './resolve-descriptor.ts';
import { noTraffic } from './traffic.ts';

/** What a look at one provider found, and what a registry may conclude from it. */
export interface ProviderResult {
  outcome: ProviderOutcome;
  /** `outcome.skills` as they are kept, in their order. */
  accepted: Pick<Accepted, 'entry' | 'content' | 'reading'>[];
  /** When the look ended; milliseconds since the epoch. */
  at: number;
  /** The ids that a good index named, accepted or not. Absent where no index was read, or only a stale copy. */
  listed?: string[];
  /** When the index was received or last confirmed; absent where none was read. Milliseconds since the epoch. */
  indexAt?: number;
  /** Until when the index is fresh; absent where none was read. Milliseconds since the epoch. */
  freshUntil?: number;
  /** Ids of accepted skills whose copy, or whose index's, stands in for a failed refresh. */
  standIns: string[];
  /** Ids that the publisher calls private to a view that may not see private skills. */
  withdrawn: string[];
}

/** The first step: one domain's index, and every entry of it resolved. Rejects only when the caller aborts. */
export async function discoverProvider(
  context: CrawlContext,
  domain: ParsedDomain,
  options: CrawlOptions,
): Promise<ProviderResult> {
  const { cacheMode, revisit, signal } = options;
  const mayRepeat = cacheMode === 'use' && !revisit && !signal.aborted;
  const repeated = mayRepeat && context.looks?.repeat(domain.domain, context.clock.now());
  if (repeated) return repeated;
  const budget = new DomainBudget(context.limits, context.clock, signal);
  try {
    const index = await readIndex(context, domain, budget, revisit ? 'refresh' : cacheMode);
    if (!index.ok)
      return finish(context, budget, { ...skeleton(domain.domain, index.report), ...failed(index.failure) });
    const tooMany = tooManySkills(index.value, context.limits.maxSkillsPerIndex);
    if (tooMany)
      return finish(context, budget, { ...skeleton(domain.domain, index.report), ...failed(tooMany) });
    return await readEntries(context, domain, index, budget, descriptorMode(index, options));
  } finally {
    budget.close();
  }
}

/** How descriptors are asked for, depending on how the index was come by. */
function descriptorMode(
  { report, refreshFailure }: Extract<IndexResult, { ok: true }>,
  { cacheMode, revisit }: CrawlOptions,
) {
  // A server that does not even give its index is not asked for anything that there is a copy of.
  if (refreshFailure) return { cacheMode: 'use' as const, vouchMs: Number.POSITIVE_INFINITY };
  const isUnchanged = report.cacheStatus === 'revalidated';
  return { cacheMode, vouchMs: isUnchanged && revisit ? revisit.vouchMs : 0 };
}

/** The outcome of a domain that could not even be asked. */
export function refusedDomain(domain: string, failure: Failure, at: number): ProviderResult {
  const outcome = { ...skeleton(domain), ...failed(failure), ...noTraffic(), durationMs: 0 };
  return { outcome, accepted: [], at, standIns: [], withdrawn: [] };
}

type IndexResult = GetResult<IndexReading> | { ok: false; failure: Failure; report?: undefined };

async function readIndex(
  context: CrawlContext,
  domain: ParsedDomain,
  budget: DomainBudget,
  cacheMode: CrawlOptions['cacheMode'],
): Promise<IndexResult> {
  try {
    const result = await context.get({
      url: wellKnownUrl(domain.domain),
      kind: 'index',
      check: context.indexCheck,
      cacheMode,
      signal: budget.signal,
    });
    budget.count(result.report);
    return result;
  } catch (error) {
    const failure = budget.exceeded();
    if (failure === undefined) throw error;
    return { ok: false, failure };
  }
}

/** Of an entry that is rejected, what its rejection repeats at most. */
const MAX_ID_LENGTH = 512;
const MAX_URL_LENGTH = 2048;
/** Entries judged before timers and sockets get their turn. */
const ENTRIES_IN_ONE_GO = 100;
/** Violations kept for all entries of one index together; a rejection beyond has its message alone. */
const MAX_EXPLAINED = 2000;

type Verdict = Accepted | { rejection: Rejection; isPrivate: boolean };

async function readEntries(
  context: CrawlContext,
  domain: ParsedDomain,
  index: Extract<GetResult<IndexReading>, { ok: true }>,
  budget: DomainBudget,
  { cacheMode, vouchMs }: { cacheMode: CrawlOptions['cacheMode']; vouchMs: number },
): Promise<ProviderResult> {
  const { value: reading, report, refreshFailure } = index;
  const source: EntrySource = {
    domain: domain.domain,
    origin: new URL(domain.origin),
    indexUrl: report.finalUrl,
    view: report.view,
    freshUntil: report.freshUntil,
    vouchMs,
  };
  const duplicates = findDuplicateIds(reading.entries);

  let explained = 0;
  const judge = async (value: unknown, position: number): Promise<Verdict> => {
    const refuse = (failure: Failure, more: Partial<Rejection> = {}, isPrivate = false): Verdict => {
      const { violations, ...members } = failureMembers(failure);
      explained += violations?.length ?? 0;
      const kept = violations && explained <= MAX_EXPLAINED ? { violations } : {};
      return { rejection: { index: position, ...members, ...kept, ...more }, isPrivate };
    };
    // A long index of bad entries costs no request: let others have their turn.
    if (position % ENTRIES_IN_ONE_GO === ENTRIES_IN_ONE_GO - 1) {
      await context.clock.sleep(0, budget.signal).catch(() => {});
    }
    const id = ownId(value);
    const named = id === undefined || id.length > MAX_ID_LENGTH ? {} : { id };
    const positions = id === undefined ? undefined : duplicates.get(id);
    if (positions) return refuse(duplicateId(positions), named);
    const judged = judgeEntry(value, position);
    if (!judged.ok) return refuse(invalidEntry(judged.violations), named);
    const { entry } = judged;
    const refuseEntry = (failure: Failure, isPrivate = false) => {
      const descriptorUrl = withoutQuery(entry.descriptor_url).slice(0, MAX_URL_LENGTH);
      return refuse(failure, { ...named, descriptorUrl }, isPrivate);
    };
    if (entry.access === 'private' && source.view === 'anonymous') return refuseEntry(privateExposed, true);
    try {
      const resolution = await resolveDescriptor(context, entry, source, budget, cacheMode);
      if (resolution.ok) {
        const { record, content } = resolution;
        const refusal = context.judgeRecord && (await context.judgeRecord(record, content.contentHash));
        return refusal ? refuseEntry(refusal) : resolution;
      }
      return refuseEntry(resolution.failure, resolution.isPrivate && source.view === 'anonymous');
    } catch (error) {
      const failure = budget.exceeded();
      if (failure === undefined) throw error;
      return refuseEntry(failure);
    }
  };

  // In the order of the index, whatever the order in which descriptors arrive.
  const verdicts = await pLimit(context.descriptorsAtOnce).map(reading.entries, judge);
  const accepted = verdicts.filter((verdict) => 'record' in verdict);
  const skills = accepted.map(({ record }) => record);
  const rejected = verdicts.flatMap((verdict) => ('rejection' in verdict ? [verdict.rejection] : []));
  const withdrawn = verdicts.flatMap((verdict) =>
    'rejection' in verdict && verdict.isPrivate && verdict.rejection.id !== undefined
      ? [verdict.rejection.id]
      : [],
  );
  const result = finish(context, budget, {
    ...skeleton(domain.domain, report),
    status: rejected.length > 0 ? 'partial' : 'ok',
    ...(refreshFailure && failureMembers(refreshFailure)),
    provider: structuredClone(reading.provider),
    skills,
    rejected,
    warnings: indexWarnings(index),
  });
  const { fetchedAt: indexAt, freshUntil } = report;
  const standIns = accepted.flatMap(({ isStandIn, record: { id } }) =>
    isStandIn || refreshFailure ? [id] : [],
  );
  const kept = accepted.map(({ entry, content, reading }) => ({ entry, content, reading }));
  const read = { ...result, accepted: kept, indexAt, freshUntil, standIns };
  if (refreshFailure) return read;
  const whole = { ...read, listed: reading.entries.flatMap((entry) => ownId(entry) ?? []), withdrawn };
  context.looks?.remember(whole, [index.kept, ...accepted.map(({ kept }) => kept)]);
  return whole;
}

function finish(
  { clock }: CrawlContext,
  budget: DomainBudget,
  outcome: Omit<ProviderOutcome, keyof Traffic | 'durationMs'>,
): ProviderResult {
  const { traffic, durationMs } = budget;
  return {
    outcome: { ...outcome, ...traffic, durationMs },
    ...{ accepted: [], at: clock.now(), standIns: [], withdrawn: [] },
  };
}

const skeleton = (domain: string, report?: GetReport) => ({
  domain,
  skills: [],
  rejected: [],
  warnings: [] as Warning[],
  view: report?.view ?? 'anonymous',
  redirects: [...(report?.redirects ?? [])],
  ...(report && { finalUrl: report.finalUrl, cacheStatus: report.cacheStatus }),
});

const failed = (failure: Failure) => ({
  status: failure.code === 'INDEX_NOT_FOUND' ? ('none' as const) : ('failed' as const),
  ...failureMembers(failure),
});

function ownId(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, 'id')) return undefined;
  const { id } = entry as { id: unknown };
  return typeof id === 'string' ? id : undefined;
}

function tooManySkills({ entries }: IndexReading, limit: number): Failure | undefined {
  if (entries.length <= limit) return undefined;
  return {
    code: 'TOO_MANY_SKILLS',
    message: `the index lists ${entries.length} skills, more than the limit of ${limit}`,
  };
}

const duplicateId = (positions: number[]): Failure => ({
  code: 'DUPLICATE_ID',
  message: `entries ${listPositions(positions)} share this id`,
  details: { positions: positions.slice(0, 100) },
});

const listPositions = (positions: number[]): string => {
  const shown = positions.slice(0, 10).join(', ');
  return positions.length > 10 ? `${shown} and ${positions.length - 10} more` : shown;
};

const invalidEntry = (violations: Violation[]): Failure => ({
  code: 'VALIDATION_ERROR',
  message: violations.map(({ message }) => message)[0] ?? 'the entry breaks the schema',
  details: { violations },
});

const privateExposed: Failure = {
  code: 'PRIVATE_EXPOSED',
  message: 'the index lists this private skill to an anonymous caller',
};

function indexWarnings({ report, response }: Extract<GetResult<IndexReading>, { ok: true }>): Warning[] {
  const warnings = contentTypeWarnings('index', response.contentType);
  if (report.addressCheck === 'proxy') {
    warnings.push({
      code: 'ADDRESS_CHECK_PROXIED',
      message: 'addresses are resolved, and so must be judged, by the proxy',
    });
  }
  if (report.addressCheck === 'literal') {
    warnings.push({
      code: 'ADDRESS_CHECK_LITERAL',
      message: 'this fetch hides what names resolve to: only literal addresses were judged',
    });
  }
  return warnings;
}
