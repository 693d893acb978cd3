import type { Shell } from './shell.ts';
import type { Tally } from './tally.ts';

/** Shows how far a crawl is. */
export interface Progress {
  update(expected: number): void;
  stop(): void;
}

/** A bar on stderr where that is a terminal; otherwise nothing. */
export async function startProgress({ io }: Shell, { report }: Tally): Promise<Progress | undefined> {
  if (!io.stderr.isTTY) return undefined;
  const { SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    stream: io.stderr,
    format: '{bar} {value}/{total} domains · {skills} skills · {failed} failed · {duration_formatted}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    clearOnComplete: true,
    // Otherwise a killed process leaves the terminal without.
    linewrap: true,
  });
  bar.start(1, 0, { skills: 0, failed: 0 });
  return {
    update(expected) {
      const { total } = report.providers;
      bar.setTotal(Math.max(expected, total));
      bar.update(total, { skills: report.skills.accepted, failed: report.providers.failed });
    },
    stop: () => bar.stop(),
  };
}
