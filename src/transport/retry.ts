import type { Fields } from './hop.ts';

const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 4000;

/**
 * Whether the same GET may well succeed at once: a connection that broke off, 408, and a 5xx that asks for no pause. An answer
 * with `Retry-After` is left to whoever paces the origin.
 */
export function isRetryable(hop: {
  type: string;
  reset?: boolean;
  received?: { status: number; fields: Fields };
}): boolean {
  if (hop.received === undefined) return hop.reset === true;
  const { status, fields } = hop.received;
  return (status === 408 || (status >= 500 && status < 600)) && fields['retry-after'] === undefined;
}

/** Exponential from 250 ms to 4 s, of which `random` in [0, 1) takes away up to a half. */
export function retryDelayMs(retried: number, random: number): number {
  return Math.min(BASE_DELAY_MS * 2 ** retried, MAX_DELAY_MS) * (1 - random / 2);
}
