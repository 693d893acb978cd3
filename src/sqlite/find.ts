import type { FacetCounts } from '../protocol/index.ts';
import {
  FACET_TOKENS,
  type FoundSkill,
  filterGroups,
  PLACES,
  passes,
  rankOf,
  type SkillPosition,
  type StorePage,
  type StoreQuery,
  type VersionSpan,
  wordToken,
} from '../registry/index.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './driver.ts';
import { HAS_RIVALS, IS_AMONG_RIVALS, withRivals } from './rivals.ts';
import { CANDIDATE_COLUMNS, FOUND_COLUMNS, toCandidate, toFound } from './rows.ts';

/** SQL with the values of its placeholders. */
interface Sql {
  text: string;
  values: SqlValue[];
}

/** A condition that the index of words does not answer, but an index of its own. */
interface RowCondition {
  /** True for a row of `skills`. */
  where: Sql;
  /** Gives the numbers of all skills for which it may be true. */
  candidates: Sql;
}

/** With more matches than this, what all rivals have in common is looked up at once. */
const MANY = 5000;
/** With no more candidates than this, they are looked at one by one instead of following the order of the answer. */
const FEW = 1000;
/** Characters of the beginning of a word that have an index of their own, without the place. */
const INDEXED_PREFIX = 5;
/** A longer beginning with more words than this is left to the index of all words. */
const MAX_EXPANSION = 64;

/** What a query matches, by the index of words and by conditions on rows. */
interface Matching {
  /** The expressions, by rank. */
  ranks: string[];
  /** The expression without regard to rank. */
  all: string;
  where: Sql;
}

interface Found extends FoundSkill {
  position: SkillPosition;
}

/** To be called within a transaction, so that it answers from one state of the tables. */
export function find(db: Connection, query: StoreQuery): StorePage {
  const conditions = conditionsOf(query);
  const few = conditions.find(({ candidates }) => hasFew(db, candidates));
  if (few) return pick(db, query, few.candidates);
  const words = expandedWords(db, query.words ?? []);
  const matching: Matching = {
    ranks: Array.from(query.words ? PLACES : [''], (_, rank) => matchAt(query, words, rank)),
    all: matchUpTo(query, words, PLACES.length - 1),
    where: {
      text: conditions.map(({ where }) => ` AND ${where.text}`).join(''),
      values: conditions.flatMap(({ where }) => where.values),
    },
  };
  return (query.words && pickIfAllFit(db, query, matching)) ?? follow(db, query, matching);
}

/** Common words that seldom stand together are gone through once, instead of once for every rank. */
function pickIfAllFit(db: Connection, query: StoreQuery, { all, where }: Matching): StorePage | undefined {
  const rows = db.all(
    `SELECT words.rowid AS number FROM words ${joined(where)} WHERE words MATCH ? ${where.text} LIMIT ?`,
    all,
    ...where.values,
    query.limit + 1,
  );
  if (rows.length > query.limit) return undefined;
  const numbers = JSON.stringify(rows.map(({ number }) => number));
  return pick(db, query, { text: 'SELECT value FROM json_each(?)', values: [numbers] });
}

/** Goes through what the index of words gives, which comes in the order of the answer. */
function follow(db: Connection, query: StoreQuery, { ranks, all, where }: Matching): StorePage {
  const { after = { rank: 0, number: 0 }, limit, descriptors } = query;
  const found: Found[] = [];
  for (let { rank, number } = after; rank < ranks.length && found.length <= limit; rank++, number = 0) {
    const rows = db.all(
      `SELECT ${FOUND_COLUMNS} ${descriptors ? ', descriptor' : ''}
       FROM words CROSS JOIN skills ON number = words.rowid CROSS JOIN documents USING (number)
       WHERE words MATCH ? AND words.rowid > ? ${where.text} ${onlyTrusted(query)} ORDER BY words.rowid LIMIT ?`,
      ranks[rank] as string,
      number,
      ...where.values,
      limit + 1 - found.length,
    );
    for (const row of rows) found.push({ ...toFound(row), position: { rank, number: row.number as number } });
  }
  const page = pageOf(db, found, limit);
  if (!query.total && !query.facets) return page;
  const counted = {
    ...where,
    text: where.text + (hasMany(db, all) ? onlyTrustedOfMany(query) : onlyTrusted(query)),
  };
  if (query.total) {
    const sql = `SELECT count(*) AS count FROM words ${joined(counted)} WHERE words MATCH ? ${counted.text}`;
    page.total = db.get(sql, all, ...where.values)?.count as number;
  }
  if (query.facets) page.facets = counted.text ? facetsOfRows(db, all, counted) : facetsOfWords(db, all);
  return page;
}

