import type { CacheEntry, CacheStore } from '../index.ts';

/** A cache that can be read by URL: it tells how each document was served. */
export class ResponseLog implements CacheStore {
  /** Clients that share the log know again what their credentials have opened. */
  readonly secret = crypto.getRandomValues(new Uint8Array(32));
  readonly #entries = new Map<string, CacheEntry>();
  readonly #keys = new Map<string, string>();

  get(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: CacheEntry): void {
    this.#entries.set(key, entry);
    this.#keys.set(entry.redirects[0] ?? withoutFragment(entry.url), key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** What a request for this URL was answered with, provided the server let it be kept. */
  of(url: string): CacheEntry | undefined {
    const requested = withoutFragment(new URL(url).href);
    // A chain of redirects names its first URL without the query.
    const key = this.#keys.get(requested) ?? this.#keys.get(requested.replace(/\?.*$/s, ''));
    return key === undefined ? undefined : this.#entries.get(key);
  }
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
