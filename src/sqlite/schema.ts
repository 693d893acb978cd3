import { CLASSES, columnOf } from './classes.ts';
import type { Connection } from './connection.ts';

/** To be raised with every change of the tables, together with a new migration; kept as `user_version`. */
export const SCHEMA_VERSION = 6;

/** `SKSC`, at offset 68 of the file. */
export const APPLICATION_ID = 0x534b5343;

/** Of what can be a rival. They hold all that is asked of rivals, so that no row is read. */
export const RIVAL_INDEXES = `
  CREATE INDEX skills_by_id_key ON skills (id_key, domain, id) WHERE gone_since IS NULL AND access <> 'private';
  CREATE INDEX skills_by_name_key ON skills (name_key, name, domain, id)
    WHERE gone_since IS NULL AND access <> 'private';
  CREATE INDEX skills_by_look ON skills (name_key, domain, name) WHERE gone_since IS NULL AND access <> 'private';
`;

/** Of few lists in the order of numbers, for questions that name no way of authentication. */
export const KINDS =
  'CREATE INDEX skills_by_kind ON skills (capability_type, access) WHERE gone_since IS NULL;';

/** Of what is asked besides class and words. They hold the class, so that skills are counted without reading their rows. */
export const CONDITIONS = `
  CREATE INDEX skills_by_freshness ON skills (fresh_until, capability_type, access, auth_type)
    WHERE gone_since IS NULL;
  CREATE INDEX skills_by_version ON skills (version_key, capability_type, access, auth_type)
    WHERE gone_since IS NULL;
  CREATE INDEX skills_by_protocol ON skills (protocol_key, capability_type, access, auth_type)
    WHERE gone_since IS NULL;
  CREATE INDEX skills_flagged ON skills (number) WHERE gone_since IS NULL AND is_flagged;
`;

/** Hardly any key is shared: what has none of these needs no look at the indexes of keys. */
export const SHARED_KEYS = `
  CREATE INDEX private_by_id_key ON skills (id_key) WHERE gone_since IS NULL AND access = 'private';
  CREATE INDEX private_by_name_key ON skills (name_key) WHERE gone_since IS NULL AND access = 'private';
  CREATE TABLE shared_id_keys (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE shared_name_keys (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** Beginnings of up to five characters have an index of their own, with the place. */
export const WORDS = `
  CREATE INDEX skills_by_class ON skills (capability_type, access, auth_type) WHERE gone_since IS NULL;
  CREATE VIRTUAL TABLE words USING fts5 (
    ${CLASSES.map(columnOf).join(', ')},
    tokenize = "ascii tokenchars '%;'", detail = column, prefix = '2 3 4 5 6', content = '', contentless_delete = 1
  );
`;

/** What is kept of the answers of servers, and how much that is. */
export const RESPONSES = `
  CREATE TABLE responses (
    key TEXT PRIMARY KEY,
    entry TEXT NOT NULL,
    body BLOB NOT NULL,
    is_deflated INTEGER NOT NULL,
    fetched_at REAL NOT NULL,
    bytes INTEGER NOT NULL GENERATED ALWAYS AS (octet_length(key) + octet_length(entry) + octet_length(body)) VIRTUAL
  ) STRICT;
  CREATE INDEX responses_by_age ON responses (fetched_at);
  CREATE TABLE response_bytes (total INTEGER NOT NULL) STRICT;
  INSERT INTO response_bytes VALUES (0);
  CREATE TRIGGER response_kept AFTER INSERT ON responses BEGIN
    UPDATE response_bytes SET total = total + new.bytes;
  END;
  CREATE TRIGGER response_dropped AFTER DELETE ON responses BEGIN
    UPDATE response_bytes SET total = total - old.bytes;
  END;
`;

/**
 * The tables of a new file.
 *
 * `skills` has the columns that updates and conditions need; a row with `gone_since` is only remembered, and has no row in
 * `documents` and `words`. Its `name` is JSON, which keeps lone surrogates apart. `documents.entry` is the JSON of what has no column, `descriptor` stands apart so that summaries do
 * not read it. `words` is the inverted index of all tokens; those of a skill stand in the column of its class, so that every
 * list of it can be read for some classes alone. `terms` has the words without their places, to look beginnings up.
 */
export function createTables(db: Connection): void {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  db.exec(`
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
    id_key TEXT NOT NULL,
    name_key TEXT NOT NULL,
    name TEXT NOT NULL,
    is_flagged INTEGER NOT NULL,
    fetched_at REAL NOT NULL,
    fresh_until REAL NOT NULL,
    unreachable_since REAL,
    gone_since REAL
  ) STRICT;
  CREATE UNIQUE INDEX skills_by_domain ON skills (domain, id);
  ${RIVAL_INDEXES}
  ${SHARED_KEYS}
  ${KINDS}
  ${CONDITIONS}

  CREATE TABLE documents (number INTEGER PRIMARY KEY, entry TEXT NOT NULL, descriptor TEXT NOT NULL) STRICT;

  ${WORDS}
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
  CREATE INDEX changes_by_domain ON changes (domain, at, number);

  ${RESPONSES}
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('secret', x'${secret.toString('hex')}');

  PRAGMA application_id = ${APPLICATION_ID};
  `);
}
