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
import type { CacheMode, GetRequest, GetResult, KeptCopy } from '../transport/index.ts';
import type { DomainBudget } from './budget.ts';
import type { CrawlContext } from './context.ts';
import type { DescriptorReading } from './descriptor-reading.ts';
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
  /** The record without what `content` tells in its place. */
  entry: Omit<SkillRecord, 'descriptor' | 'stale'>;
  content: SkillContent;
  /** The descriptor is the last good copy, since its refresh failed. */
  isStandIn: boolean;
  reading: DescriptorReading;
  /** As of {@link GetResult}. None where the index is ahead: then the descriptor is asked for each time. */
  kept: KeptCopy | undefined;
}

/** A descriptor as it is kept: its JSON text, and what skills are found by. */
export interface SkillContent
  extends Pick<DescriptorReading, 'text' | 'tags' | 'authType' | 'protocolVersion'> {
  contentHash: string;
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
  const isAllowed = isAllowedOrigin(context, url, source);
  if (isAllowed !== true && !(await isAllowed)) return reject(wrongOrigin(url, source));

  const ask = async (mode: CacheMode): Promise<GetResult<DescriptorReading>> => {
    const result = await context.get({
      url: url.href,
      kind: 'descriptor',
      check: context.descriptorCheck,
      cacheMode: mode,
      maxStaleMs: source.vouchMs,
      signal: budget.signal,
    } satisfies GetRequest<DescriptorReading>);
    budget.count(result.report);
    return result;
  };
  let spent = budget.exceeded();
  if (spent) return reject(spent);
  let result = await ask(cacheMode);
  // An index that is ahead of a cached descriptor is no contradiction yet.
  if (result.ok && wasNotAsked(result) && !isInStep(entry, result.value)) {
    spent = budget.exceeded();
    if (spent) return reject(spent);
    result = await ask('refresh');
  }
  if (!result.ok) return reject(result.failure);

  const { value: reading, response, report, refreshFailure, kept } = result;
  // First of all, since it lets the document go.
  const { id, name, description, capability_type, access, descriptor_url } = entry;
  const { version, provider, tags, text, authType, protocolVersion } = reading;
  const hash = reading.contentHash(
    { id, name, capability_type, description, descriptor_url, access, version },
    entry,
  );
  const contentHash = typeof hash === 'string' ? hash : await hash;
  if (!report.finalUrl.startsWith(`${url.origin}/`)) {
    const finalUrl = new URL(report.finalUrl);
    if (!(await isAllowedOrigin(context, finalUrl, source))) return reject(wrongOrigin(finalUrl, source));
  }
  const differing = isInStep(entry, reading) ? [] : differences(entry, reading);
  const contradictions = differing.filter(({ field }) => field !== '/version');
  if (contradictions.length > 0) {
    return reject(mismatch(contradictions), reading.access === 'private');
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
  warnings.push(...unsafeTextWarnings({ name, description, provider, tags }));
  warnings.push(...(await claimWarnings(entry, reading, source.origin)));
  const isVouchedFor = report.cacheStatus === 'stale' && !refreshFailure;
  const vouchedMs = isVouchedFor ? source.vouchMs : 0;
  const known = {
    domain: source.domain,
    id,
    name,
    capability_type,
    description,
    descriptor_url,
    access,
    version,
    fetchedAt: report.fetchedAt,
    freshUntil: Math.min(report.freshUntil + vouchedMs, source.freshUntil),
    warnings,
    descriptorUrl: report.finalUrl,
    view: source.view,
  };
  return {
    ok: true,
    isStandIn: refreshFailure !== undefined,
    entry: known,
    content: { text, tags, authType, protocolVersion, contentHash },
    record: toRecord(known, reading, context.clock.now()),
    reading,
    kept: differing.length > 0 ? undefined : kept,
  };
}

/** The document is read when somebody asks for it. Written out: with a spread it takes eight times as long. */
export function toRecord(entry: Accepted['entry'], reading: DescriptorReading, now: number): SkillRecord {
  let descriptor: SkillDescriptor | undefined;
  return {
    domain: entry.domain,
    id: entry.id,
    name: entry.name,
    capability_type: entry.capability_type,
    description: entry.description,
    descriptor_url: entry.descriptor_url,
    access: entry.access,
    version: entry.version,
    fetchedAt: entry.fetchedAt,
    freshUntil: entry.freshUntil,
    stale: now >= entry.freshUntil,
    warnings: entry.warnings.map((warning) => ({ ...warning })),
    get descriptor() {
      descriptor ??= reading.take();
      return descriptor;
    },
    descriptorUrl: entry.descriptorUrl,
    view: entry.view,
  };
}

function wasNotAsked({ report, refreshFailure }: GetResult<DescriptorReading> & { ok: true }): boolean {
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

function isAllowedOrigin(
  { descriptorOrigins }: CrawlContext,
  url: URL,
  source: EntrySource,
): boolean | Promise<boolean> {
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

function isInStep(entry: SkillIndexEntry, descriptor: DescriptorReading): boolean {
  return SHARED_MEMBERS.every((member) => entry[member] === descriptor[member]);
}

function differences(entry: SkillIndexEntry, descriptor: DescriptorReading): Violation[] {
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
