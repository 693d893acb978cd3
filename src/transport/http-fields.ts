/** RFC 9111, section 1.2.2: larger values count as this one. */
const MAX_DELTA_SECONDS = 2 ** 31;

const HTTP_DATE_FORMS = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const ASCTIME_FORM = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Milliseconds since the epoch from any of the three forms of RFC 9110, section 5.6.7; undefined for anything else. */
export function parseHttpDate(value: string): number | undefined {
  const text = value.trim();
  let time = Number.NaN;
  if (HTTP_DATE_FORMS.some((form) => form.test(text))) time = Date.parse(text);
  else if (ASCTIME_FORM.test(text)) time = Date.parse(`${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Seconds from a non-negative whole number, at most 2^31 (RFC 9111, section 1.2.2); undefined for anything else. */
export function parseDeltaSeconds(value: string): number | undefined {
  const text = value.trim();
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELTA_SECONDS) : undefined;
}

/**
 * What a `Retry-After` field asks for (RFC 9110, section 10.2.3), in milliseconds from `now`: never negative, at most 2^31
 * seconds. A date in the past asks for 0. Undefined for garbage.
 */
export function parseRetryAfter(value: string, now: number): number | undefined {
  const seconds = parseDeltaSeconds(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = parseHttpDate(value);
  return date === undefined ? undefined : Math.min(Math.max(date - now, 0), MAX_DELTA_SECONDS * 1000);
}
