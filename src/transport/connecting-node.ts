import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';

/** How connections are made, whoever makes them. */
export interface Connecting {
  /** Judges what it finds. */
  lookup: LookupFunction;
  timeoutMs: number;
  tls: { secureContext?: SecureContext };
}

/** Longest wait for one address before the next one is tried as well (RFC 8305); Node's own 250 ms fail on distant hosts. */
export const ATTEMPT_TIMEOUT_MS = 1000;

/** A provider's requests follow each other closely; after that its sockets only stand in the way of the next ones. */
export const IDLE_TIMEOUT_MS = 1000;

export const MAX_HEADER_BYTES = 16_384;
