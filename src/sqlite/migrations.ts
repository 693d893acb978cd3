import { canonicalJson, contentOf, type SkillRecord } from '../protocol/index.ts';
import { lookKey, MAX_KEY_LENGTH, type StoredSkill } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import { CANDIDATE_COLUMNS, toCandidate } from './rows.ts';
import { CONDITIONS, createTables, KINDS, RESPONSES, RIVAL_INDEXES, SHARED_KEYS, WORDS } from './schema.ts';
import { findShared } from './shared-keys.ts';
import { Writer } from './writer.ts';

/* What a skill claims was not looked at before version 3: skills of older files count as flagged until they are confirmed. */

/** What texts look like. */
type Skeleton = (text: string) => string;

/** The first takes a file of version 1 to the version that is current, the second one of version 2, and so on. */
export const MIGRATIONS: readonly ((db: Connection, skeleton: Skeleton) => void)[] = [
  fromVersion1,
  fromVersion2,
  fromVersion3,
  fromVersion4,
  fromVersion5,
];

/** As the registry bounds them. */
const MAX_TAGS = 256;
const MAX_TAG_LENGTH = 256;

/** Rows that are read at once. */
const STEP = 1000;

/** Version 1 kept each record whole, as JSON, and knew nothing of providers. */
function fromVersion1(db: Connection, skeleton: Skeleton): void {
  db.exec(`
    DROP TABLE tags;
    DROP TABLE words;
    ALTER TABLE skills RENAME TO old_skills;
    ALTER TABLE documents RENAME TO old_documents;
  `);
  createTables(db);
  const writer = new Writer(db);
  for (const { domain } of db.all('SELECT DISTINCT domain FROM old_skills ORDER BY domain')) {
    const skills = db
      .all(
        `SELECT document, fresh_until AS freshUntil FROM old_skills JOIN old_documents USING (number)
         WHERE domain = ? ORDER BY id`,
        domain as string,
      )
      .map((old) => {
        const record = { ...JSON.parse(old.document as string), freshUntil: old.freshUntil };
        return storedSkill(record, skeleton);
      });
    for (const skill of skills) writer.put(skill);
    writer.index();
    writer.look({
      domain: domain as string,
      view: 'anonymous',
      at: skills.reduce((latest, { entry }) => Math.max(latest, entry.fetchedAt), 0),
      status: 'ok',
      // As fresh as the least fresh of its skills.
      freshUntil: Number.POSITIVE_INFINITY,
      skills,
      standIns: [],
      listed: [],
      forgetBefore: 0,
    });
  }
  db.exec('DROP TABLE old_documents; DROP TABLE old_skills');
}

/** Version 2 did not know what ids and names look like. */
function fromVersion2(db: Connection, skeleton: Skeleton): void {
  db.exec(`
    ALTER TABLE skills ADD COLUMN id_key TEXT NOT NULL DEFAULT '';
    ALTER TABLE skills ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
    ALTER TABLE skills ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE skills ADD COLUMN is_flagged INTEGER NOT NULL DEFAULT 1;
  `);
  for (let last = 0; ; ) {
    const rows = db.all(
      `SELECT number, id, entry FROM skills JOIN documents USING (number) WHERE number > ? ORDER BY number LIMIT ${STEP}`,
      last,
    );
    for (const row of rows) {
      const { name } = JSON.parse(row.entry as string);
      const { idKey, nameKey } = keysOf(row.id as string, name, skeleton);
      last = row.number as number;
      db.run(
        'UPDATE skills SET id_key = ?, name_key = ?, name = ? WHERE number = ?',
        idKey,
        nameKey,
        JSON.stringify(name),
        last,
      );
    }
    if (rows.length < STEP) break;
  }
  db.exec(`${RIVAL_INDEXES} CREATE INDEX changes_by_domain ON changes (domain, at, number);`);
  fromVersion3(db);
}

/** Version 3 had no index of classes, filters by them as words, and no count of what responses take. */
function fromVersion3(db: Connection): void {
  db.exec(`
    DROP TABLE words;
    ${WORDS}
    ALTER TABLE responses RENAME TO old_responses;
    DROP INDEX responses_by_age;
    ${RESPONSES}
    INSERT INTO responses SELECT key, entry, body, is_deflated, fetched_at FROM old_responses;
    DROP TABLE old_responses;
  `);
  // Gathered in larger parts, the index has less to merge.
  db.exec("INSERT INTO words (words, rank) VALUES ('hashsize', 67108864)");
  const writer = new Writer(db);
  for (let last = 0; ; ) {
    const rows = db.all(
      `SELECT ${CANDIDATE_COLUMNS} FROM skills JOIN documents USING (number) WHERE number > ? ORDER BY number LIMIT ${STEP}`,
      last,
    );
    for (const row of rows) {
      last = row.number as number;
      writer.indexWords(last, toCandidate(row));
    }
    writer.index();
    if (rows.length < STEP) break;
  }
  db.exec("INSERT INTO words (words, rank) VALUES ('hashsize', 1048576)");
  fromVersion4(db);
}

/** Version 4 did not know which keys are shared, and had no index of kinds. */
function fromVersion4(db: Connection): void {
  db.exec(KINDS + SHARED_KEYS);
  findShared(db);
  fromVersion5(db);
}

/** The indexes of version 5 did not hold the class. */
function fromVersion5(db: Connection): void {
  db.exec(`
    DROP INDEX skills_by_freshness;
    DROP INDEX skills_by_version;
    DROP INDEX skills_by_protocol;
    ${CONDITIONS}
  `);
}

function keysOf(id: string, name: string, skeleton: Skeleton) {
  return {
    idKey: lookKey(skeleton(id)),
    nameKey: lookKey(skeleton(name.slice(0, MAX_KEY_LENGTH))),
  };
}

function storedSkill(record: Omit<SkillRecord, 'stale' | 'contentHash'>, skeleton: Skeleton): StoredSkill {
  const { descriptor, ...entry } = record;
  return {
    entry,
    descriptor: JSON.stringify(descriptor),
    authType: descriptor.auth.type,
    protocolVersion: descriptor.protocol.version,
    tags: [...new Set(descriptor.tags?.filter((tag) => tag.length <= MAX_TAG_LENGTH))].slice(0, MAX_TAGS),
    contentHash: process
      .getBuiltinModule('node:crypto')
      .createHash('sha256')
      .update(canonicalJson(contentOf(entry, descriptor)))
      .digest('hex'),
    ...keysOf(entry.id, entry.name, skeleton),
    isFlagged: true,
  };
}
