import { type Change, systemClock } from '../../index.ts';
import { askDatabase } from '../database.ts';
import type { DatabaseFlag } from '../options.ts';
import { allRecords } from '../pages.ts';
import { renderChange } from '../render-change.ts';
import type { Shell } from '../shell.ts';
import { parseSince } from '../time.ts';
import { blamingFlags, DOMAIN_ARGUMENT } from '../usage-error.ts';

interface ChangesFlags extends DatabaseFlag {
  since?: string;
  includePrivate?: boolean;
  json?: boolean;
  ndjson?: boolean;
}

/** A change can be a few hundred kilobytes. */
const IN_MEMORY = 100;

/** Lists what became of which skill, in the order of time and in bounded memory. */
export async function changes(domains: string[], flags: ChangesFlags, shell: Shell): Promise<number> {
  const { since, includePrivate } = flags;
  const query = {
    ...(since !== undefined && { since: parseSince(since, systemClock.now()) }),
    ...(domains.length > 0 && { domain: domains }),
    ...(includePrivate && { includePrivate }),
    limit: IN_MEMORY,
  };
  await askDatabase(flags, shell, async (registry, store) => {
    const found = allRecords(
      (cursor) => blamingFlags(() => registry.changes({ ...query, cursor }), DOMAIN_ARGUMENT),
      shell.signal,
    );
    if (flags.json) await shell.printArray(found);
    else if (flags.ndjson) for await (const change of found) await shell.printJson(change);
    else if (!(await printLines(found, shell)) && store) shell.note('no change is known');
  });
  return 0;
}

/** Gives whether there was one. */
async function printLines(changes: AsyncIterable<Change>, { print, colors }: Shell): Promise<boolean> {
  let any = false;
  for await (const change of changes) {
    await print(renderChange(change, colors));
    any = true;
  }
  return any;
}
