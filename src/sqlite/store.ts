import { resolve } from 'node:path';
import { SkillscoutError } from '../errors.ts';
import type { Collisions } from '../protocol/index.ts';
import type {
  ApplyResult,
  ChangePage,
  ChangeQuery,
  FoundSkill,
  ProviderPage,
  ProviderQuery,
  ProviderUpdate,
  SkillKey,
  Store,
  StorePage,
  StoreQuery,
} from '../registry/index.ts';
import type { CacheStore } from '../transport/index.ts';
import type { Connection } from './connection.ts';
import { storeError } from './errors.ts';
import { openToRead } from './file.ts';
import { find } from './find.ts';
import { foundSkills } from './found.ts';
import { listChanges, listProviders } from './lists.ts';
import { planOf } from './plan.ts';
import { Responses } from './responses.ts';
import { collisionsOf } from './rivals.ts';
import { MAX_RESPONSE_BYTES, type WriteRequest } from './writer.ts';
import { WriterPort } from './writer-port.ts';

export interface SqliteStoreOptions {
  /** Of the file. */
  path: string;
  /** Only to read: no skill is written. Where SQLite may, it still keeps its side files (`-wal`, `-shm`) beside the file. Default false. */
  readOnly?: boolean;
  /** How long to wait for another process that is writing, in milliseconds. Default 5000. */
  busyTimeoutMs?: number;
  /**
   * The most that kept answers may take, in bytes of their keys, headers and (compressed) bodies; beyond it the oldest go.
   * Default 2,147,483,648 (2 GiB). Besides, answers are kept no longer than old changes are.
   */
  maxResponseBytes?: number;
}

/** A store that keeps HTTP answers as well, so that a later process can ask whether they still hold. */
export interface SqliteStore extends Store {
  readonly responses: CacheStore;
}

/**
 * A store in one SQLite file, which several processes may have open at once. A new file is readable by its owner only, one
 * of an older version is brought up to date. All but the first writes into a new file are made in a thread of its own, several updates at a
 * time; what `apply` resolved for survives the end of the process at any moment, though a power failure can undo the latest
 * updates.
 *
 * Rejects with a SkillscoutError: `STORE_NOT_OURS` for a file that is something else (it is left as it is), `STORE_TOO_NEW`,
 * `STORE_TOO_OLD` (only with `readOnly`), `STORE_CORRUPT`, `STORE_NOT_FOUND` (a `readOnly` store that does not exist yet),
 * `STORE_READ_ONLY`, `STORE_BUSY`, `STORE_FULL`, `STORE_FAILED`; the store's methods do so as well. TypeError for an option that is wrong.
 * Error where this Node has no SQLite and the optional dependency is not installed.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const {
    path,
    readOnly = false,
    busyTimeoutMs = 5000,
    maxResponseBytes = MAX_RESPONSE_BYTES,
    ...others
  } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`${unknown}: there is no such option`);
  if (typeof path !== 'string' || path === '') throw new TypeError('path: expected a path');
  if (typeof readOnly !== 'boolean') throw new TypeError('readOnly: expected true or false');
  if (!Number.isInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new TypeError('busyTimeoutMs: expected an integer of at least 0');
  }
  if (!Number.isSafeInteger(maxResponseBytes) || maxResponseBytes < 0) {
    throw new TypeError('maxResponseBytes: expected an integer of at least 0');
  }
  const file = resolve(path);
  const reader = await openToRead({ file, readOnly, busyTimeoutMs });
  const writer = readOnly
    ? undefined
    : new WriterPort({ file, busyTimeoutMs, maxResponseBytes }, () => isEmpty(reader));
  return new FileStore(reader, file, writer);
}

/** What cannot be read is for the writer to report. */
function isEmpty(db: Connection): boolean {
  try {
    return db.get('SELECT 1 FROM providers UNION ALL SELECT 1 FROM responses LIMIT 1') === undefined;
  } catch {
    return false;
  }
}

class FileStore implements SqliteStore {
  readonly responses: CacheStore;
  readonly #reader: Connection;
  readonly #file: string;
  readonly #writer: WriterPort | undefined;
  #closed: Promise<void> | undefined;

  constructor(reader: Connection, file: string, writer: WriterPort | undefined) {
    this.#reader = reader;
    this.#file = file;
    this.#writer = writer;
    this.responses = new Responses({
      secret: this.#read((db) => db.get("SELECT value FROM meta WHERE name = 'secret'")?.value as Uint8Array),
      read: (key) => this.#read((db) => db.get('SELECT * FROM responses WHERE key = ?', key)),
      write: (request) => this.#write(request),
    });
  }

  async apply(update: ProviderUpdate, { dryRun = false } = {}): Promise<ApplyResult> {
    if (dryRun) return this.#readOneState((db) => planOf(db, update).result);
    return (await this.#write({ kind: 'apply', update })) as ApplyResult;
  }

  async find(query: StoreQuery): Promise<StorePage> {
    return this.#readOneState((db) => find(db, query));
  }

  async get({ domain, id }: SkillKey): Promise<FoundSkill | undefined> {
    return this.#readOneState((db) => {
      const row = db.get(
        'SELECT number FROM skills WHERE domain = ? AND id = ? AND gone_since IS NULL',
        domain,
        id,
      );
      const [skill] = row ? foundSkills(db, [row.number as number], true) : [];
      // SQLite takes a lone surrogate for U+FFFD.
      return skill?.entry.id === id ? skill : undefined;
    });
  }

  async changes(query: ChangeQuery): Promise<ChangePage> {
    return this.#read((db) => listChanges(db, query));
  }

  async providers(query: ProviderQuery): Promise<ProviderPage> {
    return this.#read((db) => listProviders(db, query));
  }

  async collisions(): Promise<Collisions> {
    return collisionsOf((work) => this.#readOneState(work));
  }

  revision(): number {
    return this.#read((db) => db.pragma('data_version') as number);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#writer?.close();
    this.#reader.close();
  }

  async #write(request: WriteRequest): Promise<ApplyResult | undefined> {
    this.#assertOpen();
    if (this.#writer === undefined) {
      throw new SkillscoutError('STORE_READ_ONLY', `${this.#file} was opened only to read`);
    }
    return this.#writer.send(request);
  }

  #readOneState<T>(work: (db: Connection) => T): T {
    return this.#read((db) => db.transaction('DEFERRED', () => work(db)));
  }

  #read<T>(work: (db: Connection) => T): T {
    this.#assertOpen();
    try {
      return work(this.#reader);
    } catch (error) {
      throw storeError(error, this.#file);
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new SkillscoutError('CLIENT_CLOSED', 'The store was closed.');
  }
}
