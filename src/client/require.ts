/** What a caller passes is refused by a TypeError that names the option. */

/** Refuses what is no object and members that nobody knows; `name` is that of the object. */
export function requireKnown(name: string, given: unknown, known: readonly string[]): void {
  requireType(name, given, 'object');
  for (const member of Object.keys(given as object)) {
    if (known.includes(member)) continue;
    throw new TypeError(`${name === 'options' ? '' : `${name}.`}${member}: there is no such option`);
  }
}

export function requireType(
  name: string,
  value: unknown,
  type: 'string' | 'boolean' | 'function' | 'object',
): void {
  if (typeof value === type && value !== null) return;
  throw new TypeError(`${name}: expected ${type === 'object' ? 'an' : 'a'} ${type}`);
}

export function requireSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new TypeError('signal: expected an AbortSignal');
}

export function requireFlags(flags: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(flags)) {
    if (typeof value !== 'boolean') throw new TypeError(`${name}: expected true or false`);
  }
}
