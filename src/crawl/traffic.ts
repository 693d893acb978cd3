import type { Traffic } from '../protocol/index.ts';
import type { GetReport } from '../transport/index.ts';

export function noTraffic(): Traffic {
  return {
    requests: 0,
    retries: 0,
    bytes: 0,
    waitMs: 0,
    documents: { miss: 0, hit: 0, revalidated: 0, stale: 0 },
  };
}

/** Adds what one document has cost. */
export function addTraffic(
  total: Traffic,
  { requests, retries, bytes, waitMs, cacheStatus }: GetReport,
): void {
  total.requests += requests;
  total.retries += retries;
  total.bytes += bytes;
  total.waitMs += waitMs;
  total.documents[cacheStatus] += 1;
}
