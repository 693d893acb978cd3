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
import type { FoundSkill, StoredEntry, StoredSkill } from './store.ts';

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
  const looks = [skeleton(entry.id), skeleton(entry.name.slice(0, MAX_KEY_LENGTH))];
  const isAtHand = looks.every((look) => typeof look === 'string');
  const [id = '', name = ''] = isAtHand ? looks : await Promise.all(looks);
  return {
    entry,
    descriptor: text,
    authType,
    protocolVersion,
    tags: [...new Set(askable)].slice(0, MAX_TAGS),
    contentHash,
    idKey: lookKey(id),
    nameKey: lookKey(name),
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

/** The caller's own copy, as of `now`. Written out: a page takes as long to copy as to find, and spreading thrice as long. */
export function toSummary({ entry, rivals }: FoundSkill, now: number): SkillSummary {
  const summary: SkillSummary = {
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
  };
  if (entry.unreachableSince !== undefined) summary.unreachableSince = entry.unreachableSince;
  if (entry.origin !== undefined) summary.origin = entry.origin;
  if (rivals) summary.warnings.push(...rivalWarnings(entry, rivals));
  return summary;
}

/** The caller's own copy, as of `now`. SkillscoutError `STORE_CORRUPT` where the descriptor is no JSON. */
export function toRecord(found: FoundSkill, now: number): SkillRecord {
  const { entry, contentHash, descriptor = '' } = found;
  const { descriptorUrl, view } = entry;
  const document = parseDescriptor(descriptor, entry);
  return Object.assign(toSummary(found, now), { descriptor: document, descriptorUrl, view, contentHash });
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
