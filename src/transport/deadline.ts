import { onAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';

/**
 * A time limit that can be paused, and is until `resume()`. `signal` aborts when the time is up, or with `parent`'s reason when that aborts.
 * `end()` must be called when the work is over: it stops the timer and lets go of `parent`.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #unfollow: () => void;
  #remainingMs: number;
  #running: { since: number; timer: AbortController } | undefined;
  #expired = false;

  constructor(clock: Clock, ms: number, parent: AbortSignal) {
    this.#clock = clock;
    this.#remainingMs = ms;
    this.#unfollow = onAbort(parent, () => this.#controller.abort(parent.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is up. */
  get expired(): boolean {
    return this.#expired;
  }

  get remainingMs(): number {
    return this.#remainingMs - (this.#running ? this.#elapsedMs(this.#running.since) : 0);
  }

  pause(): void {
    if (this.#running === undefined) return;
    const { since, timer } = this.#running;
    this.#remainingMs -= this.#elapsedMs(since);
    this.#running = undefined;
    timer.abort('paused'); // a reason of its own spares an error with its stack
  }

  resume(): void {
    if (this.#running !== undefined) return;
    const timer = new AbortController();
    this.#running = { since: this.#clock.now(), timer };
    this.#clock.sleep(Math.max(this.#remainingMs, 0), timer.signal).then(
      () => {
        if (timer.signal.aborted) return;
        this.#expired = true;
        this.#controller.abort(new Error('the time limit has passed'));
      },
      () => {},
    );
  }

  end(): void {
    this.pause();
    this.#unfollow();
  }

  /** A clock that is set back takes nothing away. */
  #elapsedMs(since: number): number {
    return Math.max(this.#clock.now() - since, 0);
  }
}
