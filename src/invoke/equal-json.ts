import type { Steps } from './steps.ts';

/** UTF-16 units of text that cost one step. */
export const UNITS_PER_STEP = 64;

/**
 * Whether two values that came from JSON are equal: -0 is 0, the order of members does not count, and only own members do. Takes
 * a step for every value compared and for every member listed.
 */
export function equalJson(a: unknown, b: unknown, steps: Steps): boolean {
  steps.take(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) steps.take(Math.floor(a.length / UNITS_PER_STEP));
    return a === b;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => equalJson(item, b[i], steps))
    );
  }
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(left);
  const others = Object.keys(right);
  steps.take(names.length + others.length);
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name], right[name], steps))
  );
}
