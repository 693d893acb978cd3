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
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
