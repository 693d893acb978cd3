import { SkillscoutError } from '../errors.ts';
import {
  CLAIM_CODES,
  contentHash,
  type SkillDescriptor,
  type SkillRecord,
  type SkillSummary,
  skeleton,
} from '../protocol/index.ts';
import { rivalWarnings } from './rivals.ts';
import type { FoundSkill, Rivals, StoredEntry, StoredSkill } from './store.ts';

/** Tags by which one skill can be found. A descriptor of a few megabytes can hold a million. */
const MAX_TAGS = 256;
/** Characters of a tag that can be asked for. */
export const MAX_TAG_LENGTH = 256;
/** Characters by which what ids and names look like is compared. */
export const MAX_KEY_LENGTH = 512;

/** What a store keeps of a descriptor: its JSON text, and what skills are found by. */
export interface SkillContent extends Pick<StoredSkill, 'authType' | 'protocolVersion' | 'contentHash'> {
  text: string;
  tags: readonly string[];
}

/**
 * A skill as a store keeps it. Descriptors are kept as JSON text: what is handed out is always the caller's own copy, nothing
 * the caller does to a record reaches the store, and text costs the garbage collector less than the objects it stands for.
 * Lone surrogates and members named `__proto__` survive.
 */
export async function toStored(
  entry: StoredEntry,
  { text, authType, protocolVersion, tags, contentHash }: SkillContent,
): Promise<StoredSkill> {
  const askable = tags.filter((tag) => tag.length <= MAX_TAG_LENGTH);
  const id = skeleton(entry.id);
  const name = skeleton(entry.name.slice(0, MAX_KEY_LENGTH));
  return {
    entry,
    descriptor: text,
    authType,
    protocolVersion,
    tags: [...new Set(askable)].slice(0, MAX_TAGS),
    contentHash,
    idKey: lookKey(typeof id === 'string' ? id : await id),
    nameKey: lookKey(typeof name === 'string' ? name : await name),
    isFlagged: entry.origin !== undefined || entry.warnings.some(({ code }) => isClaim(code)),
  };
}

/** {@link toStored} of a record with its descriptor. */
export async function recordToStored(record: Omit<SkillRecord, 'stale'>): Promise<StoredSkill> {
  const { descriptor, contentHash: _, ...entry } = record;
  return toStored(entry, {
    text: JSON.stringify(descriptor),
    authType: descriptor.auth.type,
    protocolVersion: descriptor.protocol.version,
    tags: descriptor.tags ?? [],
    contentHash: await contentHash(entry, descriptor),
  });
}

/** A skeleton as it is compared: bounded, and well-formed Unicode. */
export function lookKey(skeleton: string): string {
  return skeleton.slice(0, MAX_KEY_LENGTH).replace(/\p{Cs}/gu, '\ufffd');
}

const isClaim = (code: string) => (CLAIM_CODES as readonly string[]).includes(code);

/** The caller's own copy, as of `now`. */
export function toSummary({ entry, rivals }: FoundSkill, now: number): SkillSummary {
  const { descriptorUrl, view, ...summary } = entry;
  return { ...summary, ...own(entry, rivals, now) };
}

/** The caller's own copy, as of `now`. SkillscoutError `STORE_CORRUPT` where the descriptor is no JSON. */
export function toRecord(
  { entry, contentHash, descriptor = '', rivals }: FoundSkill,
  now: number,
): SkillRecord {
  return {
    ...entry,
    ...own(entry, rivals, now),
    descriptor: parseDescriptor(descriptor, entry),
    contentHash,
  };
}

function own(entry: StoredEntry, rivals: Rivals | undefined, now: number) {
  const warnings = entry.warnings.map((warning) => ({ ...warning }));
  if (rivals) warnings.push(...rivalWarnings(entry, rivals));
  return { stale: now >= entry.freshUntil, warnings };
}

function parseDescriptor(text: string, { domain, id }: StoredEntry): SkillDescriptor {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SkillscoutError('STORE_CORRUPT', `the stored descriptor of ${id} of ${domain} is damaged`, {
      cause,
    });
  }
}
