import { Abort, abortable } from '../abort.ts';

interface Flight<R> {
  result: Promise<R>;
  abort: Abort;
  callers: number;
  /** Whether a caller has been given the result as its own. */
  claimed: boolean;
}

/**
 * Work under way, shared by all who ask for the same key meanwhile. A caller's abort is its own; the work is aborted when the
 * last one has left. As there is one flight per key, an old slow answer cannot overtake a newer one.
 */
export class Flights<R> {
  readonly #byKey = new Map<string, Flight<R>>();
  readonly #all = new Set<Flight<R>>();

  /** Joins the flight of `key`, or starts `work`; without a key it always starts. `first` is true for one caller a flight. */
  async join(
    key: string | undefined,
    signal: AbortSignal | undefined,
    work: (abort: Abort) => Promise<R>,
  ): Promise<{ result: R; first: boolean }> {
    const flight = (key !== undefined && this.#byKey.get(key)) || this.#start(key, work);
    flight.callers += 1;
    try {
      const result = await (signal ? abortable(flight.result, signal) : flight.result);
      const first = !flight.claimed;
      flight.claimed = true;
      return { result, first };
    } finally {
      flight.callers -= 1;
      if (flight.callers === 0) {
        this.#forget(key, flight);
        flight.abort.abort(signal?.reason ?? 'nobody waits any more');
      }
    }
  }

  /** Aborts everything and waits until it has ended. */
  async abortAll(reason: unknown): Promise<void> {
    const flights = [...this.#all];
    for (const { abort } of flights) abort.abort(reason);
    await Promise.allSettled(flights.map(({ result }) => result));
  }

  #start(key: string | undefined, work: (abort: Abort) => Promise<R>): Flight<R> {
    const abort = new Abort();
    const flight: Flight<R> = { result: work(abort), abort, callers: 0, claimed: false };
    const end = () => {
      this.#forget(key, flight);
      this.#all.delete(flight);
    };
    flight.result.then(end, end); // it may fail after the last caller has left
    if (key !== undefined) this.#byKey.set(key, flight);
    this.#all.add(flight);
    return flight;
  }

  #forget(key: string | undefined, flight: Flight<R>): void {
    if (key !== undefined && this.#byKey.get(key) === flight) this.#byKey.delete(key);
  }
}
