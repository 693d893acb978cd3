/** Texts without a character that JSON escapes, of ASCII. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Beyond that the engine's own way is as fast. */
const MAX_PLAIN = 64;

/**
 * The canonical JSON of a value that came from JSON (RFC 8785): members in the order of their UTF-16 units, numbers as
 * ECMAScript writes them. Two documents are equal exactly when theirs is. Unlike the RFC it takes lone surrogates, which
 * publishers send, and writes them as escapes.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members).sort()) {
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(members[name])}`;
  }
  return `{${text}}`;
}

function quoted(text: string): string {
  return text.length <= MAX_PLAIN && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
