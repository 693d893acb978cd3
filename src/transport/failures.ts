import type { ErrorCode, Failure } from '../errors.ts';

/** Thrown by the guard inside the connector; carries its refusal through fetch's cause chain. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

/** Thrown when name resolution failed, whatever code the resolver gave. */
export class NameResolutionError extends Error {
  override readonly name = 'NameResolutionError';
}

export interface NetworkFailure {
  failure: Failure;
  /** The connection broke off: the same GET may well succeed on another one. */
  reset: boolean;
}

/** What TLS says to bytes that are none of its own, by code or in words: EPROTO stands for all its failures. */
const NO_TLS = /wrong.version.number/i;
const RESET = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TIMED_OUT = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const DNS = /^(?:EAI_\w+|ENOTFOUND|ENODATA|ESERVFAIL|EBADNAME)$/;
const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH|EPROTO$|UND_ERR_PRX_TLS)/;
const COMPRESSION = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ZSTD_)/;
const HEADERS = /^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/;

/** Whether a connection of Node's own broke off. */
export function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RESET.has(String(error.code));
}

interface Cause {
  code?: unknown;
  message?: unknown;
  address?: unknown;
  port?: unknown;
}

/**
 * Says what broke an exchange with `host`. fetch reports "fetch failed" for everything; the reason is in the cause chain or,
 * where several addresses were tried, in the errors of an AggregateError. The message names the codes and addresses found.
 */
export function describeNetworkError(error: unknown, host: string): NetworkFailure {
  const causes = flatten(error);
  const codes = [...new Set(causes.map(({ code }) => code).filter((code) => typeof code === 'string'))];
  const refusal = causes.find((cause) => cause instanceof AddressRefusedError);
  if (refusal instanceof Error) {
    return { failure: { code: 'ADDRESS_REFUSED', message: refusal.message }, reset: false };
  }
  const unresolved = causes.some((cause) => cause instanceof NameResolutionError);
  const code = unresolved ? 'DNS_FAILURE' : classify(codes);
  const addresses = [...new Set(causes.map(dialled).filter((address) => address !== undefined))];
  const reasons = codes.length > 0 ? codes.join(', ') : lastMessage(causes);
  const isPlain = causes.some(({ code, message }) => NO_TLS.test(`${code} ${message}`));
  const hint = isPlain ? '; perhaps the server speaks plain http' : '';
  const tried = addresses.length > 0 ? ` (tried ${addresses.join(', ')})` : '';
  return {
    failure: { code, message: `${host}: ${SUMMARY[code]}: ${reasons}${tried}${hint}` },
    reset: code === 'NETWORK_FAILURE' && codes.some((found) => RESET.has(found)),
  };
}

const SUMMARY = {
  DNS_FAILURE: 'the name does not resolve',
  TLS_FAILURE: 'no trusted TLS connection',
  HEADERS_TOO_LARGE: 'the response headers are too large',
  BAD_ENCODING: 'the compression of the body is broken',
  TIMEOUT: 'no answer in time',
  NETWORK_FAILURE: 'the connection failed',
} satisfies Partial<Record<ErrorCode, string>>;

function classify(codes: readonly string[]): keyof typeof SUMMARY {
  if (codes.some((code) => DNS.test(code))) return 'DNS_FAILURE';
  if (codes.some((code) => TLS.test(code))) return 'TLS_FAILURE';
  if (codes.some((code) => HEADERS.test(code))) return 'HEADERS_TOO_LARGE';
  if (codes.some((code) => COMPRESSION.test(code))) return 'BAD_ENCODING';
  return codes.length > 0 && codes.every((code) => TIMED_OUT.has(code)) ? 'TIMEOUT' : 'NETWORK_FAILURE';
}

/** The error, its causes and the members of every AggregateError among them, outermost first. */
function flatten(error: unknown, seen = new Set<unknown>()): Cause[] {
  if (typeof error !== 'object' || error === null || seen.has(error)) return [];
  seen.add(error);
  const inner = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const cause = 'cause' in error ? [error.cause] : [];
  return [error, ...[...inner, ...cause].flatMap((next) => flatten(next, seen))];
}

function dialled({ address, port }: Cause): string | undefined {
  if (typeof address !== 'string') return undefined;
  return typeof port === 'number' ? `${address.includes(':') ? `[${address}]` : address}:${port}` : address;
}

/** What the innermost error says, in one short line; URLs in it lose their query strings. */
function lastMessage(causes: readonly Cause[]): string {
  const message = causes.findLast(
    (cause) => typeof cause.message === 'string' && cause.message !== '',
  )?.message;
  if (typeof message !== 'string') return 'unknown reason';
  return message
    .replace(/[?#]\S*/g, '')
    .replace(/\p{C}+/gu, ' ')
    .slice(0, 200);
}
