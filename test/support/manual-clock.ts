import type { Clock } from '../../src/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time on, waking every sleeper in order; between two of them everything that is ready to run does. */
  advance(ms: number): Promise<void>;
  /** Sets the time without waking anybody, as an operator may. */
  set(time: number): void;
  /** Sleeps that are under way. */
  readonly sleepers: number;
}

interface Sleeper {
  due: number;
  wake(): void;
}

/** A clock that stands still until it is told otherwise. `random()` is 0.5. */
export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => time,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: time + Math.max(ms, 0),
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    advance: async (ms) => {
      const end = time + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > end) break;
        time = Math.max(time, next.due);
        next.wake();
        await settle();
      }
      time = Math.max(time, end);
    },
    set: (to) => {
      time = to;
    },
    get sleepers() {
      return sleepers.size;
    },
  };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
