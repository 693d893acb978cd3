import { SkillscoutError } from '../errors.ts';
import {
  canonicalJson,
  type SkillDescriptor,
  type SkillRecord,
  type SkillSummary,
} from '../protocol/index.ts';
import type { FoundSkill, StoredEntry, StoredSkill } from './store.ts';

/** Tags by which one skill can be found. A descriptor of a few megabytes can hold a million. */
const MAX_TAGS = 256;
/** Characters of a tag that can be asked for. */
export const MAX_TAG_LENGTH = 256;

/**
 * Takes a record apart for a store. Descriptors are kept as JSON text: what is handed out is always the caller's own copy,
 * nothing the caller does to a record reaches the store, and text costs the garbage collector less than the objects it
 * stands for. Lone surrogates and members named `__proto__` survive.
 */
export async function toStored(record: Omit<SkillRecord, 'stale'>): Promise<StoredSkill> {
  const { descriptor, ...entry } = record;
  const tags = (descriptor.tags ?? []).filter((tag) => tag.length <= MAX_TAG_LENGTH);
  return {
    entry,
    descriptor: JSON.stringify(descriptor),
    authType: descriptor.auth.type,
    protocolVersion: descriptor.protocol.version,
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
    contentHash: await sha256(canonicalJson(contentOf(entry, descriptor))),
  };
}

/** What a publisher says of a skill, without when and how it was read. */
export function contentOf(entry: Omit<StoredEntry, 'fetchedAt' | 'freshUntil'>, descriptor: unknown) {
  const { id, name, capability_type, description, descriptor_url, access, version } = entry;
  return { id, name, capability_type, description, descriptor_url, access, version, descriptor };
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The caller's own copy, as of `now`. */
export function toSummary({ descriptorUrl, view, ...entry }: StoredEntry, now: number): SkillSummary {
  return { ...entry, ...own(entry, now) };
}

/** The caller's own copy, as of `now`. SkillscoutError `STORE_CORRUPT` where the descriptor is no JSON. */
export function toRecord({ entry, descriptor = '' }: FoundSkill, now: number): SkillRecord {
  return { ...entry, ...own(entry, now), descriptor: parseDescriptor(descriptor, entry) };
}

function own({ freshUntil, warnings }: Pick<StoredEntry, 'freshUntil' | 'warnings'>, now: number) {
  return { stale: now >= freshUntil, warnings: warnings.map((warning) => ({ ...warning })) };
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
