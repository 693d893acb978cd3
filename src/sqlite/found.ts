import type { FoundSkill } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import { HAS_RIVALS, rivalsOf } from './rivals.ts';
import { foundColumns, toFound } from './rows.ts';

const COLUMNS = foundColumns(`CASE WHEN ${HAS_RIVALS} THEN number END`);

/** The skills that have these numbers, in their order. */
export function foundSkills(db: Connection, numbers: number[], withDescriptors: boolean): FoundSkill[] {
  if (numbers.length === 0) return [];
  const rows = db.all(
    `SELECT ${COLUMNS} ${withDescriptors ? ', descriptor' : ''}
     FROM (SELECT rowid AS place, value FROM json_each(?)) CROSS JOIN skills ON number = value
       CROSS JOIN documents USING (number)
     ORDER BY place`,
    JSON.stringify(numbers),
  );
  return rows.map((row) => toFound(row, (number) => rivalsOf(db, number)));
}
