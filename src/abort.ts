/** A signal of one's own that follows others. */
export interface LinkedSignal {
  signal: AbortSignal;
  abort(reason: unknown): void;
  /** Stops following. Must be called once the work is over: long-lived signals would collect listeners otherwise. */
  unlink(): void;
}

/** Like `AbortSignal.any`, but leaves nothing behind on long-lived signals once unlinked. */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links = signals.map((signal) => {
    const follow = () => controller.abort(signal?.reason);
    if (signal?.aborted) follow();
    else signal?.addEventListener('abort', follow, { once: true });
    return () => signal?.removeEventListener('abort', follow);
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => {
      for (const remove of links) remove();
    },
  };
}
