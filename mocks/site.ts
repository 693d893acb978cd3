/**
 * A web site that exists only here: a function with its state in a closure. It runs behind a real socket (`serve`) or
 * behind msw (`toHandlers`). It answers for the host and scheme of `request.url`.
 *
 * What HTTP cannot say is said so: throwing {@link ConnectionReset}, or erroring the body with it, breaks the connection;
 * a site that never answers waits for `request.signal` ({@link untilAborted}), which aborts when the client gives up.
 */
export type MockSite = (request: Request) => Promise<Response>;

/** Thrown by a site to break the connection instead of answering. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';

  constructor() {
    super('The site broke the connection.');
  }
}

/** Rejects with the signal's reason once it aborts; never settles before. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), {
      once: true,
    });
  });
}
