/** One address of a name, as `dns.lookup` gives it. */
export interface Address {
  address: string;
  family: number;
}

/** What is kept of one name, and for how long. A name without addresses has the reason. */
export type Answer =
  | { addresses: Address[]; error?: undefined; lifetimeMs: number }
  | { addresses?: undefined; error: Error; lifetimeMs: number };

/** The records of one family, each with its time to live in seconds, or why there are none. */
export type FamilyAnswer = readonly { address: string; ttl: number }[] | Failure;

type Failure = Error & { code?: string };

/** What name servers said of both families; one that is missing had no answer in time. */
export interface Families {
  6?: FamilyAnswer;
  4?: FamilyAnswer;
}

/** Ten requests to a provider need one answer, whatever its time to live; and a provider that moved is found within minutes. */
const MIN_LIFETIME_MS = 10_000;
const MAX_LIFETIME_MS = 300_000;
/** Long enough for the retries of one crawl. */
const FAILURE_LIFETIME_MS = 5000;

/** The guard judges every address before one is dialled: nobody may make that take long. */
const MAX_ADDRESSES = 256;

/** What needs no second opinion. Anything else another server of the system, or its own list of names, may know better. */
const FINAL = new Set<string | undefined>(['ENODATA', 'ETIMEOUT', 'ECANCELLED']);

/** c-ares gives aliases without an address as an empty list. */
const NO_DATA: Failure = Object.assign(new Error('the name has no addresses'), { code: 'ENODATA' });

/** What DNS itself says of a name: there is none, or its own servers fail. Anything else is between this machine and its servers. */
const ANSWERS = new Set<string | undefined>(['ENOTFOUND', 'ESERVFAIL']);

/** There the system has resolvers for parts of the name space that c-ares knows nothing of, for VPNs for instance. */
const HAS_OWN_RESOLVERS = new Set<NodeJS.Platform>(['darwin', 'win32']);

/**
 * Names of a network's own, which its search list may complete or another of its servers know: RFC 6761 (`.test`), RFC 6762
 * appendix G, RFC 8375 (`.home.arpa`), and Kubernetes (`.svc`).
 */
const HOME = /\.(?:test|intranet|internal|private|corp|home|lan|home\.arpa|svc)\.?$/;

/** Whether a name never goes to name servers: a single label, `.local` (mDNS, RFC 6762) or `.localhost` (RFC 6761). */
export function isLocalName(name: string): boolean {
  return /^(?:[^.]+|.*\.(?:local|localhost))\.?$/.test(name);
}

/** The names in a hosts file. */
export function hostNames(text: string): Set<string> {
  const lines = text.toLowerCase().split(/\r?\n/);
  return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1)));
}

/** How long records may be used, in milliseconds: the shortest time to live, within bounds. */
export function lifetimeMs(records: readonly { ttl: number }[]): number {
  const shortest = Math.min(...records.map(({ ttl }) => ttl * 1000));
  return Math.min(Math.max(shortest, MIN_LIFETIME_MS), MAX_LIFETIME_MS);
}

/** Alternates the families, IPv6 first, each in the order it came (RFC 8305, section 4). */
export function interleave<T>(v6: readonly T[], v4: readonly T[]): T[] {
  const rounds = Math.max(v6.length, v4.length);
  return Array.from({ length: rounds }, (_, at) => [...v6.slice(at, at + 1), ...v4.slice(at, at + 1)]).flat();
}

/** Whether the system is asked as well: where it may know more than name servers, or they are of no use. */
export function isOpen(name: string, families: Families, platform: NodeJS.Platform): boolean {
  if ([...records(families, 6), ...records(families, 4)].length > 0) return false;
  if (hasAnswer(families) && !HAS_OWN_RESOLVERS.has(platform) && !HOME.test(name)) return false;
  return errors(families).some(({ code }) => !FINAL.has(code));
}

/** Whether DNS itself says why a name has no addresses. */
export function hasAnswer(families: Families): boolean {
  return errors(families).some(({ code }) => ANSWERS.has(code));
}

/** What the name servers said; one family with addresses is enough. */
export function fromServers(name: string, families: Families): Answer {
  const found = interleave(records(families, 6), records(families, 4));
  if (found.length > 0) {
    const addresses = found.map(({ address, family }) => ({ address, family }));
    return bounded(name, addresses, lifetimeMs(found));
  }
  return failed(errors(families)[0] ?? new Error(`no name server answered for ${name} in time`));
}

/** What the system said, which gives no time to live. */
export function fromSystem(name: string, addresses: Address[]): Answer {
  return bounded(name, addresses, MIN_LIFETIME_MS);
}

export function failed(error: Failure): Answer {
  return { error, lifetimeMs: error.code === 'ECANCELLED' ? 0 : FAILURE_LIFETIME_MS };
}

function bounded(name: string, addresses: Address[], lifetimeMs: number): Answer {
  if (addresses.length <= MAX_ADDRESSES) return { addresses, lifetimeMs };
  return failed(
    new Error(`${name} has ${addresses.length} addresses, and at most ${MAX_ADDRESSES} are taken`),
  );
}

function records(families: Families, family: 4 | 6) {
  const answer = families[family];
  return answer === undefined || answer instanceof Error ? [] : answer.map((each) => ({ ...each, family }));
}

function errors(families: Families): Failure[] {
  const answers = [families[4], families[6]].filter((answer) => answer !== undefined);
  return answers.map((answer) => (answer instanceof Error ? answer : NO_DATA));
}
