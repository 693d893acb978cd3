import { type CrawlEvent, createClient, systemClock } from '../../index.ts';
import { type CredentialFlags, readCredentials } from '../credentials.ts';
import { openDatabase } from '../database.ts';
import { openDomains } from '../domain-source.ts';
import { type DatabaseFlag, type NetworkFlags, networkOptions } from '../options.ts';
import { startProgress } from '../progress.ts';
import { isClosedPipe, type Shell } from '../shell.ts';
import { createTally, type Tally, withoutPrivate } from '../tally.ts';
import { blamingFlags, UsageError } from '../usage-error.ts';

interface CrawlFlags extends NetworkFlags, DatabaseFlag, CredentialFlags {
  file?: string;
  concurrency?: number;
  perOrigin?: number;
  refresh?: boolean;
  json?: boolean;
  outcomes?: boolean;
  ndjson?: boolean;
  quiet?: boolean;
}

/** Crawls into the database. After an interrupt the report says what was found until then. */
export async function crawl(domains: string[], flags: CrawlFlags, shell: Shell): Promise<number> {
  const { concurrency, perOrigin, outcomes = false, quiet = false } = flags;
  if (outcomes && !flags.json) throw new UsageError('--outcomes: only with --json');
  const credentials = await readCredentials(flags, shell.io.env);
  const source = await openDomains(domains, flags.file, shell);
  try {
    const { store, path } = await openDatabase(flags);
    try {
      const client = await blamingFlags(() =>
        createClient({
          ...networkOptions(flags),
          store,
          credentials,
          concurrency: {
            ...(concurrency !== undefined && { global: concurrency, providers: concurrency }),
            ...(perOrigin !== undefined && { perOrigin }),
          },
        }),
      );
      const tally = createTally({ keepOutcomes: outcomes });
      const startedAt = systemClock.now();
      const sharesTerminal = flags.ndjson && shell.io.stdout.isTTY;
      const progress = quiet || sharesTerminal ? undefined : await startProgress(shell, tally);
      try {
        const cacheMode = flags.refresh ? 'refresh' : 'use';
        for await (const event of client.crawl(source, { cacheMode, signal: shell.signal })) {
          if (flags.ndjson) await printEvent(event, shell);
          if (event.type !== 'provider') continue;
          tally.add(event.outcome);
          progress?.update(source.expected());
        }
      } catch (error) {
        if (!shell.io.interrupt.aborted || isClosedPipe(error)) throw error;
      } finally {
        progress?.stop();
        await client.close();
      }
      tally.report.durationMs = Math.max(0, systemClock.now() - startedAt);
      await printReport(tally, flags, shell);
      if (!quiet) shell.note(`stored in ${path}`);
      return tally.worst.length > 0 ? 1 : 0;
    } finally {
      await store.close();
    }
  } finally {
    source.close();
  }
}

async function printReport({ report, worst }: Tally, flags: CrawlFlags, shell: Shell): Promise<void> {
  if (flags.ndjson) return;
  if (flags.json) return shell.printJson(report, 2);
  const { renderReport } = await import('../render.ts');
  await shell.print(renderReport(report, worst, shell.colors));
}

async function printEvent(event: CrawlEvent, shell: Shell): Promise<void> {
  if (event.type === 'skill' && event.record.access === 'private') return;
  await shell.printJson(
    event.type === 'provider' ? { ...event, outcome: withoutPrivate(event.outcome) } : event,
  );
}
