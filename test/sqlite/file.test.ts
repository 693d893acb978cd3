import {
  chmod,
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredSkill, StoreQuery } from '../../src/registry/index.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { storeError } from '../../src/sqlite/errors.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/sqlite/index.ts';
import { foundSkill, storedSkill, updateOf } from '../support/stored-skill.ts';

const { DatabaseSync } = await loadDriver();
const everything: StoreQuery = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: true,
  limit: 1_000,
  total: true,
  facets: false,
};
const skill = storedSkill({ tags: ['a'] });
const found = foundSkill(skill);
let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skillscout-file-'));
  path = join(directory, 'skills.db');
});
afterEach(() => rm(directory, { recursive: true }));

async function createStore(): Promise<void> {
  const store = await openSqliteStore({ path });
  await store.apply(updateOf([skill]));
  await store.close();
}

function execute(sql: string): void {
  const db = new DatabaseSync(path, { readOnly: false });
  db.exec(sql);
  db.close();
}

const opening = (options: Partial<SqliteStoreOptions> = {}) => openSqliteStore({ path, ...options });

describe('openSqliteStore', () => {
  it('finds again what was stored before', async () => {
    await createStore();
    const store = await opening();
    expect((await store.find(everything)).skills).toEqual([found]);
    await store.close();
  });

  it('leaves everything in one file, readable by its owner only', async () => {
    await createStore();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const copy = join(directory, 'copy.db');
    await copyFile(path, copy);
    const store = await opening({ path: copy });
    expect((await store.find(everything)).skills).toEqual([found]);
    await store.close();
  });

  it('fills an empty file', async () => {
    await writeFile(path, '');
    await createStore();
    expect((await stat(path)).size).toBeGreaterThan(0);
  });

  it.each(['a?b#c%20d&mode=ro.db', "it's.db", 'файл 翻译.db', ':memory:', 'file:x'])(
    'takes the name %s',
    async (name) => {
      path = join(directory, name);
      await createStore();
      await createStore();
      for (const entry of await readdir(directory)) expect(entry.startsWith(name)).toBe(true);
      expect((await stat(path)).size).toBeGreaterThan(0);
    },
  );

  it.each<[string, Partial<SqliteStoreOptions>]>([
    ['path', { path: '' }],
    ['path', { path: 7 as unknown as string }],
    ['busyTimeoutMs', { busyTimeoutMs: -1 }],
    ['busyTimeoutMs', { busyTimeoutMs: 0.5 }],
    ['readOnly', { readOnly: 'yes' as unknown as boolean }],
    ['readonly', { readonly: true } as Partial<SqliteStoreOptions>],
  ])('names %s as what is wrong', async (option, options) => {
    await expect(opening(options)).rejects.toThrow(TypeError);
    await expect(opening(options)).rejects.toThrow(new RegExp(`^${option}: `));
  });
});

