import type { FacetCounts } from '../protocol/index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { allOf, anyOf, END, type Postings } from './postings.ts';
import { FACET_TOKENS } from './tokens.ts';

/** How many of the `matching` skills have each value, by the index alone: to look at a million records takes seconds. */
export function facetCounts(index: InvertedIndex, matching: Postings): FacetCounts {
  const countsOf = (tokens: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(tokens).flatMap(([value, token]) => {
        const count = countOf([[matching], index.having([token])]);
        return count > 0 ? [[value, count]] : [];
      }),
    );
  return {
    capabilityType: countsOf(FACET_TOKENS.capabilityType),
    access: countsOf(FACET_TOKENS.access),
    authType: countsOf(FACET_TOKENS.authType),
  };
}

function countOf(groups: readonly Postings[][]): number {
  const walk = allOf(groups.map((lists) => anyOf(lists.map((postings) => postings.walk()))));
  let count = 0;
  for (let number = walk.next(0); number !== END; number = walk.next(number + 1)) count++;
  return count;
}
