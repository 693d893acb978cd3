import type { Failure } from '../errors.ts';
import {
  claimWarnings,
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_STRING_LENGTH,
  judgeEntry,
  parse,
  parseDomain,
  parseHttpUrl,
  parseJson,
  type Reading,
  type ReadOptions,
  type SkillRecord,
  unsafeTextWarnings,
  withoutQuery,
} from '../protocol/index.ts';

/*
 * A snapshot is NDJSON: a line that says what it is, one line a skill, and a line that says how many there were, so that one
 * that was cut off does not pass for whole.
 */

export const SNAPSHOT_VERSION = 1;

export type SnapshotLine =
  | { kind: 'head'; version: number }
  | { kind: 'skill'; record: Omit<SkillRecord, 'stale'> }
  | { kind: 'end'; skills: number };

/** Characters that one character takes at most in JSON text. */
const ESCAPED = 6;

export const snapshotHead = (): string => JSON.stringify({ skillscoutSnapshot: SNAPSHOT_VERSION });
export const snapshotEnd = (skills: number): string => JSON.stringify({ end: { skills } });

/** What a snapshot says of a skill: nothing of when it was read, and no validators. */
export function snapshotSkill(record: SkillRecord): string {
  const { id, name, capability_type, description, descriptor_url, access, version } = record;
  const { domain, view, descriptorUrl, descriptor } = record;
  const entry = { id, name, capability_type, description, descriptor_url, access, version };
  return JSON.stringify({ domain, view, descriptorUrl, entry, descriptor });
}

/**
 * Reads one line of a snapshot as a stranger's: JSON within bounds, canonical domain, entry and descriptor by the schema and in
 * agreement, version, URLs, and claims are all judged anew. What is good is marked as imported, and is fresh at no time.
 */
export async function readSnapshotLine(text: string, options: ReadOptions): Promise<Reading<SnapshotLine>> {
  const { maxDepth = DEFAULT_MAX_DEPTH, maxStringLength = DEFAULT_MAX_STRING_LENGTH } = options;
  // The descriptor lies one level deeper than in its own document, and any character may be escaped here.
  const json = parseJson(text, { maxDepth: maxDepth + 1, maxStringLength: ESCAPED * maxStringLength });
  if (!json.ok) return json;
  const line = (json.value ?? {}) as Record<string, unknown>;
  const { skillscoutSnapshot, end, domain, view, descriptorUrl, entry, descriptor } = line;
  if (typeof skillscoutSnapshot === 'number') return good({ kind: 'head', version: skillscoutSnapshot });
  const skills = (end as { skills?: unknown } | undefined)?.skills;
  if (typeof skills === 'number') return good({ kind: 'end', skills });

  if (typeof domain !== 'string' || typeof view !== 'string' || typeof descriptorUrl !== 'string') {
    return invalid('expected a skill with domain, view and descriptorUrl');
  }
  const parsed = canonical(domain);
  if (parsed === undefined) return failed({ code: 'INVALID_DOMAIN', message: 'the domain is not canonical' });
  const judged = judgeEntry(entry, 0);
  if (!judged.ok) return invalid(judged.violations[0]?.message ?? 'the entry breaks the schema');
  const reading = parse(JSON.stringify(descriptor ?? null), options);
  if (!reading.ok) return reading;
  const { id, name, capability_type, description, descriptor_url, access, version } = judged.entry;
  const members = { id, name, capability_type, description, descriptor_url, access, version };
  const differing = (['id', 'capability_type', 'access', 'version'] as const).find(
    (member) => reading.value[member] !== judged.entry[member],
  );
  if (differing) {
    return failed({ code: 'DESCRIPTOR_MISMATCH', message: `entry and descriptor differ in ${differing}` });
  }
  if (access === 'private' && view === 'anonymous') {
    return failed({ code: 'PRIVATE_EXPOSED', message: 'nobody can have seen this private skill' });
  }
  const url = parseHttpUrl(descriptorUrl);
  if (!url.ok) return failed({ code: 'URL_REFUSED', message: url.reason });
  const warnings = [
    ...unsafeTextWarnings({ ...reading.value, name, description }),
    ...(await claimWarnings(judged.entry, reading.value, new URL(parsed.origin))),
  ];
  const seen = { fetchedAt: 0, freshUntil: 0, origin: 'imported' as const, view };
  return good({
    kind: 'skill',
    record: {
      domain,
      ...members,
      ...seen,
      warnings,
      descriptor: reading.value,
      descriptorUrl: withoutQuery(url.url),
    },
  });
}

function canonical(domain: string) {
  try {
    const parsed = parseDomain(domain);
    return parsed.domain === domain ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const good = (value: SnapshotLine): Reading<SnapshotLine> => ({ ok: true, value });
const failed = (failure: Failure): Reading<SnapshotLine> => ({ ok: false, failure });
const invalid = (message: string) => failed({ code: 'VALIDATION_ERROR', message });
