import { afterEach, beforeEach } from 'vitest';
import {
  type ChangeQuery,
  type ProviderQuery,
  type ProviderUpdate,
  queryWords,
  type Store,
  type StoredSkill,
  type StorePage,
  type StoreQuery,
} from '../../src/registry/index.ts';
import { updateOf } from '../support/stored-skill.ts';

export const everything: StoreQuery = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: false,
  limit: 1_000,
  total: false,
  facets: false,
};

/** A new store for each test, and short ways to speak to it. */
export function eachStore(open: () => Promise<Store>) {
  let store: Store;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const find = (query: Partial<StoreQuery> = {}) => store.find({ ...everything, ...query });
  const ids = async (query: Partial<StoreQuery> = {}) => idsOf(await find(query));
  return {
    store: () => store,
    find,
    ids,
    search: (text: string, query: Partial<StoreQuery> = {}) => ids({ ...query, words: queryWords(text) }),
    get: (id: string, domain = 'a.example') => store.get({ domain, id }),
    add: (...skills: [StoredSkill, ...StoredSkill[]]) => store.apply(updateOf(skills)),
    /** A look at a.example that gave no skills; without `listed` it read no good index. */
    look: (at: number, parts: Partial<ProviderUpdate> = {}) =>
      store.apply({
        domain: 'a.example',
        view: 'anonymous',
        at,
        status: parts.listed ? 'ok' : 'failed',
        skills: [],
        standIns: [],
        forgetBefore: 0,
        ...parts,
      }),
    changes: async (query: Partial<ChangeQuery> = {}) =>
      (await store.changes({ includePrivate: true, limit: 1_000, ...query })).changes,
    providers: async (query: Partial<ProviderQuery> = {}) =>
      (await store.providers({ order: 'domain', limit: 1_000, ...query })).providers,
  };
}

export function idsOf({ skills }: StorePage): string[] {
  return skills.map(({ entry }) => entry.id);
}

/** All items of all pages; `turnPage` runs between two. */
export async function allPages<P extends { next?: unknown }, T>(
  page: (after?: P['next']) => Promise<P>,
  items: (page: P) => T[],
  turnPage = async () => {},
): Promise<T[]> {
  const all: T[] = [];
  for (let after: P['next'] | undefined = undefined; ; ) {
    const current = await page(after);
    all.push(...items(current));
    if (current.next === undefined) return all;
    after = current.next;
    await turnPage();
  }
}
