import type { FacetCounts } from '../protocol/index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { allOf, anyOf, END, type Postings } from './postings.ts';
import type { StoreQuery } from './store.ts';
import { filterGroups } from './tokens.ts';

const ANY: StoreQuery = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: false,
  limit: 1,
  total: false,
  facets: false,
};

/** How many of the `matching` skills have each value, by the index alone: to look at a million records takes seconds. */
export function facetCounts(index: InvertedIndex, matching: Postings): FacetCounts {
  const counts = <T extends string>(values: readonly T[], narrowedTo: (value: T) => Partial<StoreQuery>) => {
    const found: Partial<Record<T, number>> = {};
    for (const value of values) {
      const groups = filterGroups({ ...ANY, ...narrowedTo(value) }).map((tokens) => index.having(tokens));
      const count = countOf([[matching], ...groups]);
      if (count > 0) found[value] = count;
    }
    return found;
  };
  return {
    capabilityType: counts(['plugin', 'api', 'knowledge', 'task'], (type) => ({ capabilityTypes: [type] })),
    access: counts(['public', 'restricted', 'private'], (level) => ({ access: [level] })),
    authType: counts(['api_key', 'oauth2', 'custom', 'none'], (type) => ({ authTypes: [type] })),
  };
}

function countOf(groups: readonly Postings[][]): number {
  const walk = allOf(groups.map((lists) => anyOf(lists.map((postings) => postings.walk()))));
  let count = 0;
  for (let number = walk.next(0); number !== END; number = walk.next(number + 1)) count++;
  return count;
}
