import type { Clock } from '../clock.ts';

export interface Alarm {
  /** In the time of {@link Alarms.now}. */
  readonly due: number;
  readonly ring: () => void;
}

/** From here on a sleep has ended late: others were at work. */
const LATE_MS = 10;

/** Any number of time limits over one sleep of the clock: most are cleared long before they are due. */
export class Alarms {
  readonly #clock: Clock;
  readonly #pending = new Set<Alarm>();
  #sleep: { until: number; waking: AbortController } | undefined;
  #lastRead = Number.NEGATIVE_INFINITY;
  #setBackMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The clock's time, as if it had never been set back; in milliseconds. */
  now(): number {
    const read = this.#clock.now();
    this.#setBackMs += Math.max(this.#lastRead - read, 0);
    this.#lastRead = read;
    return read + this.#setBackMs;
  }

  /** Rings once, `ms` from now, unless it is cleared. */
  set(ms: number, ring: () => void): Alarm {
    const alarm = { due: this.now() + ms, ring };
    this.#pending.add(alarm);
    if (this.#sleep === undefined || alarm.due < this.#sleep.until) this.#sleepUntil(alarm.due);
    return alarm;
  }

  clear(alarm: Alarm): void {
    if (this.#pending.delete(alarm) && this.#pending.size === 0) this.#stopSleeping();
  }

  #sleepUntil(due: number): void {
    this.#stopSleeping();
    const sleep = { until: due, waking: new AbortController() };
    this.#sleep = sleep;
    const { signal } = sleep.waking;
    const sleeping = async () => {
      await this.#clock.sleep(Math.max(due - this.now(), 0), signal);
      // What has arrived in time is read first.
      if (this.now() - due > LATE_MS) await this.#clock.sleep(0, signal);
    };
    sleeping().then(
      () => {
        if (this.#sleep === sleep) this.#wake(due);
      },
      () => {},
    );
  }

  #stopSleeping(): void {
    this.#sleep?.waking.abort('not needed'); // a reason of its own spares an error with its stack
    this.#sleep = undefined;
  }

  #wake(due: number): void {
    this.#sleep = undefined;
    // A clock that was set back while we slept would keep us from ever getting there.
    this.#setBackMs += Math.max(due - this.now(), 0);
    const now = this.now();
    const ringing = [...this.#pending].filter((alarm) => alarm.due <= now);
    for (const alarm of ringing) this.#pending.delete(alarm);
    const next = Math.min(...[...this.#pending].map((alarm) => alarm.due));
    if (this.#pending.size > 0) this.#sleepUntil(next);
    for (const alarm of ringing) alarm.ring();
  }
}
