import type { RecordWithTtl, Resolver } from 'node:dns';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Abort, abortable } from '../abort.ts';
import type { Clock } from '../clock.ts';
import type { Lookup } from './network.ts';
import {
  type Address,
  type Answer,
  type Families,
  failed,
  fromServers,
  fromSystem,
  hasAnswer,
  hostNames,
  isLocalName,
  isOpen,
} from './resolver-rules.ts';

/** Names asked for at once; the rest wait in order. A name server takes more, but home routers in between drop them. */
const MAX_ASKED = 64;
/** Names that the system is asked for at once: as many as libuv lets run on its four threads. What waits there cannot be taken back. */
const MAX_ASKED_SYSTEM = 2;
/** Names remembered. */
const MAX_NAMES = 1000;
/** Most time that the name servers have for a name once it is its turn, and then the system, waiting included. */
const LIMIT_MS = 5000;
/** Most time that the system has, waiting included, where the name servers have answered. */
const SECOND_OPINION_MS = 1000;
/** Most time that the second family has after the first (RFC 8305 waits 50 ms, but here the guard judges both). */
const SECOND_FAMILY_MS = 1000;
/** First wait for one server; each round doubles it, so that three servers are tried in time. */
const SERVERS = { timeout: 1000, tries: 3 };

/** Lists of blocked names have some megabytes. */
const MAX_HOSTS_BYTES = 16 * 2 ** 20;

const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';

const NOBODY_WAITS = Object.assign(new Error('nobody waits for this name'), { code: 'ECANCELLED' });

export interface ResolverOptions {
  clock: Clock;
  /** Whether anybody waits for a name. Nobody is asked for one that was given up while it waited for its turn. */
  isWanted: (name: string) => boolean;
  /** What the system knows of a name. Default getaddrinfo, as `dns.lookup` asks it. */
  askSystem?: (name: string) => Promise<Address[]>;
  /** Name servers, as `dns.setServers` takes them. Default the system's. */
  servers?: readonly string[];
  /** Names in it are the system's, if it has at most 16 MiB. Default the system's hosts file. */
  hostsFile?: string;
  /** Whose system it is. Default this machine's. */
  platform?: NodeJS.Platform;
}

/**
 * Name resolution that does not wait for the four threads of `dns.lookup`: c-ares asks for 64 names at once, each of them once
 * however many wait for it, and answers are kept as long as they may be (10 s to 5 min; failures 5 s; 1,000 names). It judges no
 * address: that is the connector's guard, for each connection anew.
 *
 * The system is asked instead for names of this machine and its network (hosts file, single labels, `.local`, `.localhost`), for
 * 5 s at most; as well, for 5 s, where no name server is there, understands or is willing; and, for 1 s, where DNS has no such
 * name or its servers fail: for names of a local network (`.internal`, `.home.arpa`, `.lan`, `.test`, `.svc` and the like), on
 * macOS and Windows for all. What DNS said stands where the system is too late.
 */
