import { createClient } from '../../index.ts';
import { openToRead } from '../database.ts';
import type { DatabaseFlag } from '../options.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags } from '../usage-error.ts';

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
  const store = await openToRead(flags, shell);
  const client = createClient(store && { store });
  try {
    const { includePrivate = false } = flags;
    const record = await blamingFlags(() => client.get({ ...key, includePrivate }));
    if (flags.json) await shell.printJson(record ?? null, 2);
    else if (record) {
      const { renderRecord } = await import('../render.ts');
      await shell.print(renderRecord(record, shell.colors));
    }
    if (record) return 0;
    if (store)
      shell.note(`no skill ${key.id} of ${key.domain} is stored, or it is private (--include-private)`);
    return 1;
  } finally {
    await client.close();
    await store?.close();
  }
}
