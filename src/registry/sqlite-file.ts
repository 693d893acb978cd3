import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { SkillscoutError } from '../errors.ts';
import { type Database, loadDriver } from './sqlite-driver.ts';
import { SQLITE, sqliteCode, storeError } from './sqlite-errors.ts';

export interface FileOptions {
  /** Absolute. */
  file: string;
  readOnly: boolean;
  busyTimeoutMs: number;
}

/** `SKSC`, at offset 68 of the file. */
const APPLICATION_ID = 0x534b5343;
/** To be raised with every change of the tables; kept as `user_version`. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE skills (
    number INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    id TEXT NOT NULL,
    capability_type TEXT NOT NULL,
    access TEXT NOT NULL,
    auth_type TEXT NOT NULL,
    view TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    fresh_until REAL NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX skills_by_key ON skills (domain, id);
  CREATE INDEX skills_by_type ON skills (capability_type, domain, id);

  CREATE TABLE documents (number INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;

  CREATE TABLE tags (tag TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (tag, number)) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_number ON tags (number);

  CREATE VIRTUAL TABLE words USING fts5 (
    word, tokenize = 'ascii', detail = none, prefix = '1 2 3', content = '', contentless_delete = 1
  );

  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the file of a store; unless `readOnly`, creates it where there is none, readable by its owner only. A file that is
 * not ours is left as it is. SkillscoutError with a `STORE_` code where it cannot be used.
 */
export async function openDatabase({ file, readOnly, busyTimeoutMs }: FileOptions): Promise<Database> {
  const { DatabaseSync } = await loadDriver();
  const connect = (location: string, toWrite: boolean, prepare: (db: Database, file: string) => void) => {
    const db = new DatabaseSync(location, { readOnly: !toWrite });
    try {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      prepare(db, file);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  // As a file that nobody changes: without locks, without its log, and without side files that SQLite would write next to it.
  const immutable = `${pathToFileURL(file).href}?immutable=1`;
  const judge = (location: string) => connect(location, false, refuseForeign).close();
  const read = (location: string) => connect(location, false, refuseNewer);

  try {
    if (!readOnly) await create(file);
    const size = await sizeOf(file, readOnly);
    if (size === 0 && readOnly) throw noStore(file);
    // Without its log, a store that was left in the middle of a checkpoint looks damaged.
    if (size > 0)
      either(
        () => judge(immutable),
        [SQLITE.CORRUPT],
        () => judge(file),
      );
    if (!readOnly) return connect(file, true, prepareToWrite);
    // SQLite cannot make its side files in a directory that must not be written.
    return either(
      () => read(file),
      [SQLITE.CANTOPEN, SQLITE.READONLY],
      () => read(immutable),
    );
  } catch (error) {
    throw storeError(error, file);
  }
}

function either<T>(first: () => T, codes: number[], second: () => T): T {
  try {
    return first();
  } catch (error) {
    if (!codes.includes(sqliteCode(error) ?? 0)) throw error;
    return second();
  }
}

async function create(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

// Without opening the file: closing it again would drop the locks that this process holds on it through SQLite.
async function sizeOf(file: string, readOnly: boolean): Promise<number> {
  const found = await stat(file).catch((error) => {
    throw systemCode(error) === 'ENOENT' ? noStore(file) : error;
  });
  if (!found.isFile()) throw notOurs(file);
  await access(file, readOnly ? constants.R_OK : constants.R_OK | constants.W_OK);
  return found.size;
}

function refuseForeign(db: Database, file: string): void {
  try {
    if (pragma(db, 'application_id') !== APPLICATION_ID) throw notOurs(file);
  } catch (error) {
    throw sqliteCode(error) === SQLITE.NOTADB ? notOurs(file) : error;
  }
}

function refuseNewer(db: Database, file: string): void {
  const version = Number(pragma(db, 'user_version'));
  if (version <= SCHEMA_VERSION) return;
  throw new SkillscoutError('STORE_TOO_NEW', `${file} has version ${version}; this is for ${SCHEMA_VERSION}`);
}

function prepareToWrite(db: Database, file: string): void {
  if (pragma(db, 'user_version') === 0) {
    // Of an ordinary record of 2 KB, one fits into a page of the default size, and three into this one.
    db.exec('PRAGMA page_size = 8192');
    // In the journal mode of a new file, so that the file itself, not only its log, says whose it is from the start.
    inTransaction(db, 'IMMEDIATE', () => {
      if (pragma(db, 'user_version') === 0) db.exec(SCHEMA);
    });
  }
  refuseNewer(db, file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
}

/** All or nothing. `IMMEDIATE` to write: waits for other writers at the start, never in the middle. `DEFERRED` to read one state. */
export function inTransaction<T>(db: Database, mode: 'IMMEDIATE' | 'DEFERRED', work: () => T): T {
  db.exec(`BEGIN ${mode}`);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite has ended the transaction itself, as it does when the disk is full.
    }
    throw error;
  }
}

function pragma(db: Database, name: string): unknown {
  return db.prepare(`PRAGMA ${name}`).get()?.[name];
}

function systemCode(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

function notOurs(file: string) {
  return new SkillscoutError('STORE_NOT_OURS', `${file} is not a skillscout store`);
}

function noStore(file: string) {
  return new SkillscoutError('STORE_NOT_FOUND', `${file} does not exist`);
}
