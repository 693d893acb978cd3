import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { SkillscoutError } from '../errors.ts';
import { loadSkeleton } from '../protocol/index.ts';
import { Connection } from './connection.ts';
import { type Driver, loadDriver } from './driver.ts';
import { SQLITE, sqliteCode, storeError } from './errors.ts';
import { MIGRATIONS } from './migrations.ts';
import { APPLICATION_ID, createTables, SCHEMA_VERSION } from './schema.ts';

export interface FileOptions {
  /** Absolute. */
  file: string;
  readOnly: boolean;
  busyTimeoutMs: number;
}

/**
 * Opens the file of a store to read; unless `readOnly`, creates it where there is none, readable by its owner only, and brings
 * an older one up to date. A file that is not ours is left as it is. SkillscoutError with a `STORE_` code where it cannot be
 * used.
 */
export async function openToRead({ file, readOnly, busyTimeoutMs }: FileOptions): Promise<Connection> {
  const driver = loadDriver();
  const connect = (location: string, toWrite: boolean, prepare: (db: Connection, file: string) => void) =>
    connectWith(driver, { location, toWrite, busyTimeoutMs }, (db) => prepare(db, file));
  // As a file that nobody changes: without locks, without its log, and without side files that SQLite would write next to it.
  const immutable = `${pathToFileURL(file).href}?immutable=1`;
  const judge = (location: string) => {
    const db = connect(location, false, refuseForeign);
    const version = versionOf(db);
    db.close();
    return version;
  };
  const read = (location: string) => connect(location, false, refuseOthers);
  const withMemory = (db: Connection) => {
    // Room for the upper pages of the tables of a million skills: by default they are read again for every answer. With more,
    // more of the first answers are slow, since new memory takes longer than another page in its place.
    db.exec('PRAGMA cache_size = -8192');
    return db;
  };

  try {
    if (!readOnly) await create(file);
    const size = await sizeOf(file, readOnly);
    if (size === 0 && readOnly) throw noStore(file);
    // Without its log, a store that was left in the middle of a checkpoint looks damaged.
    const version =
      size > 0
        ? either(
            () => judge(immutable),
            [SQLITE.CORRUPT],
            () => judge(file),
          )
        : 0;
    if (!readOnly) {
      const skeleton = version > 0 && version < SCHEMA_VERSION ? await loadSkeleton() : undefined;
      return withMemory(connect(file, true, (db) => bringUpToDate(db, file, skeleton)));
    }
    // SQLite cannot make its side files in a directory that must not be written.
    return withMemory(
      either(
        () => read(file),
        [SQLITE.CANTOPEN, SQLITE.READONLY],
        () => read(immutable),
      ),
    );
  } catch (error) {
    throw storeError(error, file);
  }
}

/** Opens a file that {@link openToRead} has prepared. */
export function openToWrite(
  driver: Driver,
  { file, busyTimeoutMs }: Omit<FileOptions, 'readOnly'>,
): Connection {
  return connectWith(driver, { location: file, toWrite: true, busyTimeoutMs }, (db) => {
    refuseForeign(db, file);
    refuseOthers(db, file);
    // Domains come in no order: pages of the large indexes are written again and again. 16 MiB of memory, and a log of 32 MB
    // before they are copied into the file, save a quarter of the work.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000');
  });
}

function connectWith(
  { DatabaseSync }: Driver,
  { location, toWrite, busyTimeoutMs }: { location: string; toWrite: boolean; busyTimeoutMs: number },
  prepare: (db: Connection) => void,
): Connection {
  const db = new Connection(new DatabaseSync(location, { readOnly: !toWrite }));
  try {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
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

function refuseForeign(db: Connection, file: string): void {
  try {
    if (db.pragma('application_id') !== APPLICATION_ID) throw notOurs(file);
  } catch (error) {
    throw sqliteCode(error) === SQLITE.NOTADB ? notOurs(file) : error;
  }
}

function refuseOthers(db: Connection, file: string): void {
  const version = versionOf(db);
  refuseNewer(version, file);
  if (version === SCHEMA_VERSION) return;
  throw new SkillscoutError(
    'STORE_TOO_OLD',
    `${file} has version ${version}; to migrate it to ${SCHEMA_VERSION}, open it writable once`,
  );
}

function refuseNewer(version: number, file: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new SkillscoutError('STORE_TOO_NEW', `${file} has version ${version}; this is for ${SCHEMA_VERSION}`);
}

/** Without `skeleton` the file was new or up to date a moment ago: its version never falls. */
function bringUpToDate(db: Connection, file: string, skeleton: ((text: string) => string) | undefined): void {
  refuseNewer(versionOf(db), file);
  if (versionOf(db) === 0) {
    // Of an ordinary record of 2 KB, one fits into a page of the default size, and three into this one.
    db.exec('PRAGMA page_size = 8192');
  }
  if (versionOf(db) < SCHEMA_VERSION) {
    // In the journal mode of a new file, so that the file itself, not only its log, says whose it is from the start.
    db.transaction('IMMEDIATE', () => {
      const version = versionOf(db);
      refuseNewer(version, file);
      if (version === 0) createTables(db);
      else if (skeleton) MIGRATIONS[version - 1]?.(db, skeleton);
      else refuseOthers(db, file);
      db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
  }
  db.exec('PRAGMA journal_mode = WAL; PRAGMA query_only = ON');
}

function versionOf(db: Connection): number {
  return Number(db.pragma('user_version'));
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