export function createResolver(options: ResolverOptions): { lookup: Lookup; close(): void } {
  const { clock, isWanted, servers, askSystem = getaddrinfo, platform = process.platform } = options;
  const isInHostsFile = hostsFile(options.hostsFile ?? HOSTS_FILE);
  const gate = pLimit({ concurrency: MAX_ASKED, rejectOnClear: true });
  const known = new LRUCache<string, Answer & { since: number }>({ max: MAX_NAMES });
  const flights = new Map<string, Promise<Answer>>();
  const systemGate = pLimit({ concurrency: MAX_ASKED_SYSTEM, rejectOnClear: true });
  const closed = new Abort();
  let channel: Resolver | undefined;

  function find(name: string): Answer | Promise<Answer> {
    const answer = known.get(name);
    if (answer) {
      const age = clock.now() - answer.since;
      if (age >= 0 && age < answer.lifetimeMs) return answer;
    }
    const flight = flights.get(name) ?? ask(name);
    flights.set(name, flight);
    return flight;
  }

  async function ask(name: string): Promise<Answer> {
    let answer = await askAnyone(name).catch(failed);
    // Somebody may have come since.
    while (answer.error === NOBODY_WAITS && isWanted(name)) answer = await askAnyone(name).catch(failed);
    known.set(name, { ...answer, since: clock.now() });
    flights.delete(name);
    return answer;
  }

  const ifWanted =
    <T>(name: string, ask: () => Promise<T>) =>
    async () => {
      if (!isWanted(name)) throw NOBODY_WAITS;
      return ask();
    };

  async function askAnyone(name: string): Promise<Answer> {
    if (isLocalName(name) || isInHostsFile(name)) {
      const addresses = await askSystemFor(LIMIT_MS, name);
      return addresses
        ? fromSystem(name, addresses)
        : failed(new Error(`the system has no answer for ${name} in time`));
    }
    const families = await gate(ifWanted(name, () => askServers(name)));
    if (!isOpen(name, families, platform)) return fromServers(name, families);
    const addresses = await askSystemFor(hasAnswer(families) ? SECOND_OPINION_MS : LIMIT_MS, name);
    return addresses ? fromSystem(name, addresses) : fromServers(name, families);
  }

  /**
   * Has a gate of its own: names that need the system hold up nobody else. Undefined when the time is up; who still waits for
   * the gate then never passes it. A call that has begun cannot be ended, and keeps its place until the system gives up.
   */
  async function askSystemFor(limitMs: number, name: string): Promise<Address[] | undefined> {
    const timer = new AbortController();
    const timeUp = clock.sleep(limitMs, timer.signal).then(
      () => undefined,
      () => undefined,
    );
    const asked = systemGate(
      ifWanted(name, async () => (timer.signal.aborted ? undefined : askSystem(name))),
    );
    try {
      return await abortable(Promise.race([asked, timeUp]), closed);
    } finally {
      timer.abort();
    }
  }

  /** After a pause the list of servers is read anew: the machine may be in another network by then. */
  async function askServers(name: string): Promise<Families> {
    channel ??= openChannel(servers);
    const families = await askBoth(channel, name, clock);
    if (gate.activeCount === 1) {
      channel.cancel();
      channel = undefined;
    }
    return families;
  }

  return {
    lookup: async (name, _options, callback) => {
      const { addresses, error } = await find(name);
      if (error) callback(error, []);
      else callback(null, addresses);
    },
    close: () => {
      for (const each of [gate, systemGate]) each.clearQueue();
      channel?.cancel();
      closed.abort(new Error('the resolver was closed'));
    },
  };
}

// Not imported: a process that resolves no name loads neither, nor the streams that come with the latter.
const dns = () => process.getBuiltinModule('node:dns');
const fs = () => process.getBuiltinModule('node:fs');

const getaddrinfo = (name: string): Promise<Address[]> => dns().promises.lookup(name, { all: true });

function openChannel(servers: readonly string[] | undefined): Resolver {
  const channel = new (dns().Resolver)(SERVERS);
  if (servers) channel.setServers(servers);
  return channel;
}

/** Never fails: what is missing or wrong is in the answer. */
function askBoth(channel: Resolver, name: string, clock: Clock): Promise<Families> {
  return new Promise((resolve) => {
    const timers = new AbortController();
    const found: Families = {};
    const end = () => {
      timers.abort();
      resolve(found);
    };
    const endIn = (ms: number) => void clock.sleep(ms, timers.signal).then(end, () => {});
    const take = (family: 4 | 6) => (error: Error | null, records: RecordWithTtl[]) => {
      found[family] = error ?? records;
      if (found[4] && found[6]) end();
      else if (!error) endIn(SECOND_FAMILY_MS);
    };
    endIn(LIMIT_MS);
    channel.resolve6(name, { ttl: true }, take(6));
    channel.resolve4(name, { ttl: true }, take(4));
  });
}

/** Says whether a name stands in a hosts file; one that cannot be read or is too large has none. It is read again after each change. */
function hostsFile(path: string): (name: string) => boolean {
  let names = new Set<string>();
  let readAt: number | undefined;
  return (name) => {
    try {
      const { mtimeMs, size } = fs().statSync(path);
      if (mtimeMs !== readAt)
        names = hostNames(size > MAX_HOSTS_BYTES ? '' : fs().readFileSync(path, 'utf8'));
      readAt = mtimeMs;
    } catch {
      names = new Set();
      readAt = undefined;
    }
    return names.has(name);
  };
}
