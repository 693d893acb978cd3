import { type Client, createClient } from '../../index.ts';
import { createAccount } from '../account.ts';
import { readCredentials } from '../credentials.ts';
import { nothingStored, openExisting } from '../database.ts';
import { type CrawlFlags, crawlOptions } from '../options.ts';
import { allRecords } from '../pages.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags } from '../usage-error.ts';

interface RefreshFlags extends CrawlFlags {
  all?: boolean;
}

/** Looks again at the stored providers that are due. After an interrupt the report says what was found until then. */
export async function refresh(flags: RefreshFlags, shell: Shell): Promise<number> {
  const { all = false, quiet } = flags;
  const { io, signal } = shell;
  const options = crawlOptions(flags);
  const credentials = await readCredentials(flags, io.env);
  const { store, path } = await openExisting(flags, { readOnly: false });
  try {
    let expected = 0;
    const account = createAccount(flags, shell, () => expected);
    const onEvent = account.hear;
    const client = await blamingFlags(() =>
      createClient({ ...options, credentials, onEvent, ...(store && { store }) }),
    );
    let isIdle = false;
    await account
      .during(async () => {
        if (io.stderr.isTTY && !quiet) expected = await count(client, { due: !all }, signal);
        const { providers } = await client.refresh({ all, signal });
        isIdle = providers.total === 0;
      })
      .finally(client.close);
    if (!store) return await account.tell([nothingStored(path)]);
    if (isIdle) {
      return await account.tell([
        all ? 'no provider is known' : 'no provider is due: --all looks at all that are known',
      ]);
    }
    return await account.tell([
      ...(io.interrupt.aborted && !all ? ['what was not finished stays due'] : []),
      `stored in ${path}`,
    ]);
  } finally {
    await store?.close();
  }
}

/** How many providers a refresh will look at. */
async function count(client: Client, query: { due: boolean }, signal: AbortSignal): Promise<number> {
  let number = 0;
  const ask = (cursor: string | undefined) => client.status({ ...query, cursor, limit: 1000 });
  for await (const _ of allRecords(ask, signal)) number += 1;
  return number;
}
