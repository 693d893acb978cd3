import { type Client, type ClientOptions, type CrawlEvent, createClient, systemClock } from '../../index.ts';
import { type CredentialFlags, readCredentials } from '../credentials.ts';
import { openDatabase } from '../database.ts';
import { type DomainSource, openDomains } from '../domain-source.ts';
import { type DatabaseFlag, type NetworkFlags, networkOptions } from '../options.ts';
import { startProgress } from '../progress.ts';
import { isClosedPipe, type Shell } from '../shell.ts';
import { createTally, type Tally, withoutPrivate, withoutPrivateSkills } from '../tally.ts';
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
  if (flags.outcomes && !flags.json) throw new UsageError('--outcomes: only with --json');
  const credentials = await readCredentials(flags, shell.io.env);
  const source = await openDomains(domains, flags.file, shell);
  try {
    const { store, path } = await openDatabase(flags);
    try {
      const options = { ...clientOptions(flags), credentials, store };
      const client = await blamingFlags(() => createClient(options));
      const tally = await consume(client, source, flags, shell).finally(client.close);
      await printReport(tally, flags, shell);
      if (!flags.quiet) for (const note of notes(tally, flags, path, shell)) shell.note(note);
      return tally.worst.length > 0 ? 1 : 0;
    } finally {
      await store.close();
    }
  } finally {
    source.close();
  }
}

function* notes({ report }: Tally, flags: CrawlFlags, path: string, { io }: Shell): Generator<string> {
  const { ADDRESS_REFUSED, URL_REFUSED } = report.codes.providers;
  if (ADDRESS_REFUSED && !flags.allowPrivate) yield '--allow-private lets it connect to private addresses';
  if (URL_REFUSED && !flags.allowHttp) yield '--allow-http lets it fetch http URLs';
  if (io.interrupt.aborted)
    yield 'interrupted: the domains that were under way are not in the report and not stored';
  yield `stored in ${path}`;
}

function clientOptions({ concurrency, perOrigin, ...network }: CrawlFlags): ClientOptions {
  return {
    ...networkOptions(network),
    concurrency: {
      ...(concurrency !== undefined && { global: concurrency, providers: concurrency }),
      ...(perOrigin !== undefined && { perOrigin }),
    },
  };
}

async function consume(
  client: Client,
  source: DomainSource,
  { outcomes = false, refresh, ndjson, quiet }: CrawlFlags,
  shell: Shell,
): Promise<Tally> {
  const { interrupt, stdout } = shell.io;
  const tally = createTally({ startedAt: systemClock.now(), keepOutcomes: outcomes });
  const isTerminalTaken = ndjson && stdout.isTTY;
  const progress = quiet || isTerminalTaken ? undefined : await startProgress(shell, tally);
  try {
    const cacheMode = refresh ? 'refresh' : 'use';
    for await (const event of client.crawl(source, { cacheMode, signal: shell.signal })) {
      if (ndjson) await printEvent(event, shell);
      if (event.type !== 'provider') continue;
      tally.add(event.outcome);
      progress?.update(source.expected());
    }
  } catch (error) {
    if (!interrupt.aborted || isClosedPipe(error)) throw error;
  } finally {
    progress?.stop();
  }
  tally.finish(systemClock.now());
  return tally;
}

async function printReport({ report, worst }: Tally, flags: CrawlFlags, shell: Shell): Promise<void> {
  if (flags.ndjson) return;
  if (flags.json) return shell.printJson(withoutPrivateSkills(report), 2);
  const { renderReport } = await import('../render.ts');
  await shell.print(renderReport(report, worst, shell.colors));
}

async function printEvent(event: CrawlEvent, shell: Shell): Promise<void> {
  if (event.type === 'skill' && event.record.access === 'private') return;
  await shell.printJson(
    event.type === 'provider' ? { ...event, outcome: withoutPrivate(event.outcome) } : event,
  );
}
