import { type FindQuery, systemClock } from '../../index.ts';
import { askDatabase } from '../database.ts';
import type { DatabaseFlag } from '../options.ts';
import { type QueryFlags, toQuery } from '../query-flags.ts';
import { renderFacets, renderSkills } from '../render.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags, UsageError } from '../usage-error.ts';

interface FindFlags extends QueryFlags, DatabaseFlag {
  limit?: number;
  cursor?: string;
  total?: boolean;
  facets?: boolean;
  full?: boolean;
  json?: boolean;
  ndjson?: boolean;
}

/** Asks the database; no network. */
export async function find(text: string | undefined, flags: FindFlags, shell: Shell): Promise<number> {
  const { limit, cursor, total: countsAll, facets: countsEach, full } = flags;
  if (full && !flags.json && !flags.ndjson) throw new UsageError('--full: only with --json or --ndjson');
  const query: FindQuery = {
    ...toQuery(text, flags),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
    ...(countsAll && { total: true }),
    ...(countsEach && { facets: true }),
    ...(full && { include: 'descriptor' }),
  };
  return askDatabase(flags, shell, async (registry, store) => {
    const page = await blamingFlags(() => registry.find(query, systemClock.now()));
    const { records, nextCursor, total, facets } = page;
    if (flags.json) {
      await shell.printJson(page, 2);
      return 0;
    }
    const counts = [
      ...(total === undefined ? [] : [`${total} in all`]),
      ...(facets === undefined ? [] : renderFacets(facets).split('\n')),
    ];
    if (flags.ndjson) {
      for (const record of records) await shell.printJson(record);
      for (const line of counts) shell.note(line);
    } else {
      if (records.length > 0) await shell.print(renderSkills(records, shell.colors));
      else if (store) shell.note('no stored skill matches');
      for (const line of counts) await shell.print(line);
    }
    if (nextCursor !== undefined) shell.note(`more with --cursor ${nextCursor}`);
    return 0;
  });
}
