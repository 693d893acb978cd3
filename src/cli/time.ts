import { UsageError } from './usage-error.ts';

/** Milliseconds of the units in which spans are written and read, the longest first. */
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

type Unit = keyof typeof UNITS;

const SPAN = /^(\d{1,9})([dhms])$/;
// Fewer digits are a year, a date of ISO 8601 without its hyphens or seconds, not a time in the first months of 1970.
const EPOCH = /^(?:0|\d{11,15})$/;
const ISO = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** In ISO 8601, or the number where it is no time that a calendar has. */
export const isoTime = (ms: number): string =>
  Number.isFinite(new Date(ms).getTime()) ? new Date(ms).toISOString() : `${ms}`;

/** How long, in the longest unit that fits, rounded down: `45s`, `3m`, `2h`, `5d`. */
export function shortSpan(ms: number): string {
  const unit = (Object.keys(UNITS) as Unit[]).find((unit) => ms >= UNITS[unit]) ?? 's';
  return `${Math.max(0, Math.floor(ms / UNITS[unit]))}${unit}`;
}

/** When something is due: `in 2h`, `overdue by 5d`, or `now` in the first minute. */
export function dueText(dueAt: number, now: number): string {
  if (dueAt > now) return `in ${shortSpan(dueAt - now)}`;
  return now - dueAt < UNITS.m ? 'now' : `overdue by ${shortSpan(now - dueAt)}`;
}

/**
 * The value of `--since` in milliseconds since the epoch: that number itself, an ISO 8601 date or time (UTC unless it says
 * otherwise), or a span back from `now` such as `90m`.
 */
export function parseSince(text: string, now: number): number {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * UNITS[unit as Unit];
  if (EPOCH.test(text)) return Number(text);
  const [, date, time, offset] = ISO.exec(text) ?? [];
  const at = Date.parse(time && !offset ? `${text}Z` : text);
  // Date.parse takes February 30 for March 2.
  if (date !== undefined && Number.isFinite(at) && isoTime(Date.parse(date)).startsWith(date)) return at;
  throw new UsageError(
    '--since: expected an ISO 8601 date or time, milliseconds since 1970, or a span back such as 90m, 24h or 7d',
  );
}
