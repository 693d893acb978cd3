import { LRUCache } from 'lru-cache';
import { SkillscoutError } from '../errors.ts';
import type { Collisions, ProviderStatus } from '../protocol/index.ts';
import { ChangeLog } from './change-log.ts';
import { facetCounts } from './facet-counts.ts';
import { InvertedIndex } from './inverted-index.ts';
import { passesLater } from './matches.ts';
import {
  type KeptProvider,
  type KeptSkill,
  type PlannedLook,
  planLook,
  tokensOf,
} from './memory-provider.ts';
import { MemoryRivals } from './memory-rivals.ts';
import { compareCodePoints } from './order.ts';
import { Postings } from './postings.ts';
import { rankedWalk, unrankedWalk } from './ranked-walk.ts';
import { SortedSet } from './sorted-set.ts';
import type {
  ApplyResult,
  ChangePage,
  ChangeQuery,
  FoundSkill,
  ProviderPage,
  ProviderPosition,
  ProviderQuery,
  ProviderUpdate,
  SkillKey,
  SkillPosition,
  Store,
  StorePage,
  StoreQuery,
} from './store.ts';

export interface MemoryStoreOptions {
  /** Most bytes of memory that providers and skills may take, default 268,435,456 (256 MiB). */
  maxBytes?: number;
}

/**
 * A store that lives and dies with the process.
 *
 * When it holds more than `maxBytes`, whole providers leave, the one that was updated longest ago first: an answer never
 * shows half a provider. A provider that alone exceeds the bound is not kept. Beside that the newest 100,000 changes are
 * remembered, in at most a quarter of `maxBytes`.
 *
 * Memory is estimated: texts by their characters, 400 bytes more for each skill and each provider, 65 for each token of the
 * index, 140 where several skills have it or 250 and 4 a skill where many do, 80 for each skill by which others are recognized as
 * look-alikes. The estimate was measured to be right within 5 %.
 *
 * The entries that `find` and `get` give out are the store's own: whoever hands them on has to copy them.
 *
 * TypeError for a bound that is not a positive integer.
 */
export function createMemoryStore({ maxBytes = 2 ** 28 }: MemoryStoreOptions = {}): Store {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new TypeError('maxBytes: expected a positive integer');
  }
  let records: MemoryRecords | undefined = new MemoryRecords(maxBytes);
  const open = () => {
    if (records === undefined) throw new SkillscoutError('CLIENT_CLOSED', 'The store was closed.');
    return records;
  };
  return {
    apply: async (update, { dryRun = false } = {}) => open().apply(update, dryRun),
    find: async (query) => open().find(query),
    get: async (key) => open().get(key),
    changes: async (query) => open().changes(query),
    providers: async (query) => open().providers(query),
    collisions: async () => open().collisions(),
    revision: () => open().revision,
    async close() {
      records = undefined;
    },
  };
}

