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

/** Something that one index can answer by itself. */
export interface Lookup {
  /** SQL that gives the numbers of all skills that have it. */
  all: string;
  /** SQL that is true for a row of `skills` that has it. */
  has: string;
  value: string;
}

/** Of each tag, and of all words at once. */
export function lookupsOf({ tags = [], words }: StoreQuery): Lookup[] {
  const lookups = tags.map((tag) => ({
    all: 'SELECT number FROM tags WHERE tag = ?',
    has: 'EXISTS (SELECT 1 FROM tags WHERE tag = ? AND tags.number = skills.number)',
    value: encodeTag(tag),
  }));
  if (words) {
    const all = 'SELECT rowid FROM words WHERE words MATCH ?';
    // The unary plus keeps SQLite from going through the list instead of looking into it.
    const has = `+number IN (${all})`;
    lookups.push({ all, has, value: `${words.map((word) => `"${word}"`).join(' AND ')}*` });
  }
  return lookups;
}

/** `FROM` and `WHERE` for all that matches. What the `driver` finds is gone through one by one, so it has to be little. */
export function matching(query: StoreQuery, lookups: Lookup[], driver: Lookup | undefined): Sql {
  const { capabilityTypes, access, authTypes, domains, freshness, now, includePrivate } = query;
  const conditions: Sql[] = lookups.map((lookup) => ({
    text: lookup === driver ? `number IN (${lookup.all})` : lookup.has,
    values: [lookup.value],
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
