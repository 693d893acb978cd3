/** A promise that the test settles. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Lets everything that is ready run: one turn of the event loop. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
