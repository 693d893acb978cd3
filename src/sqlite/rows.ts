import type { Change, ProviderStatus } from '../protocol/index.ts';
import type { FoundSkill, KnownSkill, StoredEntry, StoredSkill } from '../registry/index.ts';
import type { Row, SqlValue } from './driver.ts';

/** What is known of an entry without its document, in the names of its members. */
const OF_ENTRY = `domain, id, capability_type, access, view, fetched_at AS fetchedAt, fresh_until AS freshUntil,
  unreachable_since AS unreachableSince`;

/** Of `skills` and `documents`, for {@link toFound}. */
export const FOUND_COLUMNS = `number, ${OF_ENTRY}, entry`;
/** Of `skills` and `documents`, for {@link toStored}. */
export const STORED_COLUMNS = `${FOUND_COLUMNS}, auth_type AS authType, content_hash AS contentHash, descriptor`;
/** Of `skills`, for {@link toKnown}. */
export const KNOWN_COLUMNS = `number, id, access, view, fetched_at AS fetchedAt, fresh_until AS freshUntil,
  unreachable_since AS unreachableSince, gone_since AS goneSince, content_hash AS contentHash`;
/** Of `changes`, for {@link toChange}. */
export const CHANGE_COLUMNS = 'number, at, kind, domain, id, members';
/** Of `providers`, for {@link toProvider}. */
export const PROVIDER_COLUMNS = `domain, status, code, message, looked_at AS lookedAt, good_at AS goodAt,
  unreachable_since AS unreachableSince, due_at AS dueAt, successes, failures, failures_in_row AS failuresInRow, skills`;

/** What `documents.entry` holds; `tags` and `protocolVersion` are for filters alone. */
type Document = Omit<
  StoredEntry,
  'domain' | 'id' | 'capability_type' | 'access' | 'view' | 'fetchedAt' | 'freshUntil' | 'unreachableSince'
> &
  Pick<StoredSkill, 'tags' | 'protocolVersion'>;

export function documentOf({ entry, tags, protocolVersion }: StoredSkill): string {
  const { name, description, descriptor_url, version, warnings, descriptorUrl } = entry;
  const inEntry = { name, description, descriptor_url, version, warnings, descriptorUrl };
  return JSON.stringify({ ...inEntry, tags, protocolVersion } satisfies Document);
}

/** Throws SyntaxError where the document is damaged. */
export function toFound({ number, entry, descriptor, ...columns }: Row): FoundSkill {
  const { tags, protocolVersion, ...document } = parseDocument(entry);
  return {
    entry: { ...present<StoredEntry>(columns), ...document },
    ...(typeof descriptor === 'string' && { descriptor }),
  };
}

/** Throws SyntaxError where the document is damaged. */
export function toStored(row: Row): StoredSkill & { number: number } {
  const { number, entry, descriptor, authType, contentHash, ...columns } = row;
  const { tags, protocolVersion, ...document } = parseDocument(entry);
  return {
    number: number as number,
    entry: { ...present<StoredEntry>(columns), ...document },
    descriptor: descriptor as string,
    authType: authType as StoredSkill['authType'],
    contentHash: contentHash as string,
    protocolVersion,
    tags,
  };
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
