import type { AddressPolicy } from './address-policy.ts';
import type { GetReport } from './http-get.ts';

/** Name resolution, called as Node's `dns.lookup` is, with `{ all: true }`. */
export type Lookup = (
  hostname: string,
  options: { all: true },
  callback: (
    error: Error | null,
    address: string | { address: string; family: number }[],
    family?: number,
  ) => void,
) => void;

export interface NetworkOptions {
  lookup?: Lookup;
  /** URL of an HTTP proxy that all requests go through. */
  proxy?: string;
  /** PEM certificates that are trusted besides the platform's. */
  ca?: string;
  connectTimeoutMs: number;
  judgeAddress: AddressPolicy;
}

/** The way out: a fetch, what its address guard can see, and its end. */
export interface Network {
  fetch: typeof globalThis.fetch;
  addressCheck: GetReport['addressCheck'];
  /** Loads what the first request needs, so that no time limit pays for it. */
  prepare(): Promise<unknown>;
  close(): Promise<void>;
}
