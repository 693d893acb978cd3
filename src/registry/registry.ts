import { LRUCache } from 'lru-cache';
import type {
  Change,
  Collisions,
  FacetCounts,
  ProviderStatus,
  SkillRecord,
  SkillSummary,
} from '../protocol/index.ts';
import { encodeCursor } from './cursor.ts';
import { toRecord, toSummary } from './document.ts';
import type { LockIndex } from './lock.ts';
import {
  type ChangesQuery,
  type FindQuery,
  filtersOf,
  type GetQuery,
  type StatusQuery,
  toChangeQuery,
  toProviderQuery,
  toSkillKey,
  toStoreQuery,
} from './query.ts';
import type {
  ApplyResult,
  FoundSkill,
  ProviderQuery,
  ProviderUpdate,
  Store,
  StorePage,
  StoreQuery,
} from './store.ts';

/** One part of an answer. */
export interface Page<T> {
  records: T[];
  /** Present when more follow: the `cursor` of the next query. */
  nextCursor?: string;
}

/**
 * Skills, the ones whose text matched best first (name, then tags, then description, then id and domain), then in the order in
 * which they were first stored.
 */
export interface SkillPage<T> extends Page<T> {
  /** How many skills match in all, when asked for. */
  total?: number;
  /** How many of all that match have each value, when asked for. */
  facets?: FacetCounts;
}

/** What is known of all providers, as the public speaks of it. `now` is in milliseconds since the epoch. */
export interface Registry {
  find(query: FindQuery & { include: 'descriptor' }, now: number): Promise<SkillPage<SkillRecord>>;
  find(query: FindQuery, now: number): Promise<SkillPage<SkillSummary>>;
  /** Undefined for what is not known, and for a private skill unless `includePrivate` is true. */
  get(query: GetQuery, now: number): Promise<SkillRecord | undefined>;
  /** In the order of time. */
  changes(query: ChangesQuery): Promise<Page<Change>>;
  /** By domain; with `due` the most overdue first. */
  status(query: StatusQuery, now: number): Promise<Page<ProviderStatus>>;
  /** The domains of providers whose next look was due at `now`, the most overdue first. */
  due(now: number): AsyncGenerator<string, void, undefined>;
  /** The domains of all providers. */
  all(): AsyncGenerator<string, void, undefined>;
  collisions(): Promise<Collisions>;
  apply(update: ProviderUpdate, options: { dryRun: boolean }): Promise<ApplyResult>;
  /** Closes the store. */
  close(): Promise<void>;
}

/** Of pages and records that are kept in memory. */
const MAX_CACHED_BYTES = 16 * 2 ** 20;
/** Of the members of an entry that are not counted one by one, and of what holds it. */
const ENTRY_OVERHEAD = 512;
/** Characters of the questions that are remembered as asked once. */
const MAX_ASKED_ONCE = 2 ** 19;
/** Providers that are asked of the store at once. */
const DOMAINS_IN_ONE_GO = 500;

/**
 * A registry over a store, with the latest answers in memory (at most 16 MiB) for as long as the store has not changed.
 * The queries reject with a TypeError for one that is wrong, all methods with a SkillscoutError when the store fails.
 */
