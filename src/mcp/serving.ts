/** What serving over streams and over HTTP have in common. */

/** Of one message that comes in. */
export const MAX_MESSAGE_BYTES = 4 * 2 ** 20;
/** How long answers that are under way may take when the serving is to end: hosts kill after two seconds. */
export const GRACE_MS = 1_000;

/** Calls `callback` once the signal aborts, at once if it has. For signals that do not outlive the serving by much. */
export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}
