import { createRequire } from 'node:module';

/** The part of `node:sqlite` that the store uses. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: SqlValue[]): { lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, unknown>;

export interface Driver {
  DatabaseSync: new (location: string, options: { readOnly: boolean }) => Database;
}

/**
 * SQLite as Node has it built in, where it does without a flag (from 22.13 on, with a warning before 24), else the optional
 * dependency with the same interface.
 */
export function loadDriver(): Driver {
  const builtIn = process.getBuiltinModule('node:sqlite') as Driver | undefined;
  if (builtIn) return builtIn;
  try {
    // Not by import, which parses what is CommonJS once more, to learn its exports.
    return createRequire(import.meta.url)('@photostructure/sqlite');
  } catch (cause) {
    throw new Error('This Node has no SQLite: use Node 24, or install the package @photostructure/sqlite.', {
      cause,
    });
  }
}
