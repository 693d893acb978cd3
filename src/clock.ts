import { onAbort } from './abort.ts';

/** Time and chance, the only way the library gets either. Inject another one to test without waiting. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with `signal.reason` as soon as the signal aborts. Leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      let ignoreAbort = () => {};
      const timer = setTimeout(
        () => {
          ignoreAbort();
          resolve();
        },
        Math.min(ms, 2 ** 31 - 1),
      );
      if (signal === undefined) return;
      ignoreAbort = onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};
