import { parseUrl } from '../parse-url.ts';
import {
  canonicalJson,
  contentHash,
  contentOf,
  jsonPointer,
  neutralize,
  parseDomain,
  parseJson,
  type SkillRecord,
} from '../protocol/index.ts';
import { compareCodePoints } from './order.ts';

/** One skill as it was when it was locked. Hashes are SHA-256 of canonical JSON (RFC 8785), in hexadecimal. */
export interface LockedSkill {
  domain: string;
  id: string;
  /** The skill's own version. */
  version: string;
  /** Where its descriptor was read, after redirects, without its query string. */
  descriptorUrl: string;
  /** Of all that its publisher says of it: what decides whether a skill is the locked one. */
  contentHash: string;
  /** Of what makes it this publisher's skill: provider, and the origins of descriptor and endpoint. */
  identityHash: string;
  /**
   * The first 16 digits for each member, by JSON Pointer into the record, such as `/name` or `/descriptor/endpoint`: they only
   * tell which of them have changed.
   */
  memberHashes: Record<string, string>;
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
const SHORT_HASH = /^[0-9a-f]{16}$/;
/** Members of one descriptor that are hashed one by one; it is hashed as a whole where it has more. */
const MAX_MEMBERS = 100;

type Lockable = Omit<SkillRecord, 'stale' | 'fetchedAt' | 'freshUntil' | 'warnings' | 'view'>;

/**
 * Locks skills as they are now. Rejects with a TypeError for one that came from an import and was not confirmed by its publisher
 * since, for one without its descriptor, and for one that is given twice.
 */
export async function createLock(records: Iterable<Lockable> | AsyncIterable<Lockable>): Promise<Lock> {
  const skills: LockedSkill[] = [];
  for await (const record of records) {
    if (record.origin !== undefined) {
      throw new TypeError(`${nameOf(record)} was imported: look at its publisher before it is locked`);
    }
    if (record.descriptor === undefined) {
      throw new TypeError(`${nameOf(record)} has no descriptor: find it with include: 'descriptor'`);
    }
    skills.push(await lockSkill(record));
  }
  return requireLock({ lockVersion: LOCK_VERSION, skills: skills.sort(compareLocked) });
}

/** What a lock says of a skill. */
export async function lockSkill(record: Lockable): Promise<LockedSkill> {
  const { domain, id, version, descriptorUrl, descriptor } = record;
  return {
    domain,
    id,
    version,
    descriptorUrl,
    contentHash: await contentHash(record, descriptor),
    identityHash: await identityHashOf(record),
    memberHashes: await memberHashesOf(record),
  };
}

async function identityHashOf({
  descriptor,
  descriptorUrl,
}: Pick<SkillRecord, 'descriptor' | 'descriptorUrl'>): Promise<string> {
  const { name, url } = descriptor.provider;
  const origins = [descriptorUrl, descriptor.endpoint.url].map((place) => parseUrl(place)?.origin ?? place);
  return hashOf([name, url ?? null, ...origins]);
}

async function memberHashesOf(record: Lockable): Promise<Record<string, string>> {
  const { descriptor, ...entry } = contentOf(record, record.descriptor);
  const own = Object.entries(record.descriptor);
  const members: [string[], unknown][] = [
    ...Object.entries(entry).map(([name, value]): [string[], unknown] => [[name], value]),
    ...(own.length > MAX_MEMBERS
      ? [[['descriptor'], descriptor] as [string[], unknown]]
      : own.map(([name, value]): [string[], unknown] => [['descriptor', name], value])),
  ];
  const hashes = members.map(async ([path, value]) => [
    jsonPointer(path),
    (await hashOf(value)).slice(0, 16),
  ]);
  return Object.fromEntries(await Promise.all(hashes));
}

async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** JSON Pointers of the members that differ between two states of a skill, in their order in the later one. */
export function changedMembers({ memberHashes: before }: LockedSkill, { memberHashes: after }: LockedSkill) {
  const pointers = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...pointers].filter((pointer) => before[pointer] !== after[pointer]);
}

export function serializeLock(lock: Lock): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** Reads a lock. TypeError, in one line, for what is none, was cut off or edited badly, or is of a later format. */
export function parseLock(text: string): Lock {
  if (typeof text !== 'string') throw new TypeError('lock: expected its text');
  const json = parseJson(text);
  if (!json.ok) throw new TypeError(`lock: ${json.failure.message}`);
  return requireLock(json.value);
}

/** Gives back what is a lock. TypeError, in one line, for what is none. */
export function requireLock(value: unknown): Lock {
  if (!isObject(value)) throw new TypeError('lock: expected an object');
  const { lockVersion, skills } = value;
  if (Number.isInteger(lockVersion) && (lockVersion as number) > LOCK_VERSION) {
    throw new TypeError(
      `lock: it has format ${lockVersion}, this version of skillscout reads ${LOCK_VERSION}`,
    );
  }
  if (lockVersion !== LOCK_VERSION) throw new TypeError(`lock: lockVersion: expected ${LOCK_VERSION}`);
  if (!Array.isArray(skills)) throw new TypeError('lock: skills: expected a list');
  const keys = new Set<string>();
  for (const [i, skill] of skills.entries()) {
    const fault = faultOf(skill);
    if (fault !== undefined) throw new TypeError(`lock: skills[${i}]${fault}`);
    const key = keyOf(skill);
    if (keys.has(key)) throw new TypeError(`lock: skills[${i}]: ${nameOf(skill)} is locked twice`);
    keys.add(key);
  }
  return value as unknown as Lock;
}

function faultOf(skill: unknown): string | undefined {
  if (!isObject(skill)) return ': expected an object';
  const { domain, id, version, descriptorUrl, contentHash, identityHash, memberHashes } = skill;
  if (!isCanonicalDomain(domain)) return '.domain: expected a domain in its canonical form';
  for (const [member, value] of Object.entries({ id, version })) {
    if (typeof value !== 'string' || value === '') return `.${member}: expected a text that is not empty`;
  }
  if (typeof descriptorUrl !== 'string' || !/^https?:/.test(parseUrl(descriptorUrl)?.href ?? '')) {
    return '.descriptorUrl: expected an http or https URL';
  }
  for (const [member, value] of Object.entries({ contentHash, identityHash })) {
    if (!isHash(value, HASH)) return `.${member}: expected a SHA-256 in hexadecimal`;
  }
  if (!isObject(memberHashes)) return '.memberHashes: expected an object';
  if (!Object.values(memberHashes).every((hash) => isHash(hash, SHORT_HASH))) {
    return '.memberHashes: expected 16 hexadecimal digits for each member';
  }
  return undefined;
}

const isHash = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);

/** Another form would name the same skill twice, or be looked for in vain. */
function isCanonicalDomain(domain: unknown): boolean {
  try {
    return typeof domain === 'string' && parseDomain(domain).domain === domain;
  } catch {
    return false;
  }
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

  get(key: Key): LockedSkill | undefined {
    return this.#byKey.get(keyOf(key));
  }
}

type Key = Pick<LockedSkill, 'domain' | 'id'>;

/** A canonical domain has no space. */
const keyOf = ({ domain, id }: Key) => `${domain} ${id}`;

/** Within one line. */
const nameOf = ({ domain, id }: Key) => `"${neutralize(id, 80)}" of ${domain}`;

function compareLocked(a: LockedSkill, b: LockedSkill): number {
  return compareCodePoints(a.domain, b.domain) || compareCodePoints(a.id, b.id);
}
