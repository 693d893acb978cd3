import type { InvertedIndex } from './inverted-index.ts';
import { allOf, anyOf, END, type Postings, type Walk } from './postings.ts';
import type { SkillPosition, StoreQuery } from './store.ts';
import { filterGroups, PLACES, wordToken } from './tokens.ts';

/**
 * The positions behind `after` of all that an index finds for a query, in order: versions, freshness and rivals aside. They are
 * looked up one by one, so a reader that stops early has cost little.
 */
export function* rankedWalk(
  index: InvertedIndex,
  query: StoreQuery,
  after: SkillPosition = { rank: 0, number: 0 },
): Generator<SkillPosition, void> {
  const filters = filtersOf(index, query);
  if (query.words === undefined) {
    for (const number of numbers(filters, after.number)) yield { rank: 0, number };
    return;
  }

  // Of each word, who has it at this place or a better one.
  let known: Postings[][] = query.words.map(() => []);
  for (const rank of PLACES.keys()) {
    const better = known;
    const added = wordsAt(index, query, rank);
    known = better.map((lists, i) => [...lists, ...(added[i] ?? [])]);
    if (rank < after.rank) continue;
    // What has this rank has one of its words here, which are mostly few, and not all of them at better places.
    const isSimple = rank === 0 || known.length === 1;
    const groups = isSimple ? [...filters, ...added] : [...filters, ...known, added.flat()];
    const ranked = allOf(better.map(walkAny));
    for (const number of numbers(groups, rank === after.rank ? after.number : 0)) {
      if (ranked.next(number) !== number) yield { rank, number };
    }
  }
}

/** The numbers of all that an index finds for a query, ascending whatever their rank. */
export function unrankedWalk(index: InvertedIndex, query: StoreQuery): Generator<number, void> {
  const places = [...PLACES.keys()].map((place) => wordsAt(index, query, place));
  const words = (query.words ?? []).map((_, i) => places.flatMap((ofPlace) => ofPlace[i] ?? []));
  return numbers([...filtersOf(index, query), ...words]);
}

function* numbers(groups: readonly Postings[][], after = 0): Generator<number, void> {
  const walk = allOf(groups.map(walkAny));
  for (let number = walk.next(after + 1); number !== END; number = walk.next(number + 1)) yield number;
}

function walkAny(lists: readonly Postings[]): Walk {
  return anyOf(lists.map((postings) => postings.walk()));
}

function filtersOf(index: InvertedIndex, query: StoreQuery): Postings[][] {
  return filterGroups(query).map((tokens) => index.having(tokens));
}

/** Of each word of a query who has it at this place. */
function wordsAt(index: InvertedIndex, { words = [] }: StoreQuery, place: number): Postings[][] {
  return words.map((word, i) => {
    const token = wordToken(word, place);
    return i < words.length - 1 ? index.having([token]) : index.beginningWith(token);
  });
}
