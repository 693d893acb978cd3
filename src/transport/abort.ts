interface Subscribers {
  callbacks: Set<() => void>;
  listener: () => void;
}

const bySignal = new WeakMap<AbortSignal, Subscribers>();

/**
 * Calls back once when the signal aborts; returns what takes the callback away again. All callbacks of a signal share one
 * listener, which goes with the last of them: runtimes warn of a leak when the signal of many requests collects many.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = bySignal.get(signal) ?? subscribe(signal);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    bySignal.delete(signal);
  };
}

function subscribe(signal: AbortSignal): Subscribers {
  const callbacks = new Set<() => void>();
  const listener = () => {
    bySignal.delete(signal);
    for (const callback of [...callbacks]) callback();
  };
  signal.addEventListener('abort', listener, { once: true });
  const subscribers = { callbacks, listener };
  bySignal.set(signal, subscribers);
  return subscribers;
}

/**
 * Settles like `promise`, or rejects with `signal.reason` as soon as the signal aborts, and leaves no listener behind. What
 * arrives after the abort goes to `discard`.
 */
export function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  discard: (late: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason);
      promise.then(discard, () => {});
    };
    if (signal.aborted) return abort();
    const unsubscribe = onAbort(signal, abort);
    promise.then(resolve, reject).finally(unsubscribe);
  });
}
