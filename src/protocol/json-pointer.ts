/** RFC 6901: the pointer to a member of a JSON document, such as `/skills/6/access`; the empty string for the whole. */
export function jsonPointer(segments: readonly (string | number)[]): string {
  return segments.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The own member that a pointer leads to, or undefined. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    value = ownMember(value, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}

/** A member of an object or array itself, never one of its prototype; undefined where there is none. */
export function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
