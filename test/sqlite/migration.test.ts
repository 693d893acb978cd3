import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  recordToStored,
  type StoredSkill,
  type StoreQuery,
  skillTokens,
  skillWords,
  versionKey,
} from '../../src/registry/index.ts';
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

const VERSION_2 = `
  CREATE TABLE skills (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    domain TEXT NOT NULL,
    id TEXT NOT NULL,
    capability_type TEXT NOT NULL,
    access TEXT NOT NULL,
    auth_type TEXT NOT NULL,
    version_key TEXT NOT NULL,
    protocol_key TEXT NOT NULL,
    view TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    fresh_until REAL NOT NULL,
    unreachable_since REAL,
    gone_since REAL
  ) STRICT;
  CREATE UNIQUE INDEX skills_by_domain ON skills (domain, id);
  CREATE INDEX skills_by_freshness ON skills (fresh_until) WHERE gone_since IS NULL;
  CREATE INDEX skills_by_version ON skills (version_key) WHERE gone_since IS NULL;
  CREATE INDEX skills_by_protocol ON skills (protocol_key) WHERE gone_since IS NULL;

  CREATE TABLE documents (number INTEGER PRIMARY KEY, entry TEXT NOT NULL, descriptor TEXT NOT NULL) STRICT;

  CREATE VIRTUAL TABLE words USING fts5 (
    word, tokenize = "ascii tokenchars '%;'", detail = none, prefix = '2 3 4 5 6', content = '', contentless_delete = 1
  );
  CREATE TABLE terms (term TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  CREATE TABLE providers (
    domain TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    code TEXT,
    message TEXT,
    looked_at REAL NOT NULL,
    good_at REAL,
    unreachable_since REAL,
    due_at REAL NOT NULL,
    successes INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    failures_in_row INTEGER NOT NULL,
    skills INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX providers_by_due ON providers (due_at, domain);

  CREATE TABLE changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    domain TEXT NOT NULL,
    id TEXT NOT NULL,
    is_private INTEGER NOT NULL,
    members TEXT
  ) STRICT;
  CREATE INDEX changes_by_time ON changes (at, number);

  CREATE TABLE responses (
    key TEXT PRIMARY KEY,
    entry TEXT NOT NULL,
    body BLOB NOT NULL,
    is_deflated INTEGER NOT NULL,
    fetched_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX responses_by_age ON responses (fetched_at);

  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('secret', randomblob(32));

  PRAGMA application_id = ${0x534b5343};
  PRAGMA user_version = 2;
  PRAGMA journal_mode = WAL;
`;

/** As version 2, with what ids and names look like. */
const VERSION_3 = `
  ${VERSION_2}
  ALTER TABLE skills ADD COLUMN id_key TEXT NOT NULL DEFAULT '';
  ALTER TABLE skills ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
  ALTER TABLE skills ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE skills ADD COLUMN is_flagged INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX skills_by_id_key ON skills (id_key, domain, id) WHERE gone_since IS NULL AND access <> 'private';
  CREATE INDEX skills_by_name_key ON skills (name_key, name, domain, id) WHERE gone_since IS NULL AND access <> 'private';
  CREATE INDEX skills_by_look ON skills (name_key, domain, name) WHERE gone_since IS NULL AND access <> 'private';
  CREATE INDEX changes_by_domain ON changes (domain, at, number);
  INSERT INTO responses VALUES ('https://a.example/', '{}', x'7b7d', 0, 5);
  PRAGMA user_version = 3;
`;

/** Takes away what version 6 has added to version 5, in the file itself. */
const UNDO_6 = `
  DROP INDEX skills_flagged;
  ${['fresh_until', 'version_key', 'protocol_key']
    .map((column, i) => {
      const index = ['skills_by_freshness', 'skills_by_version', 'skills_by_protocol'][i];
      return `DROP INDEX ${index}; CREATE INDEX ${index} ON skills (${column}) WHERE gone_since IS NULL;`;
    })
    .join('\n')}
  PRAGMA user_version = 5;
  PRAGMA wal_checkpoint(TRUNCATE);
`;

