import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredSkill, StoreQuery } from '../../src/registry/index.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { foundSkill, storedSkill, updateOf } from '../support/stored-skill.ts';

const VERSION_1 = `
  CREATE TABLE skills (
    number INTEGER PRIMARY KEY, domain TEXT NOT NULL, id TEXT NOT NULL, capability_type TEXT NOT NULL, access TEXT NOT NULL,
    auth_type TEXT NOT NULL, view TEXT NOT NULL, fetched_at REAL NOT NULL, fresh_until REAL NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX skills_by_key ON skills (domain, id);
  CREATE INDEX skills_by_type ON skills (capability_type, domain, id);
  CREATE TABLE documents (number INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;
  CREATE TABLE tags (tag TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (tag, number)) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_number ON tags (number);
  CREATE VIRTUAL TABLE words USING fts5 (
    word, tokenize = 'ascii', detail = none, prefix = '1 2 3', content = '', contentless_delete = 1
  );
  PRAGMA application_id = ${0x534b5343};
  PRAGMA user_version = 1;
  PRAGMA journal_mode = WAL;
`;

const { DatabaseSync } = await loadDriver();
const skills = [
  storedSkill({
    id: 'translate',
    name: 'Translate',
    tags: ['text', 'a'.repeat(257)],
    auth: { type: 'oauth2' },
  }),
  storedSkill({ id: 'secret', access: 'private', view: 'acme', freshUntil: 3_000, tags: ['text'] }),
  storedSkill({
    domain: 'b.example',
    id: 'translate',
    version: '2.0.0',
    warnings: [{ code: 'X', message: '翻译' }],
  }),
] as const;
const everything: StoreQuery = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: true,
  limit: 10,
  total: true,
  facets: false,
};
let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skillscout-migration-'));
  path = join(directory, 'skills.db');
  const db = new DatabaseSync(path, { readOnly: false });
  db.exec(VERSION_1);
  for (const skill of skills) insert(db, skill);
  db.close();
});
afterEach(() => rm(directory, { recursive: true }));

function insert(db: InstanceType<typeof DatabaseSync>, { entry, descriptor, authType, tags }: StoredSkill) {
  const { domain, id, capability_type, access, view, fetchedAt, freshUntil } = entry;
  const { lastInsertRowid } = db
    .prepare('INSERT INTO skills VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(domain, id, capability_type, access, authType, view, fetchedAt, freshUntil);
  const number = Number(lastInsertRowid);
  // The column is what holds, since it changes without the document.
  const document = JSON.stringify({ ...entry, freshUntil: 9_999, descriptor: JSON.parse(descriptor) });
  db.prepare('INSERT INTO documents VALUES (?, ?)').run(number, document);
  for (const tag of tags) db.prepare('INSERT INTO tags VALUES (?, ?)').run(JSON.stringify(tag), number);
  db.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)').run(number, entry.name);
}

describe('a file of version 1', () => {
  it('keeps all skills, found by everything that finds them', async () => {
    const store = await openSqliteStore({ path });
    const page = await store.find(everything);
    expect(page.total).toBe(3);
    expect(page.skills).toEqual(
      expect.arrayContaining(skills.map((skill) => expect.objectContaining(foundSkill(skill)))),
    );
    for (const skill of skills) expect(await store.get(skill.entry)).toMatchObject(foundSkill(skill));
    const total = async (query: Partial<StoreQuery>) => (await store.find({ ...everything, ...query })).total;
    expect(await total({ words: ['transl'] })).toBe(2);
    expect(await total({ tags: ['text'] })).toBe(2);
    expect(await total({ authTypes: ['oauth2'] })).toBe(1);
    expect(await total({ includePrivate: false })).toBe(2);
    await store.close();
  });

  it('knows its providers by the look that gave their skills', async () => {
    const store = await openSqliteStore({ path });
    const known = { status: 'ok', lookedAt: 1_000, goodAt: 1_000, dueAt: 2_000, failures: 0 };
    expect((await store.providers({ order: 'domain', limit: 10 })).providers).toMatchObject([
      { domain: 'a.example', skills: 2, ...known },
      { domain: 'b.example', skills: 1, ...known },
    ]);
    expect(await store.changes({ includePrivate: true, limit: 10 })).toEqual({ changes: [] });
    await store.close();
  });

  it('takes the same content for no change', async () => {
    const store = await openSqliteStore({ path });
    const again = storedSkill({
      ...skills[2].entry,
      fetchedAt: 1_500,
      freshUntil: 2_500,
    });
    expect(await store.apply(updateOf([again]))).toMatchObject({ stored: 1, changes: [] });
    await store.close();
  });

  it('is migrated once', async () => {
    await (await openSqliteStore({ path })).close();
    const before = await readFile(path);
    await (await openSqliteStore({ path })).close();
    expect(await readFile(path)).toEqual(before);
    const store = await openSqliteStore({ path, readOnly: true });
    expect((await store.find(everything)).total).toBe(3);
    await store.close();
  });

  it('stays as it is when it is only to be read', async () => {
    const before = await readFile(path);
    await expect(openSqliteStore({ path, readOnly: true })).rejects.toMatchObject({ code: 'STORE_TOO_OLD' });
    expect(await readFile(path)).toEqual(before);
  });

  it('stays as it is when a record in it is damaged', async () => {
    const db = new DatabaseSync(path, { readOnly: false });
    db.exec("UPDATE documents SET document = '{' WHERE number = 3");
    db.close();
    const before = await readFile(path);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect(await readFile(path)).toEqual(before);
  });
});