class MemoryRecords {
  revision = 0;
  readonly #maxBytes: number;
  /** By domain. */
  readonly #providers: LRUCache<string, KeptProvider>;
  readonly #byDomain = new SortedSet<ProviderStatus>(compareDomains);
  readonly #byDueTime = new SortedSet<ProviderStatus>(compareDueTimes);
  /** By number, those that are not gone. */
  readonly #skills = new Map<number, KeptSkill>();
  readonly #index = new InvertedIndex();
  readonly #rivals = new MemoryRivals((number) => this.#skillOf(number).skill);
  readonly #changes: ChangeLog;
  #lastNumber = 0;
  #evicted = { evictedProviders: 0, evictedSkills: 0 };

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#changes = new ChangeLog(maxBytes / 4);
    this.#providers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: (provider, _, reason) => {
        if (reason !== 'evict') return;
        this.#forget(provider);
        this.#countEvicted(provider);
      },
    });
  }

  apply(update: ProviderUpdate, dryRun: boolean): ApplyResult {
    const { domain, forgetBefore } = update;
    const before = this.#providers.peek(domain);
    let lastNumber = this.#lastNumber;
    const look = planLook(before, update, () => ++lastNumber);
    const { changes, stored, removed, provider } = look;
    this.#evicted = { evictedProviders: 0, evictedSkills: 0 };
    if (!dryRun) {
      this.revision++;
      this.#lastNumber = lastNumber;
      this.#replace(domain, before, look);
    }
    const isKept = dryRun ? provider.bytes <= this.#maxBytes : this.#providers.has(domain);
    if (!isKept) return { changes: [], stored: 0, removed: 0, ...this.#evicted };
    if (!dryRun) this.#changes.add(changes, forgetBefore);
    return { changes, stored, removed, ...this.#evicted };
  }

  find(query: StoreQuery): StorePage {
    const { after, limit, total, facets } = query;
    const skills: FoundSkill[] = [];
    let last: SkillPosition | undefined;
    let next: SkillPosition | undefined;
    for (const [position, kept] of this.#matches(query, after)) {
      if (skills.length === limit) {
        next = last;
        break;
      }
      skills.push(this.#found(kept, query.descriptors));
      last = position;
    }
    const matching = total || facets ? this.#matching(query) : undefined;
    return {
      skills,
      ...(next && { next }),
      ...(matching && total && { total: matching.length }),
      ...(matching && facets && { facets: facetCounts(this.#index, matching) }),
    };
  }

  get({ domain, id }: SkillKey): FoundSkill | undefined {
    const kept = this.#providers.peek(domain)?.skills.get(id);
    return kept && kept.goneSince === undefined ? this.#found(kept, true) : undefined;
  }

  changes(query: ChangeQuery): ChangePage {
    return this.#changes.page(query);
  }

  providers({ domains, dueAt, order, after, limit }: ProviderQuery): ProviderPage {
    const compare = order === 'due' ? compareDueTimes : compareDomains;
    const providers: ProviderStatus[] = [];
    for (const status of this.#statuses(order, domains).from(
      (other) => after !== undefined && compare(other, after) <= 0,
    )) {
      if (dueAt !== undefined && status.dueAt > dueAt) {
        if (order === 'due') break;
        continue;
      }
      if (providers.length === limit) return { providers, more: true };
      providers.push({ ...status });
    }
    return { providers, more: false };
  }

  collisions(): Collisions {
    return this.#rivals.collisions();
  }

  *#matches(query: StoreQuery, after?: SkillPosition): Generator<[SkillPosition, KeptSkill], void> {
    for (const position of rankedWalk(this.#index, query, after)) {
      const kept = this.#skillOf(position.number);
      if (this.#passesLater(query, kept)) yield [position, kept];
    }
  }

  #matching(query: StoreQuery): Postings {
    const { freshness, versions, protocolVersions, trusted } = query;
    const isOfIndex = !trusted && (freshness ?? versions ?? protocolVersions) === undefined;
    const matching = new Postings();
    for (const number of unrankedWalk(this.#index, query)) {
      if (isOfIndex || this.#passesLater(query, this.#skillOf(number))) matching.add(number);
    }
    return matching;
  }

  #passesLater(query: StoreQuery, { skill }: KeptSkill): boolean {
    return passesLater(query, skill) && !(query.trusted && this.#rivals.has(skill));
  }

  #found({ skill }: KeptSkill, withDescriptor: boolean): FoundSkill {
    const { entry, contentHash, descriptor } = skill;
    const rivals = this.#rivals.of(skill);
    return { entry, contentHash, ...(withDescriptor && { descriptor }), ...(rivals && { rivals }) };
  }

  #skillOf(number: number): KeptSkill {
    return this.#skills.get(number) as KeptSkill;
  }

  #statuses(
    order: ProviderQuery['order'],
    domains: readonly string[] | undefined,
  ): SortedSet<ProviderStatus> {
    if (domains === undefined) return order === 'due' ? this.#byDueTime : this.#byDomain;
    const statuses = new SortedSet<ProviderStatus>(order === 'due' ? compareDueTimes : compareDomains);
    for (const domain of domains) {
      const provider = this.#providers.peek(domain);
      if (provider) statuses.add(provider.status);
    }
    return statuses;
  }

  /** Takes up what a look gave, and lets providers go until all that is kept fits. */
  #replace(domain: string, before: KeptProvider | undefined, { provider, reindexed }: PlannedLook): void {
    if (provider.bytes > this.#maxBytes) {
      this.#providers.delete(domain);
      if (before) this.#forget(before);
      this.#countEvicted(provider);
      return;
    }
    if (before) this.#unlist(before);
    this.#byDomain.add(provider.status);
    this.#byDueTime.add(provider.status);
    for (const { number } of reindexed) {
      const old = this.#skills.get(number);
      if (old) this.#rivals.remove(number, old.skill);
    }
    for (const kept of provider.skills.values()) {
      if (kept.goneSince === undefined) this.#skills.set(kept.number, kept);
      else this.#skills.delete(kept.number);
    }
    for (const { number, added, dropped } of reindexed) {
      const kept = this.#skills.get(number);
      if (kept) this.#rivals.add(number, kept.skill);
      for (const token of added) this.#index.add(token, number);
      for (const token of dropped) this.#index.remove(token, number);
    }
    this.#providers.set(domain, provider);
    while (this.#providers.calculatedSize + this.#index.bytes + this.#rivals.bytes > this.#maxBytes)
      this.#providers.pop();
  }

  #forget(provider: KeptProvider): void {
    this.#unlist(provider);
    for (const kept of provider.skills.values()) {
      if (kept.goneSince === undefined) this.#rivals.remove(kept.number, kept.skill);
      this.#skills.delete(kept.number);
      for (const token of tokensOf(kept)) this.#index.remove(token, kept.number);
    }
  }

  #unlist({ status }: KeptProvider): void {
    this.#byDomain.delete(status);
    this.#byDueTime.delete(status);
  }

  #countEvicted({ status }: KeptProvider): void {
    this.#evicted.evictedProviders++;
    this.#evicted.evictedSkills += status.skills;
  }
}

function compareDomains(a: ProviderPosition, b: ProviderPosition): number {
  return compareCodePoints(a.domain, b.domain);
}

function compareDueTimes(a: ProviderPosition, b: ProviderPosition): number {
  return a.dueAt - b.dueAt || compareDomains(a, b);
}
