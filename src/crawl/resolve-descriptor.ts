import type { Failure } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';
import {
  claimWarnings,
  isSameSite,
  neutralize,
  parseHttpUrl,
  type SkillDescriptor,
  type SkillIndexEntry,
  type SkillRecord,
  unsafeTextWarnings,
  type Violation,
  type Warning,
  withoutQuery,
} from '../protocol/index.ts';
import type { CacheMode, GetRequest, GetResult } from '../transport/index.ts';
import type { DomainBudget } from './budget.ts';
import type { CrawlContext } from './context.ts';
import { contentTypeWarnings } from './failures.ts';

/** Where an entry was read. */
export interface EntrySource {
  domain: string;
  origin: URL;
  /** Of the index, after redirects: what a relative descriptor URL is relative to. */
  indexUrl: string;
  view: string;
  /** Until when the index itself is fresh; milliseconds since the epoch. */
  freshUntil: number;
  /** How long past their own freshness it vouches for descriptors. */
  vouchMs: number;
}

export interface Accepted {
  record: SkillRecord;
  /** The JSON text of its descriptor. */
  text: string;
  /** The descriptor is the last good copy, since its refresh failed. */
  isStandIn: boolean;
}

export type Resolution =
  | (Accepted & { ok: true })
  | {
      ok: false;
      failure: Failure;
      /** The descriptor calls the skill private. */
      isPrivate: boolean;
    };

/** The second step: from an entry of an index to a record, or to the reason why not. */
export async function resolveDescriptor(
  context: CrawlContext,
  entry: SkillIndexEntry,
  source: EntrySource,
  budget: DomainBudget,
  cacheMode: CacheMode,
): Promise<Resolution> {
  const reject = (failure: Failure, isPrivate = false): Resolution => ({
    ok: false,
    failure,
    isPrivate,
  });
  const warnings: Warning[] = [];

  const target = descriptorUrl(entry, source, warnings);
  if (!target.ok) return reject(target.failure);
  const { url } = target;
  const refusal = context.judgeTarget(url);
  if (refusal) return reject(refusal);
  if (!(await isAllowedOrigin(context, url, source))) {
    return reject(wrongOrigin(url, source));
  }

  const ask = async (mode: CacheMode): Promise<GetResult<SkillDescriptor>> => {
    const result = await context.get({
      url: url.href,
      kind: 'descriptor',
      check: context.descriptorCheck,
      cacheMode: mode,
      maxStaleMs: source.vouchMs,
      signal: budget.signal,
    } satisfies GetRequest<SkillDescriptor>);
    budget.count(result.report);
    return result;
  };
  let spent = budget.exceeded();
  if (spent) return reject(spent);
  let result = await ask(cacheMode);
  // An index that is ahead of a cached descriptor is no contradiction yet.
  if (result.ok && wasNotAsked(result) && differences(entry, result.value).length > 0) {
    spent = budget.exceeded();
    if (spent) return reject(spent);
    result = await ask('refresh');
  }
  if (!result.ok) return reject(result.failure);

  const { value: descriptor, response, report, refreshFailure } = result;
  if (!report.finalUrl.startsWith(`${url.origin}/`)) {
    const finalUrl = new URL(report.finalUrl);
    if (!(await isAllowedOrigin(context, finalUrl, source))) return reject(wrongOrigin(finalUrl, source));
  }
  const differing = differences(entry, descriptor);
  const contradictions = differing.filter(({ field }) => field !== '/version');
  if (contradictions.length > 0) {
    return reject(mismatch(contradictions), descriptor.access === 'private');
  }
  for (const { expected, actual } of differing) {
    warnings.push({
      code: 'VERSION_DRIFT',
      message: `the index says version ${expected}, the descriptor ${actual}; the descriptor counts`,
      field: '/version',
    });
  }
  warnings.push(...contentTypeWarnings('descriptor', response.contentType));
  if (refreshFailure) {
    const { code, message } = refreshFailure;
    warnings.push({
      code: 'REFRESH_FAILED',
      message: neutralize(`this is the last good copy; the refresh ended as ${code}: ${message}`),
    });
  }
  const { name, description } = entry;
  const { provider, tags = [] } = descriptor;
  warnings.push(...unsafeTextWarnings({ name, description, provider, tags }));
  warnings.push(...(await claimWarnings(entry, descriptor, source.origin)));
  const isVouchedFor = report.cacheStatus === 'stale' && !refreshFailure;
  const vouchedMs = isVouchedFor ? source.vouchMs : 0;
  const freshUntil = Math.min(report.freshUntil + vouchedMs, source.freshUntil);

  return {
    ok: true,
    isStandIn: refreshFailure !== undefined,
    text: response.text.replace(/^\ufeff/, ''),
    record: {
      domain: source.domain,
      id: entry.id,
      name,
      capability_type: entry.capability_type,
      description,
      descriptor_url: entry.descriptor_url,
      access: entry.access,
      version: descriptor.version,
      fetchedAt: report.fetchedAt,
      freshUntil,
      stale: context.clock.now() >= freshUntil,
      warnings,
      descriptor,
      descriptorUrl: report.finalUrl,
      view: source.view,
    },
  };
}

