/** Names that JSON writes as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The canonical JSON of a value that came from JSON (RFC 8785): members in the order of their UTF-16 units, numbers as
 * ECMAScript writes them. Two documents are equal exactly when theirs is. Unlike the RFC it takes lone surrogates, which
 * publishers send, and writes them as escapes.
 */
export function canonicalJson(value: unknown): string {
  return append('', value);
}

/** One text grows all the way: pieces that are put together later are more garbage than the text itself. */
function append(text: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return text + JSON.stringify(value);
  let grown = text;
  if (Array.isArray(value)) {
    grown += '[';
    for (let i = 0; i < value.length; i++) grown = append(i === 0 ? grown : `${grown},`, value[i]);
    return `${grown}]`;
  }
  const members = value as Record<string, unknown>;
  const names = inOrder(Object.keys(members));
  grown += '{';
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const quoted = PLAIN.test(name) ? `"${name}"` : JSON.stringify(name);
    grown = append(`${grown}${i === 0 ? '' : ','}${quoted}:`, members[name]);
  }
  return `${grown}}`;
}

/** Names that an insertion sort, which needs no memory, sorts faster than the engine does. */
const MAX_FEW = 32;

function inOrder(names: string[]): string[] {
  if (names.length > MAX_FEW) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i] as string;
    let at = i;
    for (; at > 0 && name < (names[at - 1] as string); at--) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return names;
}
