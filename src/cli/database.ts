import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSkillscoutError, type Store } from '../index.ts';
import type { DatabaseFlag } from './options.ts';
import type { Shell } from './shell.ts';
import { UsageError } from './usage-error.ts';

/** The database that `--db` names, created where there is none; by default the one in the user's data folder. */
export async function openDatabase({ db }: DatabaseFlag): Promise<{ store: Store; path: string }> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    if (db === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return { store: await openSqlite(path, false), path };
  });
}

/** The same to read from; undefined, with a note, where nothing was ever stored in the default one. */
export async function openToRead({ db }: DatabaseFlag, shell: Shell): Promise<Store | undefined> {
  const path = db ?? (await defaultPath());
  return orUsageError(async () => {
    try {
      return await openSqlite(path, true);
    } catch (error) {
      if (db !== undefined || !isMissing(error)) throw error;
      shell.note(`nothing is stored yet (${path}): skillscout crawl DOMAIN looks at a domain`);
      return undefined;
    }
  });
}

async function openSqlite(path: string, readOnly: boolean): Promise<Store> {
  const { openSqliteStore } = await import('../registry/sqlite-store.ts');
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

function isMissing(error: unknown): boolean {
  return isSkillscoutError(error) && error.code === 'STORE_NOT_FOUND';
}

async function defaultPath(): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  return join(envPaths('skillscout', { suffix: '' }).data, 'skills.sqlite');
}
