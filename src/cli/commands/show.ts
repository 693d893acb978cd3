import { type GetQuery, systemClock } from '../../index.ts';
import type { Registry } from '../../registry/index.ts';
import { askDatabase } from '../database.ts';
import type { DatabaseFlag } from '../options.ts';
import { allRecords } from '../pages.ts';
import { renderRecord } from '../render.ts';
import type { Shell } from '../shell.ts';
import { isoTime } from '../time.ts';
import { blamingFlags, DOMAIN_ARGUMENT } from '../usage-error.ts';

interface ShowFlags extends DatabaseFlag {
  includePrivate?: boolean;
  json?: boolean;
}

/** Prints one record; exit code 1 where none is stored. */
export async function show(
  key: { domain: string; id: string },
  flags: ShowFlags,
  shell: Shell,
): Promise<number> {
  const query = { ...key, includePrivate: flags.includePrivate ?? false };
  return askDatabase(flags, shell, async (registry, store) => {
    const record = await blamingFlags(() => registry.get(query, systemClock.now()), DOMAIN_ARGUMENT);
    if (flags.json) await shell.printJson(record ?? null, 2);
    else if (record) {
      await shell.print(renderRecord(record, shell.colors));
    }
    if (record) return 0;
    if (store) {
      const removedAt = await lastRemoval(registry, query, shell.signal);
      const why =
        removedAt === undefined
          ? 'is stored, or it is private (--include-private)'
          : `is stored: it was removed at ${isoTime(removedAt)}`;
      shell.note(`no skill ${key.id} of ${key.domain} ${why}`);
    }
    return 1;
  });
}

async function lastRemoval(
  registry: Pick<Registry, 'changes'>,
  { domain, id, includePrivate }: GetQuery,
  signal: AbortSignal,
): Promise<number | undefined> {
  let removedAt: number | undefined;
  const ask = (cursor: string | undefined) => registry.changes({ domain, includePrivate, cursor });
  for await (const change of allRecords(ask, signal)) {
    if (change.id === id && change.kind === 'removed') removedAt = change.at;
  }
  return removedAt;
}
