import type { RetryAdvice } from '../protocol/index.ts';

const FIRST_POLL_MS = 250;
const POLL_FACTOR = 1.5;
const MAX_POLL_MS = 5000;
/** What is asked for is kept to, but nobody asks more often than this. */
const MIN_PAUSE_MS = 100;
/** Where a provider says `retry` and not when. */
const RETRY_MS = 1000;
/** In all, the first one included. */
const MAX_ATTEMPTS = 3;

/** How long to wait before asking for the status once more. `random` in [0, 1) takes away up to a fifth. */
export function pollPauseMs(
  polls: number,
  random: number,
  askedMs: number | undefined,
  maxMs: number,
): number {
  if (askedMs !== undefined) return Math.max(Math.min(askedMs, maxMs), MIN_PAUSE_MS);
  return Math.min(FIRST_POLL_MS * POLL_FACTOR ** polls, MAX_POLL_MS) * (1 - random / 5);
}

/** How often the same may be asked in all. */
export function attemptsLeft(attempts: number, retry: RetryAdvice | undefined): boolean {
  return attempts < Math.min(retry?.max_attempts ?? MAX_ATTEMPTS, MAX_ATTEMPTS);
}

/** How long to wait before the same request is sent again; undefined where it is not, for it would take too long. */
export function retryPauseMs(askedMs: number | undefined, maxMs: number): number | undefined {
  const pauseMs = Math.max(askedMs ?? RETRY_MS, MIN_PAUSE_MS);
  return pauseMs <= maxMs ? pauseMs : undefined;
}
