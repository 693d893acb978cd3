import canonicalize from 'canonicalize';

/** The canonical JSON of a value (RFC 8785): two documents are equal when theirs is. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
