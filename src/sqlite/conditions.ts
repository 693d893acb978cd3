import type { StoreQuery, VersionSpan } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './driver.ts';

/** SQL with the values of its placeholders. */
export interface Sql {
  text: string;
  values: SqlValue[];
}

/** A condition that neither the class nor the index of words answers, but an index of its own. */
interface RowCondition {
  /** True for a row of `skills`. */
  where: Sql;
  /** Holds all that `where` looks at, and the class. */
  index: string;
  /** Gives the numbers of all skills for which it may be true. */
  candidates: Sql;
}

/** With no more candidates than this, they are looked at one by one instead of following the order of the answer. */
const FEW = 1000;

export function conditionsOf({ freshness, now, versions, protocolVersions }: StoreQuery): RowCondition[] {
  const conditions: RowCondition[] = [];
  if (freshness) {
    const where = { text: `fresh_until ${freshness === 'fresh' ? '>' : '<='} ?`, values: [now] };
    conditions.push(condition('skills_by_freshness', where, [where]));
  }
  if (versions) conditions.push(versionCondition('version_key', 'skills_by_version', versions));
  if (protocolVersions) {
    conditions.push(versionCondition('protocol_key', 'skills_by_protocol', protocolVersions));
  }
  return conditions;
}

export function hasFew(db: Connection, { text, values }: Sql): boolean {
  const row = db.get(`SELECT count(*) AS count FROM (${text} LIMIT ${FEW + 1})`, ...values);
  return (row?.count as number) <= FEW;
}

function versionCondition(column: string, index: string, spans: readonly VersionSpan[]): RowCondition {
  const ranges = spans.map((span) => rangeOf(column, span));
  const parts = spans.map(({ releasesOnly }, i) =>
    releasesOnly ? `${ranges[i]?.text} AND substr(${column}, -1) = '~'` : ranges[i]?.text,
  );
  const values = ranges.flatMap(({ values }) => values);
  return condition(index, { text: `(${parts.join(' OR ') || 'FALSE'})`, values }, ranges);
}

function rangeOf(column: string, { from = '', to, afterFrom, beforeTo }: VersionSpan): Sql {
  // What is no version has the empty key, and lies in no span.
  const lower = `${column} ${from === '' || afterFrom ? '>' : '>='} ?`;
  if (to === undefined) return { text: lower, values: [from] };
  return { text: `${lower} AND ${column} ${beforeTo ? '<' : '<='} ?`, values: [from, to] };
}

function condition(index: string, where: Sql, ranges: Sql[]): RowCondition {
  const select = ({ text }: Sql) =>
    `SELECT number FROM skills INDEXED BY ${index} WHERE gone_since IS NULL AND ${text}`;
  const candidates = {
    text: ranges.map(select).join(' UNION ALL ') || 'SELECT NULL WHERE FALSE',
    values: ranges.flatMap(({ values }) => values),
  };
  return { where, index, candidates };
}
