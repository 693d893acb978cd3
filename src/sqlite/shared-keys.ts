import type { StoredSkill } from '../registry/index.ts';
import type { Connection } from './connection.ts';

type Keys = Pick<StoredSkill, 'idKey' | 'nameKey'>;

/*
 * A key counts as shared where skills that are not private have it under several domains (a key of ids) or by several names
 * (a key of names), or where both private skills and others have it. So whatever has rivals has a shared key.
 */
const IDS = statements('id_key', 'domain');
const NAMES = statements('name_key', 'name');

/** To be called once a skill has come to have these keys. */
export function share(db: Connection, { idKey, nameKey }: Keys): void {
  db.run(IDS.share, idKey);
  db.run(NAMES.share, nameKey);
}

/** To be called once a skill has these keys no longer. */
export function unshare(db: Connection, { idKey, nameKey }: Keys): void {
  db.run(IDS.unshare, idKey);
  db.run(NAMES.unshare, nameKey);
}

/** Finds all shared keys of a file that knows none. */
export function findShared(db: Connection): void {
  db.exec(`${IDS.find}; ${NAMES.find}`);
}

function statements(column: 'id_key' | 'name_key', differing: string) {
  const table = `shared_${column}s`;
  const others = `skills INDEXED BY skills_by_${column} WHERE gone_since IS NULL AND access <> 'private'`;
  const privates = `skills INDEXED BY private_by_${column} WHERE gone_since IS NULL AND access = 'private'`;
  const having = (skills: string) => `${skills} AND ${column} = ?1`;
  const isShared = `(
    (SELECT min(${differing}) FROM ${having(others)}) < (SELECT max(${differing}) FROM ${having(others)})
    OR EXISTS (SELECT 1 FROM ${having(others)}) AND EXISTS (SELECT 1 FROM ${having(privates)})
  )`;
  return {
    share: `INSERT OR IGNORE INTO ${table} SELECT ?1 WHERE ${isShared}`,
    // Hardly any key is in the table, and only for those the rest is looked up.
    unshare: `DELETE FROM ${table} WHERE key = ?1 AND NOT coalesce(${isShared}, FALSE)`,
    find: `INSERT INTO ${table}
      SELECT ${column} FROM ${others} GROUP BY 1 HAVING min(${differing}) < max(${differing})
      UNION SELECT ${column} FROM ${privates} AND ${column} IN (SELECT ${column} FROM ${others})`,
  };
}
