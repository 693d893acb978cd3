import type { CacheEntry } from './cache-store.ts';
import type { Received } from './exchange.ts';
import type { Fields } from './hop.ts';
import { parseRetryAfter } from './http-fields.ts';
import type { HttpResponse } from './http-get.ts';

/**
 * What is kept of the headers: all that freshness, validation and checks ask for. A server can invent others with every
 * answer, and some, such as cookies, must not lie on a disk.
 */
const STORED = [
  'age',
  'cache-control',
  'cf-mitigated',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'vary',
];

/** A received answer as checks see it. */
export function toResponse(url: string, received: Received, receivedAt: number): HttpResponse {
  const { status, fields, text } = received;
  const retryAfter = fields['retry-after'];
  const retryAfterMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, receivedAt);
  const response: HttpResponse = {
    url,
    status,
    contentType: fields['content-type'] ?? '',
    text,
    header: (name) => {
      const field = name.toLowerCase();
      return Object.hasOwn(fields, field) ? fields[field] : undefined;
    },
  };
  if (retryAfterMs !== undefined) response.retryAfterMs = retryAfterMs;
  return response;
}

/** A stored answer as checks see it. Only answers of status 200 are stored. */
export function copyResponse(entry: CacheEntry): HttpResponse {
  const { url, text, bytes, fetchedAt } = entry;
  return toResponse(url, { status: 200, fields: fieldsOf(entry), text, bytes }, fetchedAt);
}

/** The conditional headers that ask whether a copy still holds (RFC 9110, section 13.1); undefined where it has no validator. */
export function validators(entry: CacheEntry): { url: string; headers: Record<string, string> } | undefined {
  const { etag, 'last-modified': modified } = fieldsOf(entry);
  if (etag === undefined && modified === undefined) return undefined;
  return {
    url: entry.url,
    headers: {
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(modified !== undefined && { 'if-modified-since': modified }),
    },
  };
}

export function fieldsOf({ headers }: CacheEntry): Fields {
  return Object.fromEntries(headers);
}

export function storedHeaders(fields: Fields): [string, string][] {
  const stored: [string, string][] = [];
  for (const name of STORED) {
    const value = fields[name];
    if (value !== undefined) stored.push([name, value]);
  }
  return stored;
}

/**
 * Whether a 304 speaks of this copy: it names the copy's validator or none (RFC 9111, section 4.3.4). A server that goes by the
 * time alone takes the copy for what it has published in the same second.
 */
export function isConfirmed(entry: CacheEntry, { etag, 'last-modified': modified }: Fields): boolean {
  const { etag: ours, 'last-modified': ourTime } = fieldsOf(entry);
  if (etag !== undefined && ours !== undefined) return strong(etag) === strong(ours);
  return modified === undefined || ourTime === undefined || modified === ourTime;
}

/** Servers and proxies weaken a tag without changing what it stands for. */
const strong = (etag: string) => etag.replace(/^W\//, '');

/** The headers of a copy after a 304: the new ones win, but what describes the body stays (RFC 9111, section 3.2). */
export function renewedHeaders(entry: CacheEntry, renewal: Fields): [string, string][] {
  const merged = new Map(entry.headers);
  merged.delete('age');
  for (const [name, value] of storedHeaders(renewal)) {
    if (!name.startsWith('content-')) merged.set(name, value);
  }
  return [...merged];
}
