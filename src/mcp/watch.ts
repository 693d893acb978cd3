import type { Clock } from '../index.ts';

/** How often it is looked whether another process has changed what is stored. */
export const WATCH_MS = 2_000;

/**
 * Calls `onTick` every two seconds until the signal aborts, and says whether the store is another than the time before.
 * Rejects where the store fails.
 */
export async function watchRevision(
  { revision, clock }: { revision: () => number; clock: Clock },
  signal: AbortSignal,
  onTick: (hasChanged: boolean) => void,
): Promise<void> {
  for (let known = revision(); ; ) {
    await clock.sleep(WATCH_MS, signal).catch(() => {});
    if (signal.aborted) return;
    const current = revision();
    onTick(current !== known);
    known = current;
  }
}
