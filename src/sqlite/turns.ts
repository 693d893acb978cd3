/** For how long a thread writes without a pause, in milliseconds: less than others wait by default. */
const STINT_MS = 2000;
/** Longer than SQLite waits between two tries to get in (100 ms). */
const PAUSE_MS = 120;

/** Keeps a thread that always has something to write from keeping all others out. */
export class Turns {
  #begin = Number.NEGATIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;

  /** How long to pause after a transaction that took from `begin` to `end`; all in milliseconds. */
  pauseAfter(begin: number, end: number): number {
    if (begin - this.#end >= PAUSE_MS) this.#begin = begin;
    this.#end = end;
    return end - this.#begin < STINT_MS ? 0 : PAUSE_MS;
  }
}
