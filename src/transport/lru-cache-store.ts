import { LRUCache } from 'lru-cache';
import type { CacheEntry, CacheStore } from './cache-store.ts';

/** Keeps answers in memory, bounded in number and in bytes of body text; the least recently used go first. */
export function createLruCacheStore(limits: { maxEntries: number; maxBytes: number }): CacheStore {
  const entries = new LRUCache<string, CacheEntry>({
    max: limits.maxEntries,
    maxSize: limits.maxBytes,
    sizeCalculation: (entry) => Math.max(entry.bytes, 1),
  });
  return {
    get: (key) => entries.get(key),
    set: (key, entry) => void entries.set(key, entry),
    delete: (key) => void entries.delete(key),
  };
}
