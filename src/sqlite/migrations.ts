import { createHash } from 'node:crypto';
import { canonicalJson, type SkillRecord } from '../protocol/index.ts';
import { contentOf, type StoredSkill } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import { createTables } from './schema.ts';
import { Writer } from './writer.ts';

/** The first takes a file of version 1 to version 2, and so on. Each runs in the transaction that takes it to the last one. */
export const MIGRATIONS: readonly ((db: Connection) => void)[] = [fromVersion1];

/** As the registry bounds them. */
const MAX_TAGS = 256;
const MAX_TAG_LENGTH = 256;

/** Version 1 kept each record whole, as JSON, and knew nothing of providers. */
function fromVersion1(db: Connection): void {
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
      .map((old) => storedSkill({ ...JSON.parse(old.document as string), freshUntil: old.freshUntil }));
    for (const skill of skills) writer.put(skill);
    writer.index();
    writer.look({
      domain: domain as string,
      view: 'anonymous',
      at: Math.max(...skills.map(({ entry }) => entry.fetchedAt)),
      status: 'ok',
      freshUntil: Math.min(...skills.map(({ entry }) => entry.freshUntil)),
      skills,
      standIns: [],
      listed: [],
      forgetBefore: 0,
    });
  }
  db.exec('DROP TABLE old_documents; DROP TABLE old_skills');
}

function storedSkill(record: Omit<SkillRecord, 'stale'>): StoredSkill {
  const { descriptor, ...entry } = record;
  return {
    entry,
    descriptor: JSON.stringify(descriptor),
    authType: descriptor.auth.type,
    protocolVersion: descriptor.protocol.version,
    tags: [...new Set(descriptor.tags?.filter((tag) => tag.length <= MAX_TAG_LENGTH))].slice(0, MAX_TAGS),
    contentHash: createHash('sha256')
      .update(canonicalJson(contentOf(entry, descriptor)))
      .digest('hex'),
  };
}
