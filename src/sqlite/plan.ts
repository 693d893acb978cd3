import { contentOf, type MemberChange } from '../protocol/index.ts';
import {
  type ApplyResult,
  compareContent,
  type ProviderUpdate,
  planUpdate,
  type StoredSkill,
  type UpdatePlan,
} from '../registry/index.ts';
import type { Connection } from './connection.ts';
import { foundColumns, KNOWN_COLUMNS, toFound, toKnown } from './rows.ts';

/** What an update does to the tables, and what to answer to it. */
export interface Plan {
  plan: UpdatePlan;
  /** Of all skills of the domain that the store has or remembers, by id. */
  numbers: Map<string, number>;
  result: ApplyResult;
}

/** Reads alone. */
export function planOf(db: Connection, update: ProviderUpdate): Plan {
  const { domain, at } = update;
  const known = db
    .all(`SELECT ${KNOWN_COLUMNS} FROM skills WHERE domain = ? ORDER BY number`, domain)
    .map(toKnown);
  const numbers = new Map(known.map(({ id, number }) => [id, number]));
  const plan = planUpdate(known, update);
  const skills = new Map(plan.put.map(({ skill }) => [skill.entry.id, skill]));
  const changes = plan.changes.map(({ kind, id, isPrivate }) => ({
    at,
    kind,
    domain,
    id,
    isPrivate,
    ...(kind === 'changed' && {
      members: differences(db, numbers.get(id) as number, skills.get(id) as StoredSkill),
    }),
  }));
  const stored = plan.put.length;
  const removed = plan.remove.length;
  return { plan, numbers, result: { changes, stored, removed, evictedProviders: 0, evictedSkills: 0 } };
}

function differences(db: Connection, number: number, after: StoredSkill): MemberChange[] {
  const row = db.get(
    `SELECT ${foundColumns()}, descriptor FROM skills JOIN documents USING (number) WHERE number = ?`,
    number,
  );
  if (row === undefined) throw new SyntaxError('a document is missing');
  const before = toFound(row);
  return compareContent(
    contentOf(before.entry, JSON.parse(before.descriptor as string)),
    contentOf(after.entry, JSON.parse(after.descriptor)),
  );
}
