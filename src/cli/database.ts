import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Client, createClient, type ErrorCode, isSkillscoutError } from '../index.ts';
import type { SqliteStore } from '../sqlite/index.ts';
import type { DatabaseFlag } from './options.ts';
import type { Shell } from './shell.ts';
import { UsageError } from './usage-error.ts';

/** The database that `--db` names, created where there is none; by default the one in the user's data folder. */
export async function openDatabase({ db }: DatabaseFlag): Promise<{ store: SqliteStore; path: string }> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    if (db === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return { store: await openSqlite(path, false), path };
  });
}

/** The same to read from, left as it is; undefined where there is none. */
export async function openUntouched({ db }: DatabaseFlag): Promise<SqliteStore | undefined> {
  const path = db ?? (await defaultPath());
  return orUsageError(() => openSqlite(path, true).catch(unless('STORE_NOT_FOUND')));
}

/**
 * The same where there is one, brought up to date if it is of an older version; undefined, with a note, where nothing was
 * ever stored in the default one.
 */
export async function openExisting(
  { db }: DatabaseFlag,
  { readOnly }: { readOnly: boolean },
  shell: Shell,
): Promise<{ store: SqliteStore; path: string } | undefined> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    try {
      const current = await openSqlite(path, true).catch(unless('STORE_TOO_OLD'));
      if (current && readOnly) return { store: current, path };
      await current?.close();
    } catch (error) {
      if (db !== undefined || !hasCode(error, 'STORE_NOT_FOUND')) throw error;
      shell.note(`nothing is stored yet (${path}): skillscout crawl DOMAIN looks at a domain`);
      return undefined;
    }
    const store = await openSqlite(path, false);
    if (!readOnly) return { store, path };
    await store.close();
    return { store: await openSqlite(path, true), path };
  });
}

/**
 * Runs `work` with a client of what is stored. Without a database the client has an empty one and `isThere` is false: a
 * question that is wrong is still told.
 */
export async function askDatabase<T>(
  flags: DatabaseFlag,
  shell: Shell,
  work: (client: Client, isThere: boolean) => Promise<T>,
): Promise<T> {
  const store = (await openExisting(flags, { readOnly: true }, shell))?.store;
  const client = createClient(store && { store });
  try {
    return await work(client, store !== undefined);
  } finally {
    await client.close();
    await store?.close();
  }
}

async function openSqlite(path: string, readOnly: boolean): Promise<SqliteStore> {
  const { openSqliteStore } = await import('../sqlite/index.ts');
  return openSqliteStore({ path, readOnly });
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
