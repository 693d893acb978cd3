import { createClient } from '../../index.ts';
import { createAccount } from '../account.ts';
import { readCredentials } from '../credentials.ts';
import { openDatabase, openUntouched } from '../database.ts';
import { openDomains } from '../domain-source.ts';
import { type CrawlFlags, crawlOptions } from '../options.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags } from '../usage-error.ts';

interface CrawlCommandFlags extends CrawlFlags {
  file?: string;
  dryRun?: boolean;
}

/** Crawls into the database. After an interrupt the report says what was found until then. */
export async function crawl(domains: string[], flags: CrawlCommandFlags, shell: Shell): Promise<number> {
  const { dryRun = false } = flags;
  const options = { ...crawlOptions(flags), credentials: await readCredentials(flags, shell.io.env) };
  // Before there is a database: a flag that is wrong creates none.
  await blamingFlags(() => createClient(options).close());
  const source = await openDomains(domains, flags.file, shell);
  try {
    const { store, path } = await (dryRun ? openUntouched(flags) : openDatabase(flags));
    try {
      const client = createClient({ ...options, ...(store && { store }) });
      const account = createAccount(flags, shell, source.expected);
      await account
        .during(async () => {
          const how = { cacheMode: 'refresh', dryRun, signal: shell.signal } as const;
          for await (const event of client.crawl(source, how)) await account.hear(event);
        })
        .finally(client.close);
      return await account.tell(dryRun ? dryRunNotes(shell) : [`stored in ${path}`]);
    } finally {
      await store?.close();
    }
  } finally {
    source.close();
  }
}

function dryRunNotes({ io }: Shell): string[] {
  return [
    ...(io.interrupt.aborted ? ['what would have changed is known only at the end'] : []),
    'a dry run: nothing was stored',
  ];
}
