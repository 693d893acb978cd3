import { canonicalJson, excerpt, ownMember, show, valueAt } from '../protocol/index.ts';
import { equalJson, UNITS_PER_STEP } from './equal-json.ts';
import type { Steps } from './steps.ts';

export type Path = readonly (string | number)[];

/** `unknown`: what is not checked could decide either way. It refuses nothing, and stays unknown under a `not`. */
export type Verdict = 'valid' | 'invalid' | 'unknown';

/** A schema at work on a value. */
export interface Place {
  schema: Record<string, unknown>;
  root: unknown;
  /** Where the value is; undefined where a fault decides nothing by itself, as inside `anyOf`. */
  path: Path | undefined;
  steps: Steps;
  judge: (schema: unknown, value: unknown, path: Path | undefined) => Verdict;
  /** Notes a fault of the value, or that its member `missing` is not there. */
  fail: (expected: string, missing?: string) => 'invalid';
}

/**
 * What one keyword says of a value. `operand` is what the publisher wrote, and may be anything; `ignored` where it is nothing that
 * the keyword takes.
 */
export type Rule = (operand: unknown, value: unknown, place: Place) => Verdict | 'ignored';

/** Keywords that only describe, or that another keyword's rule reads. */
export const PASSED_OVER: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'then',
  'else',
]);

const TYPES: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
};

/** Whether a value has the type of this name in JSON Schema; undefined where there is no such type. */
export function hasType(value: unknown, type: string): boolean | undefined {
  return Object.hasOwn(TYPES, type) ? TYPES[type]?.(value) : undefined;
}

/** Characters of one list of choices that a message repeats. */
const MAX_SHOWN = 200;

/** The choices of an `enum`, in words. */
export function oneOf(choices: readonly unknown[]): string {
  return `one of ${excerpt(choices.slice(0, 20).map(show).join(', '), MAX_SHOWN)}`;
}

/** A bound on what `measure` gives of a value; where that is undefined, it does not apply. */
const bound =
  (
    measure: (value: unknown, steps: Steps) => number | undefined,
    holds: (measured: number, operand: number) => boolean,
    expected: (operand: number) => string,
  ): Rule =>
  (operand, value, { steps, fail }) => {
    if (typeof operand !== 'number') return 'ignored';
    const measured = measure(value, steps);
    return measured === undefined || holds(measured, operand) ? 'valid' : fail(expected(operand));
  };

