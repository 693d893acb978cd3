import type { FacetCounts } from '../protocol/index.ts';
import type { StoreQuery } from '../registry/index.ts';
import { classesOf, FROM_CLASS, type SkillClass, valuesOf } from './classes.ts';
import type { Sql } from './conditions.ts';
import type { Connection } from './connection.ts';
import { within } from './word-match.ts';

export interface Counts {
  total?: number;
  facets?: FacetCounts;
}

/** Skills of one class, and how many. */
export interface ClassCount extends SkillClass {
  count: number;
}

/**
 * What a query wants to know of what `count` counts: of all, and for a trusted query without the untrusted. These are mostly
 * few, and to look at each of a million skills takes seconds.
 */
export function counted(query: StoreQuery, count: (which: 'all' | 'untrusted') => Counts): Counts {
  if (!query.total && !query.facets) return {};
  const all = count('all');
  return query.trusted ? minus(all, count('untrusted')) : all;
}

/** By going through all rows of `skills` that follow FROM in `text`. */
export function countRows(db: Connection, query: StoreQuery, { text, values }: Sql): Counts {
  const rows = db.all(
    `SELECT capability_type AS capabilityType, access, auth_type AS authType, count(*) AS count
     FROM ${text} GROUP BY 1, 2, 3`,
    ...values,
  );
  return countsOf(query, rows as unknown as ClassCount[]);
}

/** By the index of classes alone. */
export function countClasses(db: Connection, query: StoreQuery): Counts {
  const count = (one: SkillClass) =>
    db.get(`SELECT count(*) AS count ${FROM_CLASS}`, ...valuesOf(one))?.count as number;
  const counts = classesOf(query).map((one) => ({ ...one, count: count(one) }));
  return countsOf(
    query,
    counts.filter(({ count }) => count > 0),
  );
}

/** By the index of words alone: to look at a million rows takes a second. */
export function countMatches(db: Connection, query: StoreQuery, expression: string): Counts {
  const classes = classesOf(query);
  const count = (some: SkillClass[]) => {
    if (some.length === 0) return 0;
    const sql = 'SELECT count(*) AS count FROM words WHERE words MATCH ?';
    return db.get(sql, within(some, expression))?.count as number;
  };
  const facet = <K extends keyof SkillClass>(member: K) =>
    Object.fromEntries(
      [...new Set(classes.map((one) => one[member]))].flatMap((value) => {
        const number = count(classes.filter((one) => one[member] === value));
        return number > 0 ? [[value, number]] : [];
      }),
    );
  return {
    ...(query.total && { total: count(classes) }),
    ...(query.facets && {
      facets: {
        capabilityType: facet('capabilityType'),
        access: facet('access'),
        authType: facet('authType'),
      },
    }),
  };
}

export function countsOf({ total, facets }: StoreQuery, classes: readonly ClassCount[]): Counts {
  const counts: FacetCounts = { capabilityType: {}, access: {}, authType: {} };
  let all = 0;
  for (const { capabilityType, access, authType, count } of classes) {
    all += count;
    counts.capabilityType[capabilityType] = (counts.capabilityType[capabilityType] ?? 0) + count;
    counts.access[access] = (counts.access[access] ?? 0) + count;
    counts.authType[authType] = (counts.authType[authType] ?? 0) + count;
  }
  return { ...(total && { total: all }), ...(facets && { facets: counts }) };
}

function minus(counts: Counts, others: Counts): Counts {
  const { total, facets } = counts;
  const rest = <K extends string>(
    facet: Partial<Record<K, number>>,
    other: Partial<Record<K, number>> = {},
  ) =>
    Object.fromEntries(
      Object.entries<number>(facet as Record<K, number>)
        .map(([value, count]) => [value, count - (other[value as K] ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );
  return {
    ...(total !== undefined && { total: total - (others.total ?? 0) }),
    ...(facets && {
      facets: {
        capabilityType: rest(facets.capabilityType, others.facets?.capabilityType),
        access: rest(facets.access, others.facets?.access),
        authType: rest(facets.authType, others.facets?.authType),
      },
    }),
  };
}