export function createRegistry({ store, lock }: { store: Store; lock?: LockIndex | undefined }): Registry {
  const answers = new AnswerCache(store);

  const isAdmitted = ({ entry, contentHash }: FoundSkill) =>
    lock === undefined || lock.get(entry)?.contentHash === contentHash;

  /** With a lock, goes on until the page is full of what it admits. */
  async function admittedPage(query: StoreQuery): Promise<StorePage> {
    const first = await answers.page(query);
    if (lock === undefined) return first;
    let { next } = first;
    const skills = first.skills.filter(isAdmitted);
    while (next && skills.length < query.limit) {
      const more = await answers.page({ ...query, after: next, limit: query.limit - skills.length });
      skills.push(...more.skills.filter(isAdmitted));
      next = more.next;
    }
    return { skills, ...(next && { next }) };
  }

  async function find(
    query: FindQuery & { include: 'descriptor' },
    now: number,
  ): Promise<SkillPage<SkillRecord>>;
  async function find(query: FindQuery, now: number): Promise<SkillPage<SkillSummary>>;
  async function find(query: FindQuery, now: number): Promise<SkillPage<SkillSummary>> {
    const storeQuery = await toStoreQuery(query, now);
    if (lock && (query.total || query.facets)) {
      throw new TypeError(`${query.total ? 'total' : 'facets'}: what a lock admits is not counted`);
    }
    if (storeQuery === undefined) {
      return { records: [], ...(query.total && { total: 0 }), ...(query.facets && { facets: noFacets() }) };
    }
    const { skills, next, total, facets } = await admittedPage(storeQuery);
    return {
      records: skills.map((skill) => (storeQuery.descriptors ? toRecord(skill, now) : toSummary(skill, now))),
      ...(next && { nextCursor: encodeCursor(filtersOf(storeQuery), next) }),
      ...(total !== undefined && { total }),
      ...(facets && { facets: structuredClone(facets) }),
    };
  }

  async function* domains(
    query: Pick<ProviderQuery, 'order' | 'dueAt'>,
  ): AsyncGenerator<string, void, undefined> {
    for (let after: ProviderStatus | undefined; ; ) {
      const { providers, more } = await store.providers({
        ...query,
        limit: DOMAINS_IN_ONE_GO,
        ...(after && { after }),
      });
      for (const { domain } of providers) yield domain;
      after = providers.at(-1);
      if (!more || after === undefined) return;
    }
  }

  return {
    find,
    async get(query, now) {
      const { includePrivate, ...key } = toSkillKey(query);
      const skill = await answers.skill(key.domain, key.id);
      if (skill === undefined || !isAdmitted(skill)) return undefined;
      if (skill.entry.access === 'private' && !includePrivate) return undefined;
      return toRecord(skill, now);
    },
    async changes(query) {
      const { limit, after, ...filters } = toChangeQuery(query);
      const { changes, next } = await store.changes({ ...filters, limit, ...(after && { after }) });
      return { records: changes, ...(next && { nextCursor: encodeCursor(filters, next) }) };
    },
    async status(query, now) {
      const providerQuery = toProviderQuery(query, now);
      const { limit, after, dueAt, ...filters } = providerQuery;
      const { providers, more } = await store.providers(providerQuery);
      const last = more ? providers.at(-1) : undefined;
      return {
        records: providers,
        ...(last && {
          nextCursor: encodeCursor(filters, { dueAt: last.dueAt, domain: last.domain }),
        }),
      };
    },
    due: (now) => domains({ order: 'due', dueAt: now }),
    all: () => domains({ order: 'domain' }),
    collisions: () => store.collisions(),
    apply: (update, options) => store.apply(update, options),
    close: () => store.close(),
  };
}

const noFacets = (): FacetCounts => ({ capabilityType: {}, access: {}, authType: {} });

/**
 * The store's latest answers, as it gave them: who hands them out makes copies. An answer is kept when it is asked for once
 * more: most questions never are, and to keep what is not used again makes every garbage collection ten times longer.
 */
class AnswerCache {
  readonly #store: Store;
  readonly #askedOnce = new LRUCache<string, true>({
    maxSize: MAX_ASKED_ONCE,
    sizeCalculation: (_, key) => key.length,
  });
  readonly #answers = new LRUCache<string, StorePage>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ skills }, key) =>
      key.length + ENTRY_OVERHEAD + skills.reduce((sum, skill) => sum + sizeOf(skill), 0),
  });
  #revision: number | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A question about freshness has another answer every millisecond: it is not kept. */
  page(query: StoreQuery): Promise<StorePage> | StorePage {
    if (query.freshness) return this.#store.find(query);
    const { now, ...lasting } = query;
    return this.#ask(JSON.stringify(lasting), () => this.#store.find(query));
  }

  async skill(domain: string, id: string): Promise<FoundSkill | undefined> {
    const page = await this.#ask(JSON.stringify([domain, id]), async () => {
      const skill = await this.#store.get({ domain, id });
      return { skills: skill ? [skill] : [] };
    });
    return page.skills[0];
  }

  #ask(key: string, ask: () => Promise<StorePage>): Promise<StorePage> | StorePage {
    const revision = this.#store.revision();
    if (revision !== this.#revision) {
      this.#answers.clear();
      this.#revision = revision;
    }
    const known = this.#answers.get(key);
    if (known) return known;
    if (!this.#askedOnce.has(key)) {
      this.#askedOnce.set(key, true);
      return ask();
    }
    return ask().then((page) => {
      if (revision === this.#revision) this.#answers.set(key, page);
      return page;
    });
  }
}

/** An estimate, in bytes. */
function sizeOf({ entry, descriptor = '' }: FoundSkill): number {
  const { id, name, description, descriptor_url, warnings } = entry;
  const characters = id.length + name.length + description.length + descriptor_url.length + descriptor.length;
  return ENTRY_OVERHEAD * (1 + warnings.length) + 2 * characters;
}