/** Takes away what version 5 has added to version 4, in the file itself. */
const UNDO_5 = `
  ${UNDO_6}
  DROP TABLE shared_id_keys;
  DROP TABLE shared_name_keys;
  DROP INDEX private_by_id_key;
  DROP INDEX private_by_name_key;
  DROP INDEX skills_by_kind;
  PRAGMA user_version = 4;
  PRAGMA wal_checkpoint(TRUNCATE);
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
  beforeEach(() => {
    const db = new DatabaseSync(path, { readOnly: false });
    db.exec(VERSION_1);
    for (const skill of skills) insert(db, skill);
    db.close();
  });

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

describe('a file of version 2', () => {
  const old = [
    ...skills,
    storedSkill({ domain: 'c.example', id: 'TRANSLATE', name: 'Rnath' }),
    storedSkill({ domain: 'd.example', id: 'other', name: 'ｍａth', tags: ['only'] }),
    storedSkill({ domain: 'd.example', id: 'lone', name: 'a\ud800' }),
  ] as const;

  beforeEach(() => {
    const db = new DatabaseSync(path, { readOnly: false });
    db.exec(VERSION_2);
    for (const skill of old) insertInto2(db, skill);
    db.exec(
      "INSERT INTO skills SELECT 99, domain, 'gone', capability_type, access, auth_type, version_key, protocol_key, view, content_hash, fetched_at, fresh_until, NULL, 5 FROM skills WHERE number = 1",
    );
    db.close();
  });

  it('keeps all skills, and knows what they can be mistaken for', async () => {
    const store = await openSqliteStore({ path });
    expect((await store.find(everything)).total).toBe(old.length);
    for (const skill of old) expect(await store.get(skill.entry)).toMatchObject(foundSkill(skill));
    expect(await store.collisions()).toEqual({
      total: 1,
      first: [{ id: 'translate', domains: ['a.example', 'b.example', 'c.example'] }],
    });
    expect((await store.get(old[4].entry))?.rivals).toEqual({
      byId: [],
      byName: [{ domain: 'c.example', id: 'TRANSLATE', name: 'Rnath' }],
    });
    expect((await store.find({ ...everything, words: ['translate'], tags: ['text'] })).total).toBe(1);
    await store.close();
  });

  it('trusts no skill until it is confirmed', async () => {
    const store = await openSqliteStore({ path });
    const trusted = { ...everything, trusted: true };
    expect((await store.find(trusted)).total).toBe(0);
    const { tags, entry, descriptor } = old[5];
    const again = await recordToStored({
      ...entry,
      descriptor: JSON.parse(descriptor),
      contentHash: old[5].contentHash,
      fetchedAt: 1_500,
    });
    expect(await store.apply({ ...updateOf([{ ...again, tags }]), listed: ['lone', 'other'] })).toMatchObject(
      {
        changes: [{ kind: 'unreachable', id: 'other' }],
      },
    );
    expect((await store.find(trusted)).skills.map((skill) => skill.entry.id)).toEqual(['lone']);
    await store.close();
  });

  it('lets a skill come back that was gone', async () => {
    const store = await openSqliteStore({ path });
    const gone = storedSkill({ id: 'gone', fetchedAt: 1_500 });
    const { changes } = await store.apply(updateOf([gone]));
    expect(changes).toContainEqual({
      at: 1_500,
      kind: 'back',
      domain: 'a.example',
      id: 'gone',
      isPrivate: false,
    });
    expect(await store.get(gone.entry)).toMatchObject(foundSkill(gone));
    await store.close();
  });

  it('stays as it is when a record in it is damaged', async () => {
    const db = new DatabaseSync(path, { readOnly: false });
    db.exec("UPDATE documents SET entry = '{' WHERE number = 3");
    db.close();
    const before = await readFile(path);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect(await readFile(path)).toEqual(before);
  });
});

describe('a file of version 3', () => {
  beforeEach(() => {
    const db = new DatabaseSync(path, { readOnly: false });
    db.exec(VERSION_3);
    for (const skill of skills) {
      insertInto2(db, skill);
      const { id, name, domain } = skill.entry;
      db.prepare(
        'UPDATE skills SET id_key = ?, name_key = ?, name = ?, is_flagged = 0 WHERE id = ? AND domain = ?',
      ).run(skill.idKey, skill.nameKey, JSON.stringify(name), id, domain);
      for (const word of skillWords(skill).keys()) {
        db.prepare('INSERT OR IGNORE INTO terms VALUES (?)').run(word);
      }
    }
    db.close();
  });

  it('keeps all skills, found by everything that finds them', async () => {
    const store = await openSqliteStore({ path });
    for (const skill of skills) expect(await store.get(skill.entry)).toMatchObject(foundSkill(skill));
    const total = async (query: Partial<StoreQuery>) => (await store.find({ ...everything, ...query })).total;
    expect(await total({})).toBe(3);
    expect(await total({ words: ['transl'] })).toBe(2);
    expect(await total({ words: ['skill'], access: ['private'] })).toBe(1);
    expect(await total({ words: ['transl'], authTypes: ['oauth2'] })).toBe(1);
    expect(await total({ tags: ['text'], includePrivate: false })).toBe(1);
    expect(await total({ domains: ['b.example'] })).toBe(1);
    expect(await total({ trusted: true })).toBe(1);
    const again = storedSkill({ domain: 'b.example', id: 'translate', name: 'Other', fetchedAt: 1_500 });
    await store.apply(updateOf([again]));
    expect(await total({ words: ['transl'], domains: ['b.example'] })).toBe(1);
    expect(await total({ words: ['other'] })).toBe(1);
    await store.close();
  });

  it('keeps its responses, and counts what they take', async () => {
    const store = await openSqliteStore({ path, maxResponseBytes: 10_000 });
    expect(await store.responses.get('https://a.example/')).toEqual({ text: '{}' });
    await store.close();
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('SELECT total FROM response_bytes').get()).toMatchObject({ total: 18 + 2 + 2 });
    db.close();
  });
});

describe.each([
  [4, UNDO_5],
  [5, UNDO_6],
])('a file of version %i', (_, undo) => {
  const old = [
    ...skills,
    storedSkill({ domain: 'c.example', id: 'x', name: 'Rnath', access: 'private', view: 'acme' }),
    storedSkill({ domain: 'd.example', id: 'y', name: 'rnath' }),
  ] as const;

  it('keeps all skills, and knows what they can be mistaken for', async () => {
    const before = await openSqliteStore({ path });
    for (const skill of old) {
      await before.apply({ ...updateOf([skill]), listed: old.map(({ entry }) => entry.id) });
    }
    const page = await before.find(everything);
    expect(page.skills.filter(({ rivals }) => rivals)).toHaveLength(3);
    await before.close();
    const db = new DatabaseSync(path, { readOnly: false });
    const indexes = () =>
      db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name").all();
    const current = indexes();
    db.exec(undo);
    expect(indexes()).not.toEqual(current);

    const store = await openSqliteStore({ path });
    expect(await store.find(everything)).toEqual(page);
    expect(indexes()).toEqual(current);
    db.close();
    await store.close();
  });
});

/** As version 2 did. */
function insertInto2(db: InstanceType<typeof DatabaseSync>, skill: StoredSkill) {
  const { entry, descriptor, authType, tags, protocolVersion, contentHash } = skill;
  const { domain, id, capability_type, access, view, fetchedAt, freshUntil } = entry;
  const { name, description, descriptor_url, version, warnings, descriptorUrl } = entry;
  const keys = [capability_type, access, authType, versionKey(version), versionKey(protocolVersion)];
  const { lastInsertRowid } = db
    .prepare(`INSERT INTO skills (domain, id, capability_type, access, auth_type, version_key, protocol_key, view, content_hash,
       fetched_at, fresh_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(domain, id, ...keys, view, contentHash, fetchedAt, freshUntil);
  const number = Number(lastInsertRowid);
  const members = { name, description, descriptor_url, version, warnings, descriptorUrl };
  const document = JSON.stringify({ ...members, tags, protocolVersion });
  db.prepare('INSERT INTO documents VALUES (?, ?, ?)').run(number, document, descriptor);
  const words = skillTokens({ ...skill, isFlagged: true });
  db.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)').run(number, words.join(' '));
}
