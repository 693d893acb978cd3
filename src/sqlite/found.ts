import type { FoundSkill } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import { HAS_RIVALS, rivalsOf } from './rivals.ts';
import { FOUND_COLUMNS, toFound } from './rows.ts';

/** The skills that have these numbers, in their order. */
export function foundSkills(db: Connection, numbers: number[], withDescriptors: boolean): FoundSkill[] {
  if (numbers.length === 0) return [];
  const rows = db.all(
    `SELECT ${FOUND_COLUMNS} ${withDescriptors ? ', descriptor' : ''}, ${HAS_RIVALS} AS has_rivals
     FROM (SELECT value FROM json_each(?)) CROSS JOIN skills ON number = value CROSS JOIN documents USING (number)`,
    JSON.stringify(numbers),
  );
  const skills = new Map(
    rows.map((row) => {
      const number = row.number as number;
      const skill = toFound(row);
      return [number, row.has_rivals ? { ...skill, rivals: rivalsOf(db, number) } : skill];
    }),
  );
  return numbers.flatMap((number) => skills.get(number) ?? []);
}
