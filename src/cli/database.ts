import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createMemoryStore, type ErrorCode, isSkillscoutError } from '../index.ts';
import { createRegistry, type Registry } from '../registry/index.ts';
import { openSqliteStore, type SqliteStore } from '../sqlite/index.ts';
import type { DatabaseFlag } from './options.ts';
import type { Shell } from './shell.ts';
import { UsageError } from './usage-error.ts';

interface Database {
  store: SqliteStore;
  path: string;
}

/** Without `store` where there is none. */
type PerhapsDatabase = Partial<Database> & Pick<Database, 'path'>;

/** The database that `--db` names, created where there is none; by default the one in the user's data folder. */
export async function openDatabase({ db }: DatabaseFlag): Promise<Database> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    if (db === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return { store: await openSqliteStore({ path, readOnly: false }), path };
  });
}

/** The same to read from, left as it is. */
export async function openUntouched({ db }: DatabaseFlag): Promise<PerhapsDatabase> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    const store = await openSqliteStore({ path, readOnly: true }).catch(unless('STORE_NOT_FOUND'));
    return { path, ...(store && { store }) };
  });
}

/** The same, brought up to date if it is of an older version. A file that `--db` names has to be there. */
export async function openExisting(
  { db }: DatabaseFlag,
  { readOnly }: { readOnly: boolean },
): Promise<PerhapsDatabase> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    try {
      const current = await openSqliteStore({ path, readOnly: true }).catch(unless('STORE_TOO_OLD'));
      if (current && readOnly) return { store: current, path };
      await current?.close();
    } catch (error) {
      if (db === undefined && hasCode(error, 'STORE_NOT_FOUND')) return { path };
      throw error;
    }
    const store = await openSqliteStore({ path, readOnly: false });
    if (!readOnly) return { store, path };
    await store.close();
    return { store: await openSqliteStore({ path, readOnly: true }), path };
  });
}

export const nothingStored = (path: string): string =>
  `nothing is stored yet (${path}): skillscout crawl DOMAIN looks at a domain`;

/**
 * Runs `work` on what is stored: a client would load all that crawls and invokes. Without a database it runs on an empty registry, so
 * that a question that is wrong is still told, and a note says so.
 */
export async function askDatabase<T>(
  flags: DatabaseFlag,
  shell: Shell,
  work: (
    registry: Pick<Registry, 'find' | 'get' | 'changes' | 'status'>,
    store: SqliteStore | undefined,
  ) => Promise<T>,
): Promise<T> {
  const { store, path } = await openExisting(flags, { readOnly: true });
  try {
    const result = await work(createRegistry({ store: store ?? createMemoryStore() }), store);
    if (!store) shell.note(nothingStored(path));
    return result;
  } finally {
    await store?.close();
  }
}

/** What the store says of its file names it. */
async function orUsageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

const hasCode = (error: unknown, code: ErrorCode) => isSkillscoutError(error) && error.code === code;

const unless = (code: ErrorCode) => (error: unknown) => {
  if (!hasCode(error, code)) throw error;
  return undefined;
};

async function defaultPath(): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  return join(envPaths('skillscout', { suffix: '' }).data, 'skills.sqlite');
}
