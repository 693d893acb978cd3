import type { SqlValue } from './sqlite-driver.ts';
import type { StoreQuery } from './store.ts';

/** SQL with the values of its placeholders. Lists are passed as one JSON value each, so that their length is no limit. */
export interface Sql {
  text: string;
  values: SqlValue[];
}

/** JSON keeps the lone surrogates that SQLite would replace. */
export function encodeTag(tag: string): string {
  return JSON.stringify(tag);
}

/** The numbers of the skills with each tag, and of those with all words: what an index can answer by itself. */
export function lookupsOf({ tags = [], words }: StoreQuery): Sql[] {
  const lookups = tags.map((tag) => ({
    text: 'SELECT number FROM tags WHERE tag = ?',
    values: [encodeTag(tag)],
  }));
  if (words) {
    const match = `${words.map((word) => `"${word}"`).join(' AND ')}*`;
    lookups.push({ text: 'SELECT rowid FROM words WHERE words MATCH ?', values: [match] });
  }
  return lookups;
}

/** `FROM` and `WHERE` for all that matches; `driver` is the lookup whose few results are to be gone through one by one. */
export function matching(query: StoreQuery, lookups: Sql[], driver: Sql | undefined): Sql {
  const { capabilityTypes, access, authTypes, domains, freshness, now, includePrivate } = query;
  const conditions: Sql[] = lookups.map((lookup) => ({
    // A unary plus keeps SQLite from going through this one's results.
    text: `${lookup === driver ? '' : '+'}number IN (${lookup.text})`,
    values: lookup.values,
  }));
  const add = (text: string, ...values: SqlValue[]) => conditions.push({ text, values });
  const addAnyOf = (column: string, values: readonly string[] | undefined) => {
    if (values?.length === 1) add(`${column} = ?`, values[0] as string);
    else if (values) add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
  };

  addAnyOf('capability_type', capabilityTypes);
  addAnyOf('access', access);
  addAnyOf('auth_type', authTypes);
  addAnyOf('domain', domains);
  if (freshness) add(`fresh_until ${freshness === 'fresh' ? '>' : '<='} ?`, now);
  if (!includePrivate) add("access <> 'private'");

  const plan = driver
    ? 'NOT INDEXED'
    : `INDEXED BY skills_by_${capabilityTypes?.length === 1 ? 'type' : 'key'}`;
  return {
    text: `FROM skills ${plan} WHERE ${conditions.map(({ text }) => text).join(' AND ') || 'TRUE'}`,
    values: conditions.flatMap(({ values }) => values),
  };
}
