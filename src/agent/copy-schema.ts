import { type InputSchema, isOfType, JSON_TYPES, type JsonType } from './check-input.ts';
import { isShowable, marked } from './untrusted.ts';

const MAX_DEPTH = 5;
const MAX_NODES = 100;
const MAX_ENUM_VALUES = 50;
const MAX_ENUM_TOKENS = 50;
const MAX_SIZE = 1_000_000;
const DESCRIPTION_TOKENS = 60;

/** What says nothing about which values are right, and may be missing without a word. */
const ANNOTATIONS = new Set([
  ...[
    '$schema',
    '$id',
    '$comment',
    '$defs',
    'definitions',
    'title',
    'description',
    'default',
    'examples',
    'example',
  ],
  ...['deprecated', 'readOnly', 'writeOnly'],
]);
/** Keywords that may be named in a note; what is in no vocabulary is text of a stranger. */
const NAMEABLE =
  /^(?:\$ref|\$dynamicRef|\$recursiveRef|allOf|anyOf|oneOf|not|if|then|else|const|pattern|format|patternProperties|propertyNames|dependent(?:Schemas|Required)|dependencies|prefixItems|additionalItems|contains|minContains|maxContains|uniqueItems|(?:min|max)Properties|multipleOf|exclusive(?:Minimum|Maximum)|unevaluated(?:Items|Properties)|additionalProperties|content(?:Encoding|MediaType|Schema)|nullable|enum|type|properties|required|items|(?:min|max)(?:Length|Items)|minimum|maximum)$/;

const SIZES = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
} as const;

/** Names of members that every runtime takes. */
export const MEMBER_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/;

/**
 * As much of a stranger's JSON Schema as can be shown to a model and judged by `issuesOf` in a bounded number of steps:
 * types, enumerations, bounds, members and items, five levels deep. What is left out makes it more permissive, never less;
 * `leaveOut` hears of it. Undefined where nothing is left, or where it is too large.
 */
export function copySchema(source: unknown, leaveOut: (what: string) => void): InputSchema | undefined {
  let nodes = 0;

  function copy(from: unknown, depth: number): InputSchema {
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) throw new TooLarge();
    if (!isObject(from)) {
      if (from !== true) leaveOut('a schema that is no object');
      return {};
    }
    const to: InputSchema = {};
    const { type } = from;
    if (isJsonType(type)) to.type = type;
    if (typeof from.description === 'string') to.description = describe(from.description, DESCRIPTION_TOKENS);
    const values = Object.hasOwn(from, 'enum') ? copyEnum(from.enum, to.type) : undefined;
    if (values) to.enum = values;
    if (to.type === 'string' || to.type === 'array') {
      for (const keyword of SIZES[to.type]) {
        const size = from[keyword];
        if (Number.isInteger(size) && 0 <= (size as number) && (size as number) <= MAX_SIZE)
          to[keyword] = size as number;
      }
    }
    if (to.type === 'number' || to.type === 'integer') {
      for (const keyword of ['minimum', 'maximum'] as const) {
        if (Number.isFinite(from[keyword])) to[keyword] = from[keyword] as number;
      }
    }
    if (to.type === 'array' && from.items !== undefined) to.items = copy(from.items, depth + 1);
    if (to.type === 'object') copyMembers(from, to, depth);
    for (const keyword of Object.keys(from)) {
      if (Object.hasOwn(to, keyword) || ANNOTATIONS.has(keyword)) continue;
      if (keyword === 'additionalProperties' && from[keyword] === true) continue;
      leaveOut(NAMEABLE.test(keyword) ? keyword : 'unknown keywords');
    }
    return to;
  }

  function copyMembers(from: Record<string, unknown>, to: InputSchema, depth: number): void {
    const { properties, required, additionalProperties } = from;
    if (isObject(properties)) {
      const names = Object.keys(properties);
      const kept = names.filter((name) => MEMBER_NAME.test(name));
      to.properties = Object.fromEntries(kept.map((name) => [name, copy(properties[name], depth + 1)]));
      if (kept.length < names.length) leaveOut('members with unusual names');
      else if (additionalProperties === false) to.additionalProperties = false;
      const known = to.properties;
      if (Array.isArray(required)) {
        to.required = [
          ...new Set(required.filter((name) => typeof name === 'string' && Object.hasOwn(known, name))),
        ];
      }
    }
  }

  try {
    const schema = copy(source, 0);
    return Object.keys(schema).length > 0 ? schema : undefined;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    leaveOut(`more than ${MAX_NODES} schemas or ${MAX_DEPTH} levels`);
    return undefined;
  }
}

class TooLarge extends Error {}

/** A publisher's description among what is ours. */
export function describe(text: string, tokens: number): string {
  return `Publisher's words: ${marked(text, tokens)}`;
}

/** The values of an enumeration, where each of them is plain and can be shown as it is; those of another type are left out. */
export function copyEnum(values: unknown, type: JsonType | undefined): unknown[] | undefined {
  if (!Array.isArray(values) || values.length > MAX_ENUM_VALUES) return undefined;
  const distinct = [...new Set(values)].filter((value) => type === undefined || isOfType(type, value));
  return distinct.length > 0 && distinct.every(isPlain) ? distinct : undefined;
}

/** Whether a value stands for itself when it is shown. */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return isShowable(value, MAX_ENUM_TOKENS);
  return typeof value === 'boolean' || value === null || Number.isFinite(value);
}

export function isJsonType(type: unknown): type is JsonType {
  return (JSON_TYPES as readonly unknown[]).includes(type);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
