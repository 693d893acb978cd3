import type { Fields } from './hop.ts';
import { parseDeltaSeconds, parseHttpDate } from './http-fields.ts';

/**
 * When a stored answer needs a new look: RFC 9111 for a private cache, as pure functions of header fields and times.
 *
 * Written out here since the known library reads the machine's own clock, defaults to the rules of shared caches and is
 * CommonJS. Deliberate differences from the RFC:
 * - an answer without an `Age` field is taken to come from its origin now. `Date` is compared only with the server's own
 *   `Expires` and `Last-Modified`, never with our clock: the difference would measure clock skew and our own latency;
 * - what a request sends never differs for one cache key, so `Vary` matters only as `*`.
 */
export interface FreshnessBounds {
  /** Floor of every lifetime, unless the server says `no-cache`. */
  minFreshMs: number;
  /** Ceiling of every lifetime. */
  maxFreshMs: number;
}

export interface CacheControl {
  noStore: boolean;
  noCache: boolean;
  mustRevalidate: boolean;
  /** Seconds. Of several, the smallest; 0 where the value is unreadable (section 4.2.1). */
  maxAge?: number;
  /** Seconds (RFC 5861, section 3). */
  staleWhileRevalidate?: number;
  /** Seconds (RFC 5861, section 4). */
  staleIfError?: number;
}

/** For how long past its freshness a copy may still be used. */
export interface StaleWindows {
  /** At once, while a refresh is under way. */
  whileRevalidateMs: number;
  /** In place of a refresh that failed. */
  ifErrorMs: number;
}

/** Longest lifetime that is guessed from `Last-Modified`: a day. */
const MAX_HEURISTIC_MS = 86_400_000;

const DIRECTIVE = /([^\s=,;"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;]*)))?/g;

/** Reads `Cache-Control` (RFC 9111, section 5.2). Case does not matter; of contradicting directives the strictest holds. */
export function parseCacheControl(value: string): CacheControl {
  const control: CacheControl = { noStore: false, noCache: false, mustRevalidate: false };
  const smallest = (known: number | undefined, value: string) =>
    Math.min(known ?? Number.POSITIVE_INFINITY, parseDeltaSeconds(value) ?? 0);
  for (const [, name = '', quoted, token] of value.matchAll(DIRECTIVE)) {
    switch (name.toLowerCase()) {
      case 'no-store':
        control.noStore = true;
        break;
      case 'no-cache':
        control.noCache = true;
        break;
      case 'must-revalidate':
        control.mustRevalidate = true;
        break;
      case 'max-age':
        control.maxAge = smallest(control.maxAge, quoted ?? token ?? '');
        break;
      case 'stale-while-revalidate':
        control.staleWhileRevalidate = smallest(control.staleWhileRevalidate, quoted ?? token ?? '');
        break;
      case 'stale-if-error':
        control.staleIfError = smallest(control.staleIfError, quoted ?? token ?? '');
        break;
    }
  }
  return control;
}

/** Whether a private cache may keep the answer at all (section 5.2.2.5). */
export function isStorable(fields: Fields): boolean {
  return !cacheControl(fields).noStore;
}

/** Until when an answer needs no new look; milliseconds since the epoch. */
export function freshUntil(fields: Fields, receivedAt: number, bounds: FreshnessBounds): number {
  const control = cacheControl(fields);
  if (control.noStore || alwaysAsks(fields, control)) return receivedAt;
  const remaining = lifetimeMs(fields, control, receivedAt) - ageMs(fields);
  return receivedAt + Math.min(Math.max(remaining, bounds.minFreshMs), bounds.maxFreshMs);
}

/**
 * How far past its freshness an answer goes. Without `stale-if-error` the limit itself holds for a failed refresh; with
 * `must-revalidate`, `no-cache` (sections 5.2.2.2 and 5.2.2.4) or `Vary: *` nothing past freshness does. `limitMs` bounds both.
 */
export function staleWindows(fields: Fields, limitMs: number): StaleWindows {
  const control = cacheControl(fields);
  const { staleWhileRevalidate = 0, staleIfError } = control;
  if (forbidsStale(fields)) return { whileRevalidateMs: 0, ifErrorMs: 0 };
  return {
    whileRevalidateMs: Math.min(staleWhileRevalidate * 1000, limitMs),
    ifErrorMs: staleIfError === undefined ? limitMs : Math.min(staleIfError * 1000, limitMs),
  };
}

/** Whether an answer must not be used past its freshness, whatever the caller would take (section 4.2.4). */
export function forbidsStale(fields: Fields): boolean {
  const control = cacheControl(fields);
  return control.mustRevalidate || alwaysAsks(fields, control);
}

/** What was read last: it is asked for several times an answer, and a server says the same with most of its answers. */
let lastRead = { value: '', control: parseCacheControl('') };

function cacheControl(fields: Fields): Readonly<CacheControl> {
  const value = fields['cache-control'] ?? '';
  if (value !== lastRead.value) lastRead = { value, control: parseCacheControl(value) };
  return lastRead.control;
}

/** Whether no copy may be used before the server has confirmed it: `no-cache`, or a `Vary` that holds `*` (section 4.1). */
function alwaysAsks(fields: Fields, { noCache }: CacheControl): boolean {
  return noCache || (fields.vary ?? '').split(',').some((member) => member.trim() === '*');
}

/** Section 4.2.1: `max-age`, else `Expires`, else a tenth of the time since the last modification (section 4.2.2). */
function lifetimeMs(fields: Fields, control: CacheControl, receivedAt: number): number {
  if (control.maxAge !== undefined) return control.maxAge * 1000;
  const date = parseHttpDate(fields.date ?? '') ?? receivedAt;
  const expires = fields.expires;
  if (expires !== undefined) return Math.max((parseHttpDate(expires) ?? date) - date, 0);
  const modified = parseHttpDate(fields['last-modified'] ?? '');
  return modified === undefined ? 0 : Math.min(Math.max(date - modified, 0) / 10, MAX_HEURISTIC_MS);
}

/** Time spent in caches on the way (section 5.1). Of several values the first counts. */
function ageMs(fields: Fields): number {
  const [first = ''] = (fields.age ?? '').split(',');
  return (parseDeltaSeconds(first) ?? 0) * 1000;
}