/** Without conditions, the index of words alone knows: to look at a million rows takes a second. */
function facetsOfWords(db: Connection, all: string): FacetCounts {
  const countsOf = (tokens: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(tokens).flatMap(([value, token]) => {
        const sql = 'SELECT count(*) AS count FROM words WHERE words MATCH ?';
        const count = db.get(sql, `(${all}) AND ${quoted(token)}`)?.count as number;
        return count > 0 ? [[value, count]] : [];
      }),
    );
  return {
    capabilityType: countsOf(FACET_TOKENS.capabilityType),
    access: countsOf(FACET_TOKENS.access),
    authType: countsOf(FACET_TOKENS.authType),
  };
}

function facetsOfRows(db: Connection, all: string, { text, values }: Sql): FacetCounts {
  const rows = db.all(
    `SELECT capability_type, access, auth_type, count(*) AS count FROM words CROSS JOIN skills ON number = words.rowid
     WHERE words MATCH ? ${text} GROUP BY 1, 2, 3`,
    all,
    ...values,
  );
  return facetsOf(rows as unknown as Facet[]);
}

/** That a skill has no rivals. That it is not flagged, the index of words says, or {@link passes}. */
const onlyTrusted = ({ trusted }: StoreQuery) => (trusted ? ` AND NOT ${HAS_RIVALS}` : '');
const onlyTrustedOfMany = ({ trusted }: StoreQuery) => (trusted ? ` AND NOT ${IS_AMONG_RIVALS}` : '');

/** Conditions need the rows, the index of words alone does not. */
const joined = ({ text }: Sql) => text && 'CROSS JOIN skills ON number = words.rowid';

/** Looks at each of a few candidates. */
function pick(db: Connection, query: StoreQuery, candidates: Sql): StorePage {
  const { after, limit, descriptors } = query;
  const matching = db
    .all(
      `SELECT ${CANDIDATE_COLUMNS} FROM skills JOIN documents USING (number) WHERE number IN (${candidates.text}) ${onlyTrusted(query)}`,
      ...candidates.values,
    )
    .flatMap((row) => {
      const skill = toCandidate(row);
      const rank = passes(query, skill) ? rankOf(query, skill) : undefined;
      return rank === undefined ? [] : [{ skill, position: { rank, number: row.number as number } }];
    })
    .sort((a, b) => compare(a.position, b.position));
  const found = matching
    .filter(({ position }) => after === undefined || compare(position, after) > 0)
    .slice(0, limit + 1)
    .map(({ skill: { entry, contentHash }, position }) => ({
      entry,
      contentHash,
      ...(descriptors && { descriptor: descriptorOf(db, position.number) }),
      position,
    }));
  return {
    ...pageOf(db, found, limit),
    ...(query.total && { total: matching.length }),
    ...(query.facets && {
      facets: facetsOf(
        matching.map(({ skill: { entry, authType } }) => ({ ...entry, auth_type: authType, count: 1 })),
      ),
    }),
  };
}

function descriptorOf(db: Connection, number: number): string {
  return db.get('SELECT descriptor FROM documents WHERE number = ?', number)?.descriptor as string;
}

function compare(a: SkillPosition, b: SkillPosition): number {
  return a.rank - b.rank || a.number - b.number;
}

/** `found` has at least one more than the page takes where more follow. */
function pageOf(db: Connection, found: Found[], limit: number): StorePage {
  const taken = found.slice(0, limit);
  const last = taken.at(-1);
  return {
    skills: withRivals(
      db,
      taken.map(({ position, ...skill }) => skill),
      taken.map(({ position }) => position.number),
    ),
    ...(found.length > limit && last && { next: last.position }),
  };
}

interface Facet {
  capability_type: keyof FacetCounts['capabilityType'];
  access: keyof FacetCounts['access'];
  auth_type: keyof FacetCounts['authType'];
  count: number;
}

function facetsOf(facets: Facet[]): FacetCounts {
  const counts: FacetCounts = { capabilityType: {}, access: {}, authType: {} };
  for (const { capability_type, access, auth_type, count } of facets) {
    counts.capabilityType[capability_type] = (counts.capabilityType[capability_type] ?? 0) + count;
    counts.access[access] = (counts.access[access] ?? 0) + count;
    counts.authType[auth_type] = (counts.authType[auth_type] ?? 0) + count;
  }
  return counts;
}

