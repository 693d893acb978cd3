import pLimit from 'p-limit';
import { onAbort } from '../abort.ts';
import type { Schedule } from '../transport/index.ts';

/** Most requests under way: in all, and to one origin. */
export interface GateLimits {
  global: number;
  perOrigin: number;
}

/**
 * The concurrency gates. The origin's gate is the outer one, so that a slow origin's queue never holds a global slot.
 * An origin's gate goes with its last user: memory is bounded by what is under way.
 */
export function createGates({ global, perOrigin }: GateLimits): Schedule {
  const globalGate = pLimit(global);
  const origins = new Map<string, { gate: ReturnType<typeof pLimit>; users: number }>();

  return async (origin, signal, run) => {
    signal.throwIfAborted();
    const entry = origins.get(origin) ?? { gate: pLimit(perOrigin), users: 0 };
    origins.set(origin, entry);
    entry.users += 1;
    try {
      return await leaveOnAbort(signal, (start) =>
        entry.gate(() =>
          globalGate(() => {
            start();
            return run();
          }),
        ),
      );
    } finally {
      entry.users -= 1;
      if (entry.users === 0) origins.delete(origin);
    }
  };
}

/** While queued, an abort rejects at once; work that has started ends by its own handling of the signal. */
function leaveOnAbort<T>(signal: AbortSignal, enqueue: (start: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stay = onAbort(signal, () => reject(signal.reason));
    const start = () => {
      signal.throwIfAborted();
      stay();
    };
    enqueue(start).then(resolve, reject);
  });
}
