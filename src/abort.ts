const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` once the signal aborts, at once if it has. Returns what takes the callback back, and must be called when
 * the work is over: a long-lived signal would collect callbacks otherwise.
 *
 * A signal gets one listener, however many wait for it: platforms warn of a leak from the eleventh on.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const callbacks = callbacksOf.get(signal) ?? listen(signal);
  const own = () => callback();
  callbacks.add(own);
  return () => {
    callbacks.delete(own);
    if (callbacks.size === 0) stopListening(signal);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksOf.set(signal, callbacks);
  signal.addEventListener('abort', runCallbacks, { once: true });
  return callbacks;
}

function stopListening(signal: AbortSignal): void {
  callbacksOf.delete(signal);
  signal.removeEventListener('abort', runCallbacks);
}

function runCallbacks(event: Event): void {
  const signal = event.target as AbortSignal;
  const callbacks = callbacksOf.get(signal) ?? [];
  callbacksOf.delete(signal);
  for (const callback of callbacks) callback();
}

/** A signal of one's own that follows others. */
export interface LinkedSignal {
  signal: AbortSignal;
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
