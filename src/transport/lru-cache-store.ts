import { LRUCache } from 'lru-cache';
import type { CacheEntry, CacheStore } from './cache-store.ts';

/** Keeps answers in memory, bounded in number and in size of bodies, headers and keys; the least recently used go first. */
export function createLruCacheStore(limits: { maxEntries: number; maxBytes: number }): CacheStore {
  const entries = new LRUCache<string, CacheEntry>({
    // Without `max`, for which it would set aside memory at once.
    maxSize: limits.maxBytes,
    sizeCalculation: ({ bytes, url, headers, redirects }, key) =>
      headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0) +
      redirects.reduce((sum, redirect) => sum + redirect.length, 0) +
      (bytes + url.length + key.length),
  });
  return {
    get: (key) => entries.get(key),
    set: (key, entry) => {
      entries.set(key, entry);
      if (entries.size > limits.maxEntries) entries.pop();
    },
    delete: (key) => void entries.delete(key),
  };
}