const itself = (value: unknown) => (typeof value === 'number' ? value : undefined);
const characters = (value: unknown, steps: Steps) => {
  if (typeof value !== 'string') return undefined;
  steps.take(Math.ceil(value.length / UNITS_PER_STEP));
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const members = (value: unknown, steps: Steps) =>
  isObject(value) ? namesOf(value, steps).length : undefined;
const atLeast = (measured: number, operand: number) => measured >= operand;
const atMost = (measured: number, operand: number) => measured <= operand;
/** As far as a double can tell: 0.3 is a multiple of 0.1. */
const isMultiple = (value: number, factor: number) => {
  const quotient = value / factor;
  return !Number.isFinite(quotient) || Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.abs(quotient);
};

export const RULES: Readonly<Record<string, Rule>> = {
  type(operand, value, { steps, fail }) {
    const types = [operand].flat();
    steps.take(types.length);
    const verdicts = types.map((type) => (typeof type === 'string' ? hasType(value, type) : undefined));
    if (verdicts.includes(true)) return 'valid';
    return verdicts.includes(undefined) || types.length === 0
      ? 'ignored'
      : fail([...new Set(types)].join(' or '));
  },
  enum(operand, value, { steps, fail }) {
    if (!Array.isArray(operand)) return 'ignored';
    return operand.some((choice) => equalJson(choice, value, steps)) ? 'valid' : fail(oneOf(operand));
  },
  const: (operand, value, { steps, fail }) =>
    equalJson(operand, value, steps) ? 'valid' : fail(show(operand)),

  minimum: bound(itself, atLeast, (least) => `a number of at least ${least}`),
  maximum: bound(itself, atMost, (most) => `a number of at most ${most}`),
  exclusiveMinimum: bound(
    itself,
    (value, limit) => value > limit,
    (limit) => `a number above ${limit}`,
  ),
  exclusiveMaximum: bound(
    itself,
    (value, limit) => value < limit,
    (limit) => `a number below ${limit}`,
  ),
  multipleOf: bound(itself, isMultiple, (factor) => `a multiple of ${factor}`),
  minLength: bound(characters, atLeast, (least) => `at least ${least} characters`),
  maxLength: bound(characters, atMost, (most) => `at most ${most} characters`),
  minItems: bound(items, atLeast, (least) => `at least ${least} items`),
  maxItems: bound(items, atMost, (most) => `at most ${most} items`),
  minProperties: bound(members, atLeast, (least) => `at least ${least} members`),
  maxProperties: bound(members, atMost, (most) => `at most ${most} members`),

  uniqueItems(operand, value, { steps, fail }) {
    if (typeof operand !== 'boolean') return 'ignored';
    if (!operand || !Array.isArray(value)) return 'valid';
    const texts = value.map((item) => {
      const text = canonicalJson(item);
      steps.take(Math.ceil(text.length / UNITS_PER_STEP));
      return text;
    });
    return new Set(texts).size === texts.length ? 'valid' : fail('items that all differ');
  },
  prefixItems(operand, value, place) {
    if (!Array.isArray(operand)) return 'ignored';
    if (!Array.isArray(value)) return 'valid';
    return allOf(value.slice(0, operand.length), (item, i) =>
      place.judge(operand[i], item, inside(place, i)),
    );
  },
  items(operand, value, place) {
    if (Array.isArray(operand)) return 'ignored';
    if (!Array.isArray(value)) return 'valid';
    const first = items(place.schema.prefixItems) ?? 0;
    return allOf(value.slice(first), (item, i) => place.judge(operand, item, inside(place, first + i)));
  },
  required(operand, value, { steps, fail }) {
    if (!Array.isArray(operand)) return 'ignored';
    steps.take(operand.length);
    if (!isObject(value)) return 'valid';
    const missing = operand.filter((name) => typeof name === 'string' && !Object.hasOwn(value, name));
    return allOf(missing, (name) => fail('a value', name));
  },
  properties(operand, value, place) {
    if (!isObject(operand)) return 'ignored';
    if (!isObject(value)) return 'valid';
    const named = namesOf(value, place.steps).filter((name) => Object.hasOwn(operand, name));
    return allOf(named, (name) => place.judge(operand[name], value[name], inside(place, name)));
  },
  additionalProperties(operand, value, place) {
    if (!isObject(value)) return 'valid';
    const { properties, patternProperties } = place.schema;
    const others = namesOf(value, place.steps).filter((name) => ownMember(properties, name) === undefined);
    // Which of them a pattern takes is not known.
    if (patternProperties !== undefined) return others.length === 0 ? 'valid' : 'unknown';
    return allOf(others, (name) => place.judge(operand, value[name], inside(place, name)));
  },

  allOf(operand, value, place) {
    if (!Array.isArray(operand)) return 'ignored';
    return allOf(operand, (schema) => place.judge(schema, value, place.path));
  },
  anyOf(operand, value, { judge, fail }) {
    if (!Array.isArray(operand)) return 'ignored';
    let verdict: Verdict = 'invalid';
    for (const schema of operand) {
      const each = judge(schema, value, undefined);
      if (each === 'valid') return 'valid';
      if (each === 'unknown') verdict = 'unknown';
    }
    return verdict === 'invalid' ? fail('what one of the alternatives (anyOf) takes') : verdict;
  },
  oneOf(operand, value, { judge, fail }) {
    if (!Array.isArray(operand)) return 'ignored';
    const verdicts = operand.map((schema) => judge(schema, value, undefined));
    const valid = verdicts.filter((verdict) => verdict === 'valid').length;
    if (valid <= 1 && verdicts.includes('unknown')) return 'unknown';
    return valid === 1 ? 'valid' : fail('what exactly one of the alternatives (oneOf) takes');
  },
  not(operand, value, { judge, fail }) {
    const verdict = judge(operand, value, undefined);
    if (verdict === 'unknown') return 'unknown';
    return verdict === 'invalid' ? 'valid' : fail('something else (not)');
  },
  if(operand, value, { schema, path, judge }) {
    const condition = judge(operand, value, undefined);
    if (condition === 'unknown') return 'unknown';
    const branch = condition === 'valid' ? 'then' : 'else';
    return Object.hasOwn(schema, branch) ? judge(schema[branch], value, path) : 'valid';
  },
  $ref(operand, value, { root, path, steps, judge }) {
    const target = typeof operand === 'string' ? resolve(operand, root, steps) : undefined;
    return target === undefined ? 'ignored' : judge(target, value, path);
  },
};

/** Every one must be valid; all are judged, so that each fault is named. */
function allOf<T>(judged: readonly T[], judge: (each: T, i: number) => Verdict): Verdict {
  return judged.map(judge).reduce(both, 'valid');
}

export function both(a: Verdict, b: Verdict): Verdict {
  if (a === 'invalid' || b === 'invalid') return 'invalid';
  return a === 'unknown' || b === 'unknown' ? 'unknown' : 'valid';
}

/** What a reference within the schema leads to: `#`, or `#` and a JSON Pointer. */
function resolve(reference: string, root: unknown, steps: Steps): unknown {
  steps.take(Math.ceil(reference.length / UNITS_PER_STEP));
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  try {
    return valueAt(root, decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

/** The names of its members, a step each: to list very many takes long, though few of them be looked at. */
export function namesOf(value: object, steps: Steps): string[] {
  const names = Object.keys(value);
  steps.take(names.length);
  return names;
}

const inside = ({ path }: Place, step: string | number): Path | undefined => path && [...path, step];

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
