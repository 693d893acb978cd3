import type { Clock } from '../clock.ts';
import { parseUrl } from '../parse-url.ts';
import type { CacheEntry, CacheStore } from './cache-store.ts';
import { isStorable } from './freshness.ts';
import type { Fields } from './hop.ts';

/** What is needed to use a store that may be anybody's. */
interface StoreContext {
  store: CacheStore;
  clock: Clock;
}

/** What can be sent back to a server: the names and values of headers have no control characters. */
const FIELD_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Longest wait for an injected store. */
const MAX_STORE_MS = 2000;

export function readEntry(
  key: string,
  { store, clock }: StoreContext,
): CacheEntry | undefined | Promise<CacheEntry | undefined> {
  const read = quietly(() => store.get(key), clock);
  return read instanceof Promise ? read.then(onlyEntry) : onlyEntry(read);
}

/** Stores an entry, or removes what is stored where the server forbids keeping it. */
export function keep(
  key: string | undefined,
  entry: CacheEntry,
  fields: Fields,
  { store, clock }: StoreContext,
): void | Promise<void> {
  if (key === undefined) return;
  const storable = isStorable(fields);
  return quietly(() => (storable ? store.set(key, entry) : store.delete(key)), clock);
}

/** What its server has taken back stands in for no later error either. */
export function drop(key: string | undefined, { store, clock }: StoreContext): void | Promise<void> {
  if (key !== undefined) return quietly(() => store.delete(key), clock);
}

const onlyEntry = (read: CacheEntry | undefined) => (read && isEntry(read) ? read : undefined);

/** An injected store may hand out anything. */
function isEntry({ url, text, headers, redirects, view, fetchedAt, freshUntil }: CacheEntry): boolean {
  return (
    [url, text, view].every((member) => typeof member === 'string') &&
    parseUrl(url) !== undefined &&
    isHeaderList(headers) &&
    Array.isArray(redirects) &&
    Number.isFinite(fetchedAt) &&
    Number.isFinite(freshUntil)
  );
}

function isHeaderList(headers: unknown): boolean {
  const isField = (field: unknown) =>
    Array.isArray(field) && field.length === 2 && field.every((part) => FIELD_TEXT.test(part));
  return Array.isArray(headers) && headers.every(isField);
}

/** The port's rule: a store that fails, or does not answer in time, counts as empty. */
function quietly<T>(use: () => T | Promise<T>, clock: Clock): T | undefined | Promise<T | undefined> {
  try {
    const used = use();
    return isPending(used) ? inTime(used, clock) : used;
  } catch {
    return undefined;
  }
}

/** Promises of other realms and other makes as well. */
function isPending<T>(used: T | PromiseLike<T>): used is PromiseLike<T> {
  return typeof (used as Partial<PromiseLike<T>> | undefined)?.then === 'function';
}

async function inTime<T>(used: PromiseLike<T>, clock: Clock): Promise<T | undefined> {
  const waiting = new AbortController();
  try {
    return await Promise.race([used, clock.sleep(MAX_STORE_MS, waiting.signal).then(() => undefined)]);
  } catch {
    return undefined;
  } finally {
    waiting.abort('answered');
  }
}
