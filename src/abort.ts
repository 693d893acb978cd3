/**
 * An AbortController and its signal in one, for work inside: the platform's pair costs more than a small answer takes to be
 * read. `signal` is one of the platform's, made when it is asked for.
 */
export class Abort {
  aborted = false;
  reason: unknown;
  readonly #callbacks = new Set<() => void>();
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    for (const callback of this.#callbacks) callback();
    this.#callbacks.clear();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** As the function of that name. */
  onAbort(callback: () => void): () => void {
    if (this.aborted) callback();
    else this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }
}

/** What can be watched for an abort. */
export type Abortable = AbortSignal | Abort;

/** For whoever takes the platform's signals alone. */
export function platformSignal(signal: Abortable): AbortSignal {
  return signal instanceof Abort ? signal.signal : signal;
}

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` once the signal aborts, at once if it has. Returns what takes the callback back, and must be called when
 * the work is over: a long-lived signal would collect callbacks otherwise.
 *
 * All callbacks of a signal share one listener, which goes with the last of them: runtimes warn of a leak from the eleventh
 * listener on.
 */
export function onAbort(signal: Abortable, callback: () => void): () => void {
  if (signal instanceof Abort) return signal.onAbort(callback);
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const callbacks = callbacksOf.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    callbacksOf.delete(signal);
    signal.removeEventListener('abort', runCallbacks);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksOf.set(signal, callbacks);
  signal.addEventListener('abort', runCallbacks, { once: true });
  return callbacks;
}

function runCallbacks(event: Event): void {
  const signal = event.target as AbortSignal;
  const callbacks = [...(callbacksOf.get(signal) ?? [])];
  callbacksOf.delete(signal);
  for (const callback of callbacks) callback();
}

/**
 * Settles like `promise`, or rejects with `signal.reason` as soon as the signal aborts, and leaves no listener behind. What
 * arrives after the abort goes to `discard`.
 */
export function abortable<T>(
  promise: Promise<T>,
  signal: Abortable,
  discard: (late: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => {
      reject(signal.reason);
      promise.then(discard, () => {});
    });
    promise.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}

/** A signal of one's own that follows others. */
export interface LinkedSignal {
  signal: AbortSignal;
  /** A reason saves the cost of making an error with its stack. */
  abort(reason: unknown): void;
  /** Stops following. Must be called once the work is over. */
  unlink(): void;
}

/** Like `AbortSignal.any`, but leaves nothing behind on long-lived signals once unlinked. */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links = signals.map((signal) => signal && onAbort(signal, () => controller.abort(signal.reason)));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => {
      for (const unlink of links) unlink?.();
    },
  };
}
