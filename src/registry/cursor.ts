import type { SkillKey, StoreQuery } from './store.ts';

/**
 * An opaque, URL-safe text that says where the next page begins. It carries a check over the key and the query's filters,
 * so that it works for the query that gave it and no other; `limit`, `total` and the time may change between pages.
 */
export function encodeCursor(query: StoreQuery, { domain, id }: SkillKey): string {
  return toBase64Url(`${check(query, domain, id)} ${domain} ${id}`);
}

/** Reads a cursor back. TypeError for one that is malformed, was altered, or belongs to a query with other filters. */
export function decodeCursor(query: StoreQuery, cursor: string): SkillKey {
  const [, domain, id] = /^\S+ (\S+) (.+)$/su.exec(fromBase64Url(cursor) ?? '') ?? [];
  if (domain !== undefined && id !== undefined && encodeCursor(query, { domain, id }) === cursor) {
    return { domain, id };
  }
  throw new TypeError('cursor: expected a nextCursor that a query with the same filters gave');
}

function check(query: StoreQuery, domain: string, id: string): string {
  const { capabilityTypes, access, authTypes, tags, domains, words, freshness, includePrivate } = query;
  return fnv1a(
    JSON.stringify([
      [capabilityTypes, access, authTypes, tags, domains, words, freshness, includePrivate],
      domain,
      id,
    ]),
  ).toString(36);
}

// FNV-1a over UTF-16 units: against mix-ups, not against forgers; a cursor opens nothing that a query does not.
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function toBase64Url(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string | undefined {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
