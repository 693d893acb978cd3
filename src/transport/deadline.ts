import { Abort, type Abortable, onAbort } from '../abort.ts';
import type { Alarm, Alarms } from './alarms.ts';

/**
 * A time limit that can be paused, and is until `resume()`. It aborts when the time is up, or with `parent`'s reason when that
 * aborts. `end()` must be called when the work is over: it clears the alarm and lets go of `parent`.
 */
export class Deadline extends Abort {
  readonly #alarms: Alarms;
  readonly #unfollow: () => void;
  #remainingMs: number;
  #alarm: Alarm | undefined;
  #expired = false;

  constructor(alarms: Alarms, ms: number, parent: Abortable) {
    super();
    this.#alarms = alarms;
    this.#remainingMs = ms;
    this.#unfollow = onAbort(parent, () => this.abort(parent.reason));
  }

  /** Whether the time is up. */
  get expired(): boolean {
    return this.#expired;
  }

  get remainingMs(): number {
    return this.#alarm ? this.#alarm.due - this.#alarms.now() : this.#remainingMs;
  }

  pause(): void {
    if (this.#alarm === undefined) return;
    this.#remainingMs = this.remainingMs;
    this.#alarms.clear(this.#alarm);
    this.#alarm = undefined;
  }

  resume(): void {
    this.#alarm ??= this.#alarms.set(Math.max(this.#remainingMs, 0), () => {
      this.#expired = true;
      this.abort('the time limit has passed');
    });
  }

  end(): void {
    this.pause();
    this.#unfollow();
  }
}
