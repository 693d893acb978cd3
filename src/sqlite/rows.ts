import type { Change, ProviderStatus } from '../protocol/index.ts';
import type {
  Candidate,
  FoundSkill,
  KnownSkill,
  Rivals,
  StoredEntry,
  StoredSkill,
} from '../registry/index.ts';
import type { Row, SqlValue } from './driver.ts';

/**
 * Of `skills` and `documents`, for {@link toFound}. Few columns, since each takes more memory than what is in it; times have
 * their own, since SQLite writes only 15 digits of a number into JSON. `rival` is the skill's number if it has rivals.
 */
export const foundColumns = (rival = 'NULL') =>
  `json_array(domain, id, capability_type, access, view, content_hash, ${rival}) AS head,
  fetched_at, fresh_until, unreachable_since, entry`;
/** Of `skills` and `documents`, for {@link toCandidate}. */
export const CANDIDATE_COLUMNS = `number, ${foundColumns()}, auth_type, id_key, name_key, is_flagged`;
/** Of `skills`, for {@link toKnown}. */
export const KNOWN_COLUMNS = `number, id, access, view, fetched_at AS fetchedAt, fresh_until AS freshUntil,
  unreachable_since AS unreachableSince, gone_since AS goneSince, content_hash AS contentHash`;
/** Of `changes`, for {@link toChange}. */
export const CHANGE_COLUMNS = 'number, at, kind, domain, id, members';
/** Of `providers`, for {@link toProvider}. */
export const PROVIDER_COLUMNS = `domain, status, code, message, looked_at AS lookedAt, good_at AS goodAt,
  unreachable_since AS unreachableSince, due_at AS dueAt, successes, failures, failures_in_row AS failuresInRow, skills`;

/** What `documents.entry` holds; the last two are for filters alone. */
type Document = Pick<
  StoredEntry,
  'name' | 'description' | 'descriptor_url' | 'version' | 'warnings' | 'descriptorUrl' | 'origin'
> &
  Pick<StoredSkill, 'tags' | 'protocolVersion'>;

export function documentOf({ entry, tags, protocolVersion }: StoredSkill): string {
  const { name, description, descriptor_url, version, warnings, descriptorUrl, origin } = entry;
  const inEntry = {
    name,
    description,
    descriptor_url,
    version,
    warnings,
    descriptorUrl,
    ...(origin && { origin }),
  };
  return JSON.stringify({ ...inEntry, tags, protocolVersion } satisfies Document);
}

/** Throws SyntaxError where the document is damaged. */
export function toFound(row: Row, rivalsOf?: (number: number) => Rivals): FoundSkill {
  const { descriptor } = row as { descriptor?: string };
  const head = headOf(row);
  const [, , , , , contentHash, rival] = head;
  const found: FoundSkill = { entry: entryOf(row, head, parseDocument(row.entry)), contentHash };
  if (descriptor !== undefined) found.descriptor = descriptor;
  if (rivalsOf && rival !== null) found.rivals = rivalsOf(rival);
  return found;
}

/** Throws SyntaxError where the document is damaged. */
export function toCandidate(row: Row): Candidate {
  const head = headOf(row);
  const document = parseDocument(row.entry);
  return {
    entry: entryOf(row, head, document),
    authType: row.auth_type as StoredSkill['authType'],
    contentHash: head[5],
    protocolVersion: document.protocolVersion,
    tags: document.tags,
    idKey: row.id_key as string,
    nameKey: row.name_key as string,
    isFlagged: row.is_flagged !== 0,
  };
}

type Head = [
  domain: string,
  id: string,
  capabilityType: StoredEntry['capability_type'],
  access: StoredEntry['access'],
  view: string,
  contentHash: string,
  rival: number | null,
];

const headOf = ({ head }: Row): Head => JSON.parse(head as string);

// Member by member: with spreads, a page took five times as long.
function entryOf(
  row: Row,
  [domain, id, capabilityType, access, view]: Head,
  document: Document,
): StoredEntry {
  const entry: StoredEntry = {
    domain,
    id,
    name: document.name,
    capability_type: capabilityType,
    description: document.description,
    descriptor_url: document.descriptor_url,
    access,
    version: document.version,
    fetchedAt: row.fetched_at as number,
    freshUntil: row.fresh_until as number,
    warnings: document.warnings,
    descriptorUrl: document.descriptorUrl,
    view,
  };
  if (row.unreachable_since !== null) entry.unreachableSince = row.unreachable_since as number;
  if (document.origin !== undefined) entry.origin = document.origin;
  return entry;
}

export function toKnown(row: Row): KnownSkill & { number: number } {
  return present(row);
}

/** Throws SyntaxError where the members are damaged. */
export function toChange({ number, members, ...row }: Row): Change {
  return { ...present<Change>(row), ...(typeof members === 'string' && { members: JSON.parse(members) }) };
}

export function toProvider(row: Row): ProviderStatus {
  return present(row);
}

/** In the order of the columns of `providers`. */
export function fromProvider(provider: ProviderStatus): SqlValue[] {
  return [
    provider.domain,
    provider.status,
    provider.code ?? null,
    provider.message ?? null,
    provider.lookedAt,
    provider.goodAt ?? null,
    provider.unreachableSince ?? null,
    provider.dueAt,
    provider.successes,
    provider.failures,
    provider.failuresInRow,
    provider.skills,
  ];
}

/** What is NULL in a row is absent in what it stands for. */
function present<T>(row: Row): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

function parseDocument(text: unknown): Document {
  const document: Document | null = JSON.parse(text as string);
  if (!Array.isArray(document?.warnings)) throw new SyntaxError('this is no stored skill');
  return document;
}