describe('a store that was left in the middle of a checkpoint', () => {
  it('is complete with its log', async () => {
    const store = await opening();
    const skills = Array.from({ length: 100 }, (_, i) => storedSkill({ id: `${i}` })) as [StoredSkill];
    await store.apply(updateOf(skills));
    const copy = join(directory, 'copy.db');
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`);
    await store.close();
    const file = await open(copy, 'r+');
    // The number of pages: more than have arrived.
    await file.write(Buffer.from([0, 0, 1, 0]), 0, 4, 28);
    await file.close();

    for (const readOnly of [true, false]) {
      const left = await opening({ path: copy, readOnly });
      expect((await left.find(everything)).total).toBe(100);
      await left.close();
    }
  });
});

describe('a file that is not ours', () => {
  const foreign: [string, () => Promise<void>][] = [
    ['a text', () => writeFile(path, 'name,version\n'.repeat(1_000))],
    ['a short text', () => writeFile(path, 'x')],
    ['zeros', () => writeFile(path, Buffer.alloc(8_192))],
    [
      'binary data',
      () => writeFile(path, Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * i * 31) % 251))),
    ],
    ['the beginning of a database', () => writeFile(path, 'SQLite format 3\0')],
    ['a database', async () => execute('CREATE TABLE t (a); INSERT INTO t VALUES (1)')],
    ['a database with a log', async () => execute('PRAGMA journal_mode = WAL; CREATE TABLE t (a)')],
    ['a database of another program', async () => execute('PRAGMA application_id = 1; CREATE TABLE t (a)')],
    ['a database with our names', async () => execute('CREATE TABLE skills (a); PRAGMA user_version = 1')],
  ];

  it.each(foreign)('stays as it is: %s', async (_, create) => {
    await create();
    const before = await readFile(path);
    const names = await readdir(directory);
    for (const readOnly of [true, false]) {
      await expect(opening({ readOnly })).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
    }
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(directory)).toEqual(names);
  });

  it('may be a directory', async () => {
    await expect(opening({ path: directory })).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
  });

  it('may be in use by its own program', async () => {
    const db = new DatabaseSync(path, { readOnly: false });
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
    await expect(opening()).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
    db.exec('COMMIT');
    expect(db.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
    db.close();
  });
});

describe('a file that cannot be used', () => {
  it('was written by a newer version', async () => {
    await createStore();
    execute('PRAGMA user_version = 7');
    const before = await readFile(path);
    for (const readOnly of [true, false]) {
      await expect(opening({ readOnly })).rejects.toMatchObject({ code: 'STORE_TOO_NEW' });
    }
    expect(await readFile(path)).toEqual(before);
  });

  it('has lost its tables', async () => {
    await createStore();
    execute('DROP TABLE documents');
    const store = await opening();
    await expect(store.find(everything)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    await store.close();
  });

  it('has a record that is no JSON', async () => {
    await createStore();
    execute("UPDATE documents SET entry = '{'");
    const store = await opening();
    await expect(store.get(skill.entry)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    await store.close();
  });

  it('is damaged in the middle', async () => {
    await createStore();
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    await file.write(Buffer.alloc(size - 4_096, 0xa5), 0, size - 4_096, 4_096);
    await file.close();
    const use = async () => {
      const store = await opening();
      await store.find(everything).finally(() => store.close());
    };
    await expect(use()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('was cut off', async () => {
    await createStore();
    await truncate(path, 4_096);
    const use = async () => {
      const store = await opening();
      await store.find(everything).finally(() => store.close());
    };
    await expect(use()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('lies in a directory that does not exist', async () => {
    await expect(opening({ path: join(directory, 'none', 'skills.db') })).rejects.toMatchObject({
      code: 'STORE_READ_ONLY',
      cause: { code: 'ENOENT' },
    });
  });

  it('lies below a file', async () => {
    await writeFile(path, '');
    await expect(opening({ path: join(path, 'skills.db') })).rejects.toMatchObject({
      code: 'STORE_READ_ONLY',
    });
  });

  it('may not be written', async () => {
    await createStore();
    await chmod(dirname(path), 0o755);
    await chmod(path, 0o444);
    // Root may write everything.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(opening()).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it.each([
    [{ errcode: 5 }, 'STORE_BUSY'],
    [{ errcode: 261 }, 'STORE_BUSY'],
    [{ errcode: 6 }, 'STORE_BUSY'],
    [{ errcode: 8 }, 'STORE_READ_ONLY'],
    [{ errcode: 1032 }, 'STORE_READ_ONLY'],
    [{ errcode: 11 }, 'STORE_CORRUPT'],
    [{ errcode: 13 }, 'STORE_FULL'],
    [{ errcode: 14 }, 'STORE_READ_ONLY'],
    [{ errcode: 26 }, 'STORE_CORRUPT'],
    [{ errcode: 522 }, 'STORE_CORRUPT'],
    [{ errcode: 778 }, 'STORE_FAILED'],
    [{ code: 'ERR_SQLITE_ERROR' }, 'STORE_CORRUPT'],
    [{ code: 'ENOSPC' }, 'STORE_FULL'],
    [{ code: 'EACCES' }, 'STORE_READ_ONLY'],
    [{ code: 'EROFS' }, 'STORE_READ_ONLY'],
  ])('gives %j the code %s', (members, code) => {
    const cause = Object.assign(new Error('reason'), members);
    expect(storeError(cause, '/skills.db')).toMatchObject({ code, message: '/skills.db: reason', cause });
  });

  it('leaves errors that are not of the store as they are', () => {
    for (const error of [new TypeError('mine'), Object.assign(new Error('?'), { errcode: 21 }), 'text']) {
      expect(storeError(error, '/skills.db')).toBe(error);
    }
  });
});

describe('two users of one file', () => {
  it('see what the other wrote', async () => {
    const [one, two] = await Promise.all([opening(), opening()]);
    await one.apply(updateOf([skill]));
    expect(await two.get(skill.entry)).toEqual(found);
    await two.apply(updateOf([storedSkill({ domain: 'b.example' })]));
    expect((await one.find(everything)).total).toBe(2);
    await one.close();
    expect((await two.find(everything)).total).toBe(2);
    await two.close();
  });
});

describe('a read-only store', () => {
  it('reads a file that is being written, and writes nothing itself', async () => {
    const writer = await opening();
    await writer.apply(updateOf([skill]));
    const reader = await opening({ readOnly: true });
    expect((await reader.find(everything)).skills).toEqual([found]);
    await writer.apply(updateOf([storedSkill({ domain: 'b.example' })]));
    expect((await reader.find(everything)).total).toBe(2);
    await expect(reader.apply(updateOf([skill]))).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
    await reader.close();
    await writer.close();
  });

  it('says so where there is none yet, and creates none', async () => {
    const missing = { code: 'STORE_NOT_FOUND' };
    await expect(opening({ readOnly: true })).rejects.toMatchObject(missing);
    expect(await readdir(directory)).toEqual([]);
    await writeFile(path, '');
    await expect(opening({ readOnly: true })).rejects.toMatchObject(missing);
    expect((await stat(path)).size).toBe(0);
  });
});