/** A word of the question, as what may stand for it at a place. */
type Word = (place: number) => string[];

function expandedWords(db: Connection, words: readonly string[]): Word[] {
  return words.map((word, i) =>
    i < words.length - 1 ? (place) => [quoted(wordToken(word, place))] : prefix(db, word),
  );
}

function prefix(db: Connection, word: string): Word {
  if (Array.from(word).length > INDEXED_PREFIX) {
    const terms = db.all(
      `SELECT term FROM terms WHERE term >= ? AND term < ? LIMIT ${MAX_EXPANSION + 1}`,
      word,
      `${word}\u{10ffff}`,
    );
    // The word itself, so that there always is one.
    const all = [...new Set([word, ...terms.map(({ term }) => term as string)])];
    if (terms.length <= MAX_EXPANSION) return (place) => all.map((term) => quoted(wordToken(term, place)));
  }
  return (place) => [`${quoted(wordToken(word, place))} *`];
}

/** What matches with exactly this rank. */
function matchAt(query: StoreQuery, words: Word[], rank: number): string {
  const match = matchUpTo(query, words, rank);
  return rank === 0 ? match : `(${match}) NOT (${wordsUpTo(words, rank - 1).join(' AND ')})`;
}

/** What matches with this rank or a better one. */
function matchUpTo(query: StoreQuery, words: Word[], rank: number): string {
  return [...filterGroups(query).map((group) => anyOf(group.map(quoted))), ...wordsUpTo(words, rank)].join(
    ' AND ',
  );
}

function wordsUpTo(words: Word[], rank: number): string[] {
  const places = Array.from({ length: rank + 1 }, (_, place) => place);
  return words.map((word) => anyOf(places.flatMap(word)));
}

const anyOf = (expressions: string[]) => `(${expressions.join(' OR ')})`;

/** Tokens hold no quotes. */
const quoted = (token: string) => `"${token}"`;

function conditionsOf({ freshness, now, versions, protocolVersions }: StoreQuery): RowCondition[] {
  const conditions: RowCondition[] = [];
  if (freshness) {
    const where = { text: `fresh_until ${freshness === 'fresh' ? '>' : '<='} ?`, values: [now] };
    conditions.push({ where, candidates: candidates('skills_by_freshness', [where]) });
  }
  if (versions) conditions.push(versionCondition('version_key', 'skills_by_version', versions));
  if (protocolVersions) {
    conditions.push(versionCondition('protocol_key', 'skills_by_protocol', protocolVersions));
  }
  return conditions;
}

function versionCondition(column: string, index: string, spans: readonly VersionSpan[]): RowCondition {
  const ranges = spans.map((span) => rangeOf(column, span));
  const parts = spans.map(({ releasesOnly }, i) =>
    releasesOnly ? `${ranges[i]?.text} AND substr(${column}, -1) = '~'` : ranges[i]?.text,
  );
  return {
    where: { text: `(${parts.join(' OR ') || 'FALSE'})`, values: ranges.flatMap(({ values }) => values) },
    candidates: candidates(index, ranges),
  };
}

function rangeOf(column: string, { from = '', to, afterFrom, beforeTo }: VersionSpan): Sql {
  // What is no version has the empty key, and lies in no span.
  const lower = `${column} ${from === '' || afterFrom ? '>' : '>='} ?`;
  if (to === undefined) return { text: lower, values: [from] };
  return { text: `${lower} AND ${column} ${beforeTo ? '<' : '<='} ?`, values: [from, to] };
}

function candidates(index: string, ranges: Sql[]): Sql {
  const select = ({ text }: Sql) =>
    `SELECT number FROM skills INDEXED BY ${index} WHERE gone_since IS NULL AND ${text}`;
  return {
    text: ranges.map(select).join(' UNION ALL ') || 'SELECT NULL WHERE FALSE',
    values: ranges.flatMap(({ values }) => values),
  };
}

/** Whether many skills match, as far as words say. */
function hasMany(db: Connection, expression: string): boolean {
  const row = db.get(
    `SELECT count(*) AS count FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ${MANY + 1})`,
    expression,
  );
  return (row?.count as number) > MANY;
}

function hasFew(db: Connection, { text, values }: Sql): boolean {
  const row = db.get(`SELECT count(*) AS count FROM (${text} LIMIT ${FEW + 1})`, ...values);
  return (row?.count as number) <= FEW;
}