function wasNotAsked({ report, refreshFailure }: GetResult<SkillDescriptor> & { ok: true }): boolean {
  const { cacheStatus, sentAt } = report;
  return cacheStatus === 'hit' || (cacheStatus === 'stale' && sentAt === undefined && !refreshFailure);
}

function descriptorUrl(
  entry: SkillIndexEntry,
  source: EntrySource,
  warnings: Warning[],
): { ok: true; url: URL } | { ok: false; failure: Failure } {
  const absolute = parseHttpUrl(entry.descriptor_url);
  if (absolute.ok) return absolute;
  const joined = parseUrl(entry.descriptor_url) ? undefined : parseUrl(entry.descriptor_url, source.indexUrl);
  if (joined) {
    const relative = parseHttpUrl(joined.href);
    if (relative.ok) {
      const message = `the descriptor URL is relative; it was read as ${withoutQuery(relative.url)}`;
      warnings.push({ code: 'RELATIVE_URL', message, field: '/descriptor_url' });
      return relative;
    }
  }
  return {
    ok: false,
    failure: { code: 'URL_REFUSED', message: `the descriptor URL is refused: ${absolute.reason}` },
  };
}

async function isAllowedOrigin(
  { descriptorOrigins }: CrawlContext,
  url: URL,
  source: EntrySource,
): Promise<boolean> {
  if (descriptorOrigins === 'any') return true;
  if (descriptorOrigins === 'same-site') return isSameSite(source.origin, url);
  return descriptorOrigins(new URL(url), source.domain) === true;
}

function wrongOrigin({ origin }: URL, { domain }: EntrySource): Failure {
  return {
    code: 'ORIGIN_REFUSED',
    message: `the descriptor lies on ${origin}, which the policy does not allow for ${domain}`,
  };
}

/** Characters of a member that a violation repeats. */
const MAX_SHOWN = 80;

/** The members in which a descriptor must agree with its entry (version: should). */
const SHARED_MEMBERS = ['id', 'capability_type', 'access', 'version'] as const;

function differences(entry: SkillIndexEntry, descriptor: SkillDescriptor): Violation[] {
  return SHARED_MEMBERS.filter((member) => entry[member] !== descriptor[member]).map((member) => ({
    field: `/${member}`,
    expected: neutralize(entry[member], MAX_SHOWN),
    actual: neutralize(descriptor[member], MAX_SHOWN),
    message: neutralize(
      `the index says "${entry[member]}", the descriptor "${descriptor[member]}"`,
      3 * MAX_SHOWN,
    ),
  }));
}

function mismatch(violations: Violation[]): Failure {
  const members = violations.map(({ field }) => field.slice(1)).join(', ');
  return {
    code: 'DESCRIPTOR_MISMATCH',
    message: `the descriptor contradicts its index entry in ${members}`,
    details: { violations },
  };
}
