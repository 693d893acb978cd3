import { resolve } from 'node:path';
import { SkillscoutError } from '../errors.ts';
import { decodeSkill, encodeSkill } from './document.ts';
import { facetsOf } from './matches.ts';
import { type KnownSkill, planUpdate } from './plan-update.ts';
import type { Database, Row, SqlValue, Statement } from './sqlite-driver.ts';
import { storeError } from './sqlite-errors.ts';
import { inTransaction, openDatabase } from './sqlite-file.ts';
import { encodeTag, type Lookup, lookupsOf, matching } from './sqlite-query.ts';
import type {
  ApplyResult,
  ProviderUpdate,
  SkillKey,
  Store,
  StoredSkill,
  StorePage,
  StoreQuery,
} from './store.ts';

export interface SqliteStoreOptions {
  /** Of the file. */
  path: string;
  /** Only to read: nothing is created or written. Default false. */
  readOnly?: boolean;
  /** How long to wait for another process that is writing, in milliseconds; the thread waits with it. Default 5000. */
  busyTimeoutMs?: number;
}

/**
 * A store in one SQLite file, which several processes may have open at once. A new file is readable by its owner only. The
 * file survives the end of the process at any moment; what `apply` resolved for survives it too, though a power failure can
 * undo the latest updates.
 *
 * Rejects with a SkillscoutError: `STORE_NOT_OURS` for a file that is something else (it is left as it is), `STORE_TOO_NEW`,
 * `STORE_CORRUPT`, `STORE_NOT_FOUND` (a `readOnly` store that does not exist yet), `STORE_READ_ONLY`, `STORE_BUSY`,
 * `STORE_FULL`; the store's methods do so as well. TypeError for an option that is wrong. Error where this Node has no
 * SQLite and the optional dependency is not installed.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, readOnly = false, busyTimeoutMs = 5000 } = options;
  if (typeof path !== 'string' || path === '') throw new TypeError('path: expected a path');
  if (typeof readOnly !== 'boolean') throw new TypeError('readOnly: expected true or false');
  if (!Number.isInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new TypeError('busyTimeoutMs: expected an integer of at least 0');
  }
  const file = resolve(path);
  return new SqliteStore(await openDatabase({ file, readOnly, busyTimeoutMs }), file);
}

/** A lookup with more results than this is only checked against; the order of the keys is followed instead. */
const FEW = 1000;

/** Kept prepared. */
const MAX_STATEMENTS = 100;

class SqliteStore implements Store {
  readonly #db: Database;
  readonly #file: string;
  readonly #statements = new Map<string, Statement>();
  #closed = false;

  constructor(db: Database, file: string) {
    this.#db = db;
    this.#file = file;
  }

  async apply(update: ProviderUpdate): Promise<ApplyResult> {
    return this.#guard(() => inTransaction(this.#db, 'IMMEDIATE', () => this.#apply(update)));
  }

  async find(query: StoreQuery): Promise<StorePage> {
    return this.#guard(() => inTransaction(this.#db, 'DEFERRED', () => this.#find(query)));
  }

  async get({ domain, id }: SkillKey): Promise<StoredSkill | undefined> {
    return this.#guard(() => {
      const row = this.#statement(
        'SELECT document, fresh_until FROM skills JOIN documents USING (number) WHERE domain = ? AND id = ?',
      ).get(domain, id);
      const skill = row && toSkill(row);
      // SQLite takes a lone surrogate for U+FFFD.
      return skill?.id === id ? skill : undefined;
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      // Everything into the file itself: not every driver takes care of the log when it closes.
      this.#db.exec('PRAGMA wal_checkpoint');
    } catch {
      // What stays in the log is read from there.
    }
    this.#statements.clear();
    this.#db.close();
  }

  #guard<T>(work: () => T): T {
    if (this.#closed) throw new SkillscoutError('CLIENT_CLOSED', 'The store was closed.');
    try {
      return work();
    } catch (error) {
      throw storeError(error, this.#file);
    }
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size === MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #apply(update: ProviderUpdate): ApplyResult {
    const rows = this.#statement(
      'SELECT number, id, access, view, fetched_at AS fetchedAt FROM skills WHERE domain = ?',
    ).all(update.domain);
    const known = rows as unknown as (KnownSkill & { number: number })[];
    const numbers = new Map(known.map(({ id, number }) => [id, number]));
    const { put, expire, remove } = planUpdate(known, update);

    for (const id of remove) this.#remove(numbers.get(id) as number);
    for (const id of expire) {
      this.#statement('UPDATE skills SET fresh_until = min(fresh_until, ?) WHERE number = ?').run(
        update.at,
        numbers.get(id) as number,
      );
    }
    for (const skill of put) this.#put(skill);
    return { stored: put.length, removed: remove.length, evictedProviders: 0, evictedSkills: 0 };
  }

  #remove(number: number): void {
    this.#statement('DELETE FROM skills WHERE number = ?').run(number);
    this.#statement('DELETE FROM documents WHERE number = ?').run(number);
    this.#statement('DELETE FROM tags WHERE number = ?').run(number);
    this.#statement('DELETE FROM words WHERE rowid = ?').run(number);
  }

  #put(skill: StoredSkill): void {
    const { domain, id, capability_type, access, authType, view, fetchedAt, freshUntil, tags, words } =
      facetsOf(skill);
    const row = this.#statement(
      `INSERT INTO skills (domain, id, capability_type, access, auth_type, view, fetched_at, fresh_until)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (domain, id) DO UPDATE SET
         capability_type = excluded.capability_type, access = excluded.access, auth_type = excluded.auth_type,
         view = excluded.view, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until
       RETURNING number`,
    ).get(domain, id, capability_type, access, authType, view, fetchedAt, freshUntil);
    const number = row?.number as number;
    this.#statement('REPLACE INTO documents (number, document) VALUES (?, ?)').run(
      number,
      encodeSkill(skill),
    );
    this.#statement('REPLACE INTO words (rowid, word) VALUES (?, ?)').run(number, words);
    this.#statement('DELETE FROM tags WHERE number = ?').run(number);
    for (const tag of tags) {
      this.#statement('INSERT INTO tags (tag, number) VALUES (?, ?)').run(encodeTag(tag), number);
    }
  }

  #find(query: StoreQuery): StorePage {
    const { after, limit, total } = query;
    const lookups = lookupsOf(query);
    const driver = lookups.find((lookup) => this.#isShort(lookup));
    const { text, values } = matching(query, lookups, driver);
    const rows = this.#statement(
      `SELECT document, fresh_until FROM (
         SELECT number, domain, id, fresh_until ${text} ${after ? 'AND (domain, id) > (?, ?)' : ''}
         ORDER BY domain, id LIMIT ?
       ) JOIN documents USING (number) ORDER BY domain, id`,
    ).all(...values, ...(after ? [after.domain, after.id] : []), limit + 1);
    const page: StorePage = { skills: rows.slice(0, limit).map(toSkill), more: rows.length > limit };
    if (total) page.total = this.#count(`SELECT count(*) AS count ${text}`, values);
    return page;
  }

  #isShort({ all, value }: Lookup): boolean {
    return this.#count(`SELECT count(*) AS count FROM (${all} LIMIT ${FEW + 1})`, [value]) <= FEW;
  }

  #count(sql: string, values: SqlValue[]): number {
    return this.#statement(sql).get(...values)?.count as number;
  }
}

function toSkill({ document, fresh_until }: Row): StoredSkill {
  return decodeSkill(document as string, fresh_until as number);
}
