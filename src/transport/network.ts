import type { Clock } from '../clock.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { Hop } from './hop.ts';
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

/** `node`: by `node:http` and `node:https`, in Node alone and through no proxy · `ky`: by ky over fetch. */
export type TransportName = 'node' | 'ky';

export interface NetworkOptions {
  /** Default, in Node: by c-ares, then as the system does. */
  lookup?: Lookup;
  /** URL of an HTTP proxy that all requests go through. */
  proxy?: string;
  /** PEM certificates that are trusted besides the platform's. */
  ca?: string;
  /** Default: `node` where that can be. */
  transport?: TransportName;
  clock: Clock;
  connectTimeoutMs: number;
  /** Sockets that `node` keeps open without a request, all origins together; beyond, the one that has waited longest goes. */
  maxIdleSockets: number;
  judgeAddress: AddressPolicy;
}

/** The way out: single requests, what their address guard can see, and its end. */
export interface Network {
  hop: Hop;
  addressCheck: GetReport['addressCheck'];
  /** Loads what the first request needs, so that no time limit pays for it; undefined once it is there. */
  prepare(): Promise<unknown> | undefined;
  close(): Promise<void>;
}
