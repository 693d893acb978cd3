/**
 * The canonical JSON of a value that came from JSON (RFC 8785): members in the order of their UTF-16 units, numbers as
 * ECMAScript writes them. Two documents are equal exactly when theirs is. Unlike the RFC it takes lone surrogates, which
 * publishers send, and writes them as escapes.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
