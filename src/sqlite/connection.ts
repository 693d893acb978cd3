import type { Database, Row, SqlValue, Statement } from './driver.ts';

/** Kept prepared. */
const MAX_STATEMENTS = 100;

/** A connection that keeps its statements prepared. */
export class Connection {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Several statements without values. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, ...values: SqlValue[]): void {
    this.#statement(sql).run(...values);
  }

  /** The number of the new row. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  pragma(name: string): unknown {
    return this.get(`PRAGMA ${name}`)?.[name];
  }

  /** All or nothing. `IMMEDIATE` to write: waits for other writers at the start, never in the middle. `DEFERRED` to read one state. */
  transaction<T>(mode: 'IMMEDIATE' | 'DEFERRED', work: () => T): T {
    this.run(`BEGIN ${mode}`);
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      try {
        this.run('ROLLBACK');
      } catch {
        // SQLite has ended the transaction itself, as it does when the disk is full.
      }
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size === MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
