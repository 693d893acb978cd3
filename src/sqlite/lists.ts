import type { ChangePage, ChangeQuery, ProviderPage, ProviderQuery } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './driver.ts';
import { CHANGE_COLUMNS, PROVIDER_COLUMNS, toChange, toProvider } from './rows.ts';

export function listChanges(db: Connection, query: ChangeQuery): ChangePage {
  const { since, domains, includePrivate, after, limit } = query;
  const where = new Conditions();
  if (since !== undefined) where.add('at >= ?', since);
  if (domains) where.addAnyOf('domain', domains);
  if (!includePrivate) where.add('NOT is_private');
  if (after) where.add('(at, number) > (?, ?)', after.at, after.number);
  const rows = db.all(
    `SELECT ${CHANGE_COLUMNS} FROM changes ${where.text} ORDER BY at, number LIMIT ?`,
    ...where.values,
    limit + 1,
  );
  const taken = rows.slice(0, limit);
  const last = taken.at(-1);
  return {
    changes: taken.map(toChange),
    ...(rows.length > limit && last && { next: { at: last.at as number, number: last.number as number } }),
  };
}

export function listProviders(db: Connection, query: ProviderQuery): ProviderPage {
  const { domains, dueAt, order, after, limit } = query;
  const where = new Conditions();
  if (domains) where.addAnyOf('domain', domains);
  if (dueAt !== undefined) where.add('due_at <= ?', dueAt);
  if (after && order === 'domain') where.add('domain > ?', after.domain);
  if (after && order === 'due') where.add('(due_at, domain) > (?, ?)', after.dueAt, after.domain);
  const rows = db.all(
    `SELECT ${PROVIDER_COLUMNS} FROM providers ${where.text} ORDER BY ${order === 'due' ? 'due_at, domain' : 'domain'} LIMIT ?`,
    ...where.values,
    limit + 1,
  );
  return { providers: rows.slice(0, limit).map(toProvider), more: rows.length > limit };
}

/** All of which must hold. */
class Conditions {
  readonly #texts: string[] = [];
  readonly values: SqlValue[] = [];

  get text(): string {
    return this.#texts.length > 0 ? `WHERE ${this.#texts.join(' AND ')}` : '';
  }

  add(text: string, ...values: SqlValue[]): void {
    this.#texts.push(text);
    this.values.push(...values);
  }

  /** The list is one value, so that its length is no limit. */
  addAnyOf(column: string, values: readonly string[]): void {
    if (values.length === 1) this.add(`${column} = ?`, values[0] as string);
    else this.add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
  }
}
