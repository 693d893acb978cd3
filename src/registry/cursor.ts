const NOT_ASCII = /[^\0-\x7f]/g;

/**
 * An opaque, URL-safe text that says where the next page begins. It carries a check over the position and the query's filters,
 * so that it works for the query that gave it and no other.
 */
export function encodeCursor(filters: unknown, position: object): string {
  return toBase64Url(JSON.stringify([check(filters, position), position]));
}

/**
 * Reads back the cursor of a position that is like `sample`: strings, and numbers from 0 on, whole ones where that of the sample
 * is whole. TypeError for one that is malformed, was altered, or belongs to a query with other filters.
 */
export function decodeCursor<Position extends object>(
  filters: unknown,
  cursor: string,
  sample: Position,
): Position {
  const position = positionOf(fromBase64Url(cursor));
  const isGiven = position !== undefined && encodeCursor(filters, position) === cursor;
  if (isGiven && isLike(position, sample)) return position as Position;
  throw new TypeError('cursor: expected a nextCursor that a query with the same filters gave');
}

function positionOf(text: string | undefined): object | undefined {
  try {
    return (JSON.parse(text ?? 'null') as [unknown, object] | null)?.[1];
  } catch {
    return undefined;
  }
}

function isLike(position: object, sample: object): boolean {
  const members = Object.entries(sample);
  return (
    Object.keys(position).length === members.length &&
    members.every(([name, value]) => {
      const given = (position as Record<string, unknown>)[name];
      if (typeof given !== 'number') return typeof given === typeof value;
      return given >= 0 && (Number.isInteger(value) ? Number.isSafeInteger(given) : Number.isFinite(given));
    })
  );
}

function check(filters: unknown, position: object): string {
  return fnv1a(JSON.stringify([filters, position])).toString(36);
}

// FNV-1a over UTF-16 units: against mix-ups, not against forgers; a cursor opens nothing that a query does not.
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Of JSON, where a character outside ASCII stands in strings alone and can be escaped. */
function toBase64Url(json: string): string {
  const ascii = json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string | undefined {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}
