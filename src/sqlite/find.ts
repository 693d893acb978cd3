import {
  ownGroups,
  PLACES,
  passes,
  rankOf,
  type SkillPosition,
  type StorePage,
  type StoreQuery,
} from '../registry/index.ts';
import { classesOf, listsOf, valuesOf } from './classes.ts';
import { conditionsOf, hasFew, type Sql } from './conditions.ts';
import type { Connection } from './connection.ts';
import { type Counts, countClasses, counted, countMatches, countRows, countsOf } from './counts.ts';
import type { SqlValue } from './driver.ts';
import { foundSkills } from './found.ts';
import { onlyTrusted, UNTRUSTED } from './rivals.ts';
import { CANDIDATE_COLUMNS, toCandidate } from './rows.ts';
import { WordMatch, within } from './word-match.ts';

const MATCHED = 'words WHERE words MATCH ?';
const MATCHED_ROWS = 'words CROSS JOIN skills ON number = words.rowid WHERE words MATCH ?';

/** What was found: positions behind `after`, at least one more than the page takes where more follow. */
interface Found {
  positions: SkillPosition[];
  counts: Counts;
}

/** To be called within a transaction, so that it answers from one state of the tables. */
export function find(db: Connection, query: StoreQuery): StorePage {
  const { limit, descriptors } = query;
  const { positions, counts } = search(db, query);
  const taken = positions.slice(0, limit);
  const last = taken.at(-1);
  return {
    skills: foundSkills(
      db,
      taken.map(({ number }) => number),
      descriptors,
    ),
    ...(positions.length > limit && last && { next: last }),
    ...counts,
  };
}

function search(db: Connection, query: StoreQuery): Found {
  const conditions = conditionsOf(query);
  const few = conditions.find(({ candidates }) => hasFew(db, candidates));
  if (few) return pick(db, query, few.candidates);
  if (classesOf(query).length === 0) return { positions: [], counts: countsOf(query, []) };
  const where = {
    text: conditions.map(({ where }) => ` AND ${where.text}`).join(''),
    values: conditions.flatMap(({ where }) => where.values),
  };
  if (query.words || ownGroups(query).length > 0) return searchWords(db, query, where);
  const [first, ...others] = conditions;
  return searchClasses(db, query, {
    where,
    index: first && others.length === 0 ? first.index : 'skills_by_class',
  });
}

/** By indexes that have each class in the order of the answer. `index` has what `where` looks at, to count by it. */
function searchClasses(
  db: Connection,
  query: StoreQuery,
  { where, index }: { where: Sql; index: string },
): Found {
  const classes = classesOf(query);
  const lists = listsOf(query);
  const behind = `AND number > ? ${where.text} ${onlyTrusted(query)}`;
  return {
    positions: follow(query, 1, (_, after, limit) =>
      numbersOf(
        db,
        `${lists.map(({ text }) => `SELECT number ${text} ${behind}`).join(' UNION ALL ')} ORDER BY number LIMIT ?`,
        ...lists.flatMap(({ values }) => [...values, after, ...where.values]),
        limit,
      ),
    ),
    counts: counted(query, (which) => {
      if (!where.text && which === 'all') return countClasses(db, query);
      const rows =
        which === 'all' ? `skills INDEXED BY ${index}` : `(${UNTRUSTED}) CROSS JOIN skills USING (number)`;
      const values = classes.map(() => '(?, ?, ?)').join(', ');
      return countRows(db, query, {
        text: `${rows} WHERE gone_since IS NULL
          AND (capability_type, access, auth_type) IN (VALUES ${values}) ${where.text}`,
        values: [...classes.flatMap(valuesOf), ...where.values],
      });
    }),
  };
}

/** By the index of words, of which each list comes in the order of the answer. */
function searchWords(db: Connection, query: StoreQuery, where: Sql): Found {
  const match = new WordMatch(db, query);
  const classes = classesOf(query);
  const all = match.upTo(PLACES.length - 1);
  const select = (expression: string, condition: string, after: number, limit: number) =>
    numbersOf(
      db,
      // Conditions need the rows, the index of words alone does not.
      `SELECT words.rowid AS number FROM ${condition ? MATCHED_ROWS : MATCHED} ${condition}
         AND words.rowid > ? ORDER BY words.rowid LIMIT ?`,
      within(classes, expression),
      ...where.values,
      after,
      limit,
    );

  const condition = where.text + onlyTrusted(query);
  const ofRank = (rank: number, after: number, limit: number) =>
    select(match.at(rank), condition, after, limit);

  const { words, after, limit } = query;
  // The names in which a single word stands mostly fill a page.
  const best = words?.length === 1 && !after ? ofRank(0, 0, limit + 1) : undefined;
  if (words && !after && (best === undefined || best.length <= limit)) {
    // What few have is gone through once, instead of once for every rank.
    const numbers = select(all, where.text, 0, limit + 1);
    if (numbers.length <= limit) {
      return pick(db, query, { text: 'SELECT value FROM json_each(?)', values: [JSON.stringify(numbers)] });
    }
  }
  return {
    positions: follow(query, words ? PLACES.length : 1, (rank, ...page) =>
      rank === 0 && best ? best : ofRank(rank, ...page),
    ),
    counts: counted(query, (which) => {
      if (!where.text && which === 'all') return countMatches(db, query, all);
      // Without the sign, FTS5 looks every number up by itself.
      const untrusted = which === 'untrusted' ? `AND +words.rowid IN (${UNTRUSTED})` : '';
      return countRows(db, query, {
        text: `${MATCHED_ROWS} ${where.text} ${untrusted}`,
        values: [within(classes, all), ...where.values],
      });
    }),
  };
}

/** Looks at each of a few candidates. */
function pick(db: Connection, query: StoreQuery, candidates: Sql): Found {
  const { after } = query;
  const matching = db
    .all(
      `SELECT ${CANDIDATE_COLUMNS} FROM skills JOIN documents USING (number)
       WHERE number IN (${candidates.text}) ${onlyTrusted(query)}`,
      ...candidates.values,
    )
    .flatMap((row) => {
      const skill = toCandidate(row);
      const rank = passes(query, skill) ? rankOf(query, skill) : undefined;
      return rank === undefined ? [] : [{ skill, position: { rank, number: row.number as number } }];
    });
  return {
    positions: matching
      .map(({ position }) => position)
      .filter((position) => after === undefined || compare(position, after) > 0)
      .sort(compare),
    counts: countsOf(
      query,
      matching.map(({ skill: { entry, authType } }) => ({
        capabilityType: entry.capability_type,
        access: entry.access,
        authType,
        count: 1,
      })),
    ),
  };
}

/** The first positions of what `numbers` gives of each rank. */
function follow(
  { after = { rank: 0, number: 0 }, limit }: StoreQuery,
  ranks: number,
  numbers: (rank: number, after: number, limit: number) => number[],
): SkillPosition[] {
  const positions: SkillPosition[] = [];
  for (let { rank, number } = after; rank < ranks && positions.length <= limit; rank++, number = 0) {
    for (const found of numbers(rank, number, limit + 1 - positions.length)) {
      positions.push({ rank, number: found });
    }
  }
  return positions;
}

/** What a question for `number` gives: as one text, since rows take ten times as much memory. */
function numbersOf(db: Connection, sql: string, ...values: SqlValue[]): number[] {
  return JSON.parse(
    db.get(`SELECT json_group_array(number) AS numbers FROM (${sql})`, ...values)?.numbers as string,
  );
}

function compare(a: SkillPosition, b: SkillPosition): number {
  return a.rank - b.rank || a.number - b.number;
}
