import { LRUCache } from 'lru-cache';
import { SkillscoutError } from '../errors.ts';
import type { CapabilityType } from '../protocol/index.ts';
import { decodeSkill, encodeSkill } from './document.ts';
import { type Facets, facetsOf, matches } from './matches.ts';
import { compareCodePoints, compareKeys, lowerBound } from './order.ts';
import { planUpdate } from './plan-update.ts';
import type { ApplyResult, ProviderUpdate, SkillKey, Store, StorePage, StoreQuery } from './store.ts';

export interface MemoryStoreOptions {
  /** Most skills kept, default 100,000. */
  maxSkills?: number;
}

/**
 * A store that lives and dies with the process. When it holds more than `maxSkills`, whole providers leave, the one that was
 * updated longest ago first: an answer never shows half a provider. A provider that alone exceeds the bound is not kept.
 * TypeError for a bound that is not a positive integer.
 */
export function createMemoryStore({ maxSkills = 100_000 }: MemoryStoreOptions = {}): Store {
  if (!Number.isSafeInteger(maxSkills) || maxSkills < 1) {
    throw new TypeError('maxSkills: expected a positive integer');
  }
  return new MemoryStore(maxSkills);
}

interface Entry extends Facets {
  document: string;
}

class MemoryStore implements Store {
  /** By domain, each sorted by id. */
  readonly #providers: LRUCache<string, Entry[]>;
  readonly #domains = new SortedSet();
  readonly #domainsByType: Record<CapabilityType, SortedSet> = {
    plugin: new SortedSet(),
    api: new SortedSet(),
    knowledge: new SortedSet(),
    task: new SortedSet(),
  };
  #evicted = { evictedProviders: 0, evictedSkills: 0 };
  #closed = false;

  constructor(maxSkills: number) {
    this.#providers = new LRUCache({
      maxSize: maxSkills,
      sizeCalculation: (entries) => entries.length,
      dispose: (entries, domain, reason) => {
        if (reason === 'evict') this.#evict(domain, entries.length);
      },
    });
  }

  async apply(update: ProviderUpdate): Promise<ApplyResult> {
    this.#assertOpen();
    const { domain, at } = update;
    const before = this.#providers.peek(domain) ?? [];
    const { put, expire, remove } = planUpdate(before, update);

    const after = new Map(before.map((entry) => [entry.id, entry]));
    for (const id of remove) after.delete(id);
    for (const id of expire) {
      const entry = after.get(id);
      if (entry) after.set(id, { ...entry, freshUntil: Math.min(entry.freshUntil, at) });
    }
    for (const skill of put) after.set(skill.id, { ...facetsOf(skill), document: encodeSkill(skill) });

    this.#evicted = { evictedProviders: 0, evictedSkills: 0 };
    const kept = this.#keep(domain, [...after.values()].sort(compareKeys));
    return { stored: kept ? put.length : 0, removed: remove.length, ...this.#evicted };
  }

  async find(query: StoreQuery): Promise<StorePage> {
    this.#assertOpen();
    const found: Entry[] = [];
    let total = 0;
    for (const entry of this.#candidates(query)) {
      const isAfter = query.after === undefined || compareKeys(entry, query.after) > 0;
      if (!(isAfter || query.total) || !matches(query, entry)) continue;
      total++;
      if (isAfter && found.length <= query.limit) found.push(entry);
      if (!query.total && found.length > query.limit) break;
    }
    return {
      skills: found
        .slice(0, query.limit)
        .map(({ document, freshUntil }) => decodeSkill(document, freshUntil)),
      more: found.length > query.limit,
      ...(query.total && { total }),
    };
  }

  async get({ domain, id }: SkillKey) {
    this.#assertOpen();
    const entries = this.#providers.peek(domain) ?? [];
    const entry = entries[lowerBound(entries, (other) => compareCodePoints(other.id, id) < 0)];
    return entry?.id === id ? decodeSkill(entry.document, entry.freshUntil) : undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#providers.clear();
  }

  #assertOpen(): void {
    if (this.#closed) throw new SkillscoutError('CLIENT_CLOSED', 'The store was closed.');
  }

  #keep(domain: string, entries: Entry[]): boolean {
    if (entries.length > this.#providers.maxSize) {
      this.#providers.delete(domain);
      this.#evict(domain, entries.length);
      return false;
    }
    if (entries.length === 0) this.#providers.delete(domain);
    else this.#providers.set(domain, entries);
    this.#index(domain, entries);
    return true;
  }

  #evict(domain: string, skills: number): void {
    this.#index(domain, []);
    this.#evicted.evictedProviders++;
    this.#evicted.evictedSkills += skills;
  }

  #index(domain: string, entries: Entry[]): void {
    this.#domains.toggle(domain, entries.length > 0);
    const types = new Set<string>(entries.map((entry) => entry.capability_type));
    for (const [type, domains] of Object.entries(this.#domainsByType))
      domains.toggle(domain, types.has(type));
  }

  /** In order, what can match, beginning with the domain of `after` unless everything has to be counted. */
  *#candidates(query: StoreQuery): Generator<Entry, void> {
    const { after, total } = query;
    const domains = this.#candidateDomains(query);
    let i =
      after && !total ? lowerBound(domains, (domain) => compareCodePoints(domain, after.domain) < 0) : 0;
    for (; i < domains.length; i++) yield* this.#providers.peek(domains[i] as string) ?? [];
  }

  #candidateDomains({ domains, capabilityTypes = [] }: StoreQuery): readonly string[] {
    if (domains) return [...new Set(domains)].sort(compareCodePoints);
    const [type, ...others] = capabilityTypes;
    return type && others.length === 0 ? this.#domainsByType[type].items : this.#domains.items;
  }
}

class SortedSet {
  readonly items: string[] = [];

  toggle(item: string, present: boolean): void {
    const i = lowerBound(this.items, (other) => compareCodePoints(other, item) < 0);
    if ((this.items[i] === item) === present) return;
    if (present) this.items.splice(i, 0, item);
    else this.items.splice(i, 1);
  }
}
