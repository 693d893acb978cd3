import { canonicalJson, type SkillRecord } from '../protocol/index.ts';
import { compareCodePoints } from './order.ts';

/** One skill as it was when it was locked. */
export interface LockedSkill {
  domain: string;
  id: string;
  /** The skill's own version. */
  version: string;
  /** Where its descriptor was read, after redirects, without its query string. */
  descriptorUrl: string;
  /** SHA-256 of the canonical content, in hexadecimal. */
  contentHash: string;
  /** SHA-256 of what makes it this publisher's skill: provider, and the origins of descriptor and endpoint; in hexadecimal. */
  identityHash: string;
}

/** Which skills, in which state, a consumer has agreed to use. What `skillscout.lock.json` holds. */
export interface Lock {
  /** Of this format. */
  lockVersion: 1;
  /** By domain, then id, both by code point; each of them once. */
  skills: LockedSkill[];
}

const LOCK_VERSION = 1;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Locks skills as they are now. TypeError for one that came from an import and was not confirmed by its publisher, or that
 * has no `contentHash`, since it was never stored.
 */
export async function createLock(records: Iterable<SkillRecord>): Promise<Lock> {
  const skills: LockedSkill[] = [];
  for (const record of records) {
    const { domain, id, version, descriptorUrl, contentHash, origin } = record;
    if (origin !== undefined || contentHash === undefined) {
      throw new TypeError(
        `${id} of ${domain} was not confirmed by its publisher: look at it before it is locked`,
      );
    }
    const identityHash = await identityHashOf(record);
    skills.push({ domain, id, version, descriptorUrl, contentHash, identityHash });
  }
  return { lockVersion: LOCK_VERSION, skills: skills.sort(compareLocked) };
}

export async function identityHashOf(
  record: Pick<SkillRecord, 'descriptor' | 'descriptorUrl'>,
): Promise<string> {
  const { descriptor, descriptorUrl } = record;
  const { name, url } = descriptor.provider;
  const origins = [descriptorUrl, descriptor.endpoint.url].map((place) =>
    URL.canParse(place) ? new URL(place).origin : place,
  );
  const bytes = new TextEncoder().encode(canonicalJson([name, url ?? null, ...origins]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function serializeLock(lock: Lock): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** Reads a lock. TypeError, in one line, for what is none, was cut off or edited badly, or is of a later format. */
export function parseLock(text: string): Lock {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new TypeError('lock: expected the JSON of a lock; this is none, or was cut off', { cause });
  }
  return requireLock(value);
}

/** Gives back what is a lock. TypeError, in one line, for what is none. */
export function requireLock(value: unknown): Lock {
  if (!isObject(value)) throw new TypeError('lock: expected an object');
  const { lockVersion, skills } = value;
  if (Number.isInteger(lockVersion) && (lockVersion as number) > LOCK_VERSION) {
    throw new TypeError(`lock: has format ${lockVersion}; this is for ${LOCK_VERSION}`);
  }
  if (lockVersion !== LOCK_VERSION) throw new TypeError(`lock: lockVersion: expected ${LOCK_VERSION}`);
  if (!Array.isArray(skills)) throw new TypeError('lock: skills: expected a list');
  const keys = new Set<string>();
  for (const [i, skill] of skills.entries()) {
    const wrong = wrongMember(skill);
    if (wrong !== undefined) throw new TypeError(`lock: skills[${i}].${wrong}`);
    const key = keyOf(skill);
    if (keys.has(key))
      throw new TypeError(`lock: skills[${i}]: ${skill.id} of ${skill.domain} is locked twice`);
    keys.add(key);
  }
  return value as unknown as Lock;
}

function wrongMember(skill: unknown): string | undefined {
  if (!isObject(skill)) return ': expected an object';
  for (const member of ['domain', 'id', 'version', 'descriptorUrl'] as const) {
    if (typeof skill[member] !== 'string' || skill[member] === '') return `${member}: expected a string`;
  }
  for (const member of ['contentHash', 'identityHash'] as const) {
    if (typeof skill[member] !== 'string' || !HASH.test(skill[member])) {
      return `${member}: expected a SHA-256 in hexadecimal`;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Locked skills by domain and id. */
export class LockIndex {
  readonly #byKey: Map<string, LockedSkill>;

  constructor({ skills }: Lock) {
    this.#byKey = new Map(skills.map((skill) => [keyOf(skill), skill]));
  }

  get(key: { domain: string; id: string }): LockedSkill | undefined {
    return this.#byKey.get(keyOf(key));
  }
}

const keyOf = ({ domain, id }: { domain: string; id: string }) => `${domain} ${id}`;

function compareLocked(a: LockedSkill, b: LockedSkill): number {
  return compareCodePoints(a.domain, b.domain) || compareCodePoints(a.id, b.id);
}
