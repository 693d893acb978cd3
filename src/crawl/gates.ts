import { type Abortable, onAbort } from '../abort.ts';
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
  const globalGate = new Gate(global);
  const origins = new Map<string, Gate>();

  return async (origin, signal, run) => {
    signal.throwIfAborted();
    const gate = origins.get(origin) ?? new Gate(perOrigin);
    origins.set(origin, gate);
    const entering = gate.enter(signal);
    if (entering) await entering;
    try {
      const enteringAll = globalGate.enter(signal);
      if (enteringAll) await enteringAll;
      try {
        signal.throwIfAborted();
        return await run();
      } finally {
        globalGate.leave();
      }
    } finally {
      gate.leave();
      if (gate.isUnused) origins.delete(origin);
    }
  };
}

/** So many may be inside. Those who find it full enter in the order in which they came, or leave when their signal aborts. */
class Gate {
  readonly #places: number;
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#places = places;
    this.#free = places;
  }

  get isUnused(): boolean {
    return this.#free === this.#places;
  }

  /** Undefined where there is no need to wait. */
  enter(signal: Abortable): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        stay();
        resolve();
      };
      this.#waiting.add(enter);
      const stay = onAbort(signal, () => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      });
    });
  }

  /** Hands the place on to whoever waits longest. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
