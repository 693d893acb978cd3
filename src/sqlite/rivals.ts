import { type Collisions, MAX_COLLISIONS } from '../protocol/index.ts';
import { MAX_RIVALS, type Rivals, type StoreQuery } from '../registry/index.ts';
import type { Connection } from './connection.ts';

/** What can be a rival, as the indexes of keys hold it. */
const BY_ID =
  "skills AS rival INDEXED BY skills_by_id_key WHERE rival.gone_since IS NULL AND rival.access <> 'private'";
const BY_NAME =
  "skills AS rival INDEXED BY skills_by_name_key WHERE rival.gone_since IS NULL AND rival.access <> 'private'";
const BY_LOOK =
  "skills AS rival INDEXED BY skills_by_look WHERE rival.gone_since IS NULL AND rival.access <> 'private'";

const onBothSides = (rivals: (side: string) => string) =>
  `(EXISTS (SELECT 1 FROM ${rivals('<')}) OR EXISTS (SELECT 1 FROM ${rivals('>')}))`;
const HAS_RIVALS_BY_ID = onBothSides(
  (side) => `${BY_ID} AND rival.id_key = skills.id_key AND rival.domain ${side} skills.domain`,
);

/**
 * Entries that are looked at first, in the order of names and in that of domains: neither a name that thousands have nor a
 * domain with thousands of look-alikes of its own may make this slow.
 */
const FEW = 16;
const HAS_OTHER_NAMES = onBothSides(
  (side) => `${BY_NAME} AND rival.name_key = skills.name_key AND rival.name ${side} skills.name`,
);
const byName = (side: string) =>
  `(
  SELECT rival.domain FROM ${BY_NAME} AND rival.name_key = skills.name_key AND rival.name ${side} skills.name
  LIMIT ${FEW}) AS rival WHERE rival.domain <> skills.domain`;
const byDomain = (limit: number) => (side: string) =>
  `(
  SELECT rival.name FROM ${BY_LOOK} AND rival.name_key = skills.name_key AND rival.domain ${side} skills.domain
  LIMIT ${limit}) AS rival WHERE rival.name <> skills.name`;
const HAS_RIVALS_BY_NAME = `(${HAS_OTHER_NAMES} AND (
  ${onBothSides(byName)} OR ${onBothSides(byDomain(FEW))} OR ${onBothSides(byDomain(-1))}
))`;

/** True for a row of `skills` that can be mistaken for one of another domain. */
export const HAS_RIVALS = `(
  id_key IN shared_id_keys AND ${HAS_RIVALS_BY_ID} OR name_key IN shared_name_keys AND ${HAS_RIVALS_BY_NAME}
)`;

/** Skills whose key may be shared, by the indexes that hold them. */
const BY_SHARED_KEY = ['id_key', 'name_key'].flatMap((column) =>
  [
    [`skills_by_${column}`, "access <> 'private'"],
    [`private_by_${column}`, "access = 'private'"],
  ].map(
    ([index, which]) => `SELECT number FROM shared_${column}s CROSS JOIN skills INDEXED BY ${index}
      ON ${column} = key AND gone_since IS NULL AND ${which}`,
  ),
);

/** The numbers of all skills that a trusted query leaves out. */
export const UNTRUSTED = `
  SELECT number FROM skills INDEXED BY skills_flagged WHERE gone_since IS NULL AND is_flagged
  UNION SELECT number FROM skills WHERE number IN (${BY_SHARED_KEY.join(' UNION ')}) AND ${HAS_RIVALS}
`;

/** That a skill of a row of `skills` is one that a trusted query may find. */
export function onlyTrusted({ trusted }: StoreQuery): string {
  return trusted ? ` AND NOT is_flagged AND NOT ${HAS_RIVALS}` : '';
}

/** Keys that are gone through in one go, which takes a few milliseconds. */
const STEP = 20_000;

/** What the skill with this number can be mistaken for. */
export function rivalsOf(db: Connection, number: number): Rivals {
  const row = db.get('SELECT domain, id_key, name_key, name FROM skills WHERE number = ?', number);
  const {
    domain,
    id_key: idKey,
    name_key: nameKey,
    name,
  } = row as Record<'domain' | 'id_key' | 'name_key' | 'name', string>;
  const byId = db.all(
    `SELECT domain, id FROM ${BY_ID} AND id_key = ? AND domain <> ? ORDER BY domain, id LIMIT ${MAX_RIVALS}`,
    idKey,
    domain,
  );
  // Two ranges instead of one condition, since a popular name may be that of thousands.
  const byName = db.all(
    `SELECT domain, id, name FROM ${BY_NAME} AND name_key = ? AND name < ? AND domain <> ?
     UNION ALL SELECT domain, id, name FROM ${BY_NAME} AND name_key = ? AND name > ? AND domain <> ?
     ORDER BY domain, id LIMIT ${MAX_RIVALS}`,
    nameKey,
    name,
    domain,
    nameKey,
    name,
    domain,
  );
  return {
    byId: byId as unknown as Rivals['byId'],
    byName: byName.map((rival) => ({
      domain: rival.domain as string,
      id: rival.id as string,
      name: JSON.parse(rival.name as string),
    })),
  };
}

/** Goes through all keys step by step, so that others get their turn in between. `read` runs one step. */
export async function collisionsOf(read: <T>(work: (db: Connection) => T) => T): Promise<Collisions> {
  const collisions: Collisions = { total: 0, first: [] };
  for (let from: string | undefined = ''; from !== undefined; ) {
    const start: string = from;
    from = read((db) => {
      const end = endOfStep(db, start);
      addCollisions(db, collisions, start, end);
      return end;
    });
    await new Promise(setImmediate);
  }
  return collisions;
}

/** The key where the step from `start` on ends, before which it stops; undefined at the last one. */
function endOfStep(db: Connection, start: string): string | undefined {
  const first = db.get(
    `SELECT id_key AS key FROM ${BY_ID} AND id_key > ? ORDER BY id_key LIMIT 1 OFFSET ${STEP}`,
    start,
  );
  return first?.key as string | undefined;
}

function addCollisions(db: Connection, collisions: Collisions, start: string, end: string | undefined) {
  const keys = db.all(
    `SELECT id_key AS key FROM ${BY_ID} AND id_key >= ? ${end === undefined ? '' : 'AND id_key < ?'}
     GROUP BY id_key HAVING min(domain) < max(domain) ORDER BY id_key`,
    ...(end === undefined ? [start] : [start, end]),
  );
  collisions.total += keys.length;
  for (const { key } of keys.slice(0, MAX_COLLISIONS - collisions.first.length)) {
    const rows = db.all(
      `SELECT domain, min(id) AS id FROM ${BY_ID} AND id_key = ? GROUP BY domain ORDER BY domain LIMIT ${MAX_RIVALS}`,
      key as string,
    );
    const domains = rows.map(({ domain }) => domain as string);
    collisions.first.push({ id: rows[0]?.id as string, domains });
  }
}
