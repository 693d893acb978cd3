import { type Change, type CrawlEvent, type CrawlReport, systemClock } from '../index.ts';
import type { CrawlFlags, NetworkFlags } from './options.ts';
import { type Progress, startProgress } from './progress.ts';
import { renderReport } from './render.ts';
import { renderChange } from './render-change.ts';
import { isClosedPipe, type Shell } from './shell.ts';
import { createTally, withoutPrivate, withoutPrivateSkills } from './tally.ts';

/** What a crawl says: events or progress while it runs, then a report and notes. */
export interface Account {
  /** Counts an event, and prints it where events are asked for. */
  hear(event: CrawlEvent): Promise<void>;
  /** Runs what is heard of. An interrupt only ends it. */
  during(work: () => Promise<void>): Promise<void>;
  /** Prints the report and, after those on what went wrong, the `closing` notes; gives the exit code. */
  tell(closing: readonly string[]): Promise<number>;
}

/** `expected` says how many domains there will be at least, as far as is known. */
export function createAccount(flags: CrawlFlags, shell: Shell, expected: () => number): Account {
  const { json, ndjson, outcomes = false, quiet } = flags;
  const { interrupt, stdout } = shell.io;
  const tally = createTally({ startedAt: systemClock.now(), keepOutcomes: outcomes });
  let progress: Progress | undefined;
  let printed: Promise<void> = Promise.resolve();
  let whole: Pick<CrawlReport, 'evicted' | 'changes' | 'collisions'> = {};

  function notes(): string[] {
    return [
      ...refusalNotes(tally.report.codes.providers, flags),
      ...(interrupt.aborted
        ? ['interrupted: the domains that were under way are not in the report and not stored']
        : []),
    ];
  }

  return {
    hear(event) {
      if (event.type === 'done') whole = event.report;
      if (event.type === 'provider') {
        tally.add(event.outcome);
        progress?.update(expected());
      }
      if (ndjson) {
        printed = printEvent(event, shell);
        // Who does not wait learns of a broken stdout through the signal.
        printed.catch(() => {});
      }
      return printed;
    },

    async during(work) {
      const isTerminalTaken = ndjson && stdout.isTTY;
      progress = quiet || isTerminalTaken ? undefined : await startProgress(shell, tally);
      try {
        await work();
        await printed;
      } catch (error) {
        if (!interrupt.aborted || isClosedPipe(error)) throw error;
      } finally {
        progress?.stop();
      }
    },

    async tell(closing) {
      const report = { ...whole, ...tally.finish(systemClock.now()) };
      if (json) await shell.printJson(withoutPrivateSkills(report), 2);
      else if (!ndjson) {
        await shell.print(renderReport(report, tally, shell.colors));
        if (report.changes) await printChanges(report.changes, shell);
      }
      if (!quiet) for (const note of [...notes(), ...closing]) shell.note(note);
      return tally.culprits > 0 ? 1 : 0;
    },
  };
}

/** Which flag lets it do what it refused, by the codes that occurred. */
export function refusalNotes(
  { ADDRESS_REFUSED, URL_REFUSED }: Partial<Record<string, number>>,
  { allowPrivate, allowHttp }: NetworkFlags,
): string[] {
  return [
    ...(ADDRESS_REFUSED && !allowPrivate ? ['--allow-private lets it connect to private addresses'] : []),
    ...(URL_REFUSED && !allowHttp ? ['--allow-http lets it fetch http URLs'] : []),
  ];
}

async function printEvent(event: CrawlEvent, shell: Shell): Promise<void> {
  if (event.type === 'skill' && event.record.access === 'private') return;
  await shell.printJson(
    event.type === 'provider' ? { ...event, outcome: withoutPrivate(event.outcome) } : event,
  );
}

async function printChanges(changes: readonly Change[], { print, colors }: Shell): Promise<void> {
  await print(`\n${colors.bold('Changes')}${changes.length > 0 ? '' : '  none'}`);
  for (const change of changes) await print(renderChange(change, colors));
}
