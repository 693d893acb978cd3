import { canonicalJson } from '../protocol/index.ts';

/** JSON Schema in the keywords that this folder uses, which mean the same in draft 2020-12, draft-07 and OpenAPI 3.0. */
export interface InputSchema {
  type?: JsonType;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, InputSchema>;
  required?: string[];
  additionalProperties?: false;
  items?: InputSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export interface InputIssue {
  path: (string | number)[];
  message: string;
}

const MAX_ISSUES = 20;

/** Where a value breaks a schema: the first 20 places. */
export function issuesOf(schema: InputSchema, value: unknown): InputIssue[] {
  const issues: InputIssue[] = [];
  visit(schema, value, [], issues);
  return issues.slice(0, MAX_ISSUES);
}

function visit(schema: InputSchema, value: unknown, path: (string | number)[], issues: InputIssue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  const add = (message: string) => issues.push({ path, message });
  if (schema.type !== undefined && !isOfType(schema.type, value)) add(`expected ${schema.type}`);
  else if (schema.enum !== undefined && !includesJson(schema.enum, value))
    add('expected one of the values of enum');
  else if (typeof value === 'string')
    within('characters', Array.from(value).length, schema.minLength, schema.maxLength, add);
  else if (typeof value === 'number') within('', value, schema.minimum, schema.maximum, add);
  else if (Array.isArray(value)) {
    within('items', value.length, schema.minItems, schema.maxItems, add);
    const { items } = schema;
    if (items) for (const [i, item] of value.entries()) visit(items, item, [...path, i], issues);
  } else if (typeof value === 'object' && value !== null) visitMembers(schema, value, path, issues);
}

function visitMembers(
  { properties = {}, required = [], additionalProperties }: InputSchema,
  value: object,
  path: (string | number)[],
  issues: InputIssue[],
): void {
  for (const name of required) {
    if (!Object.hasOwn(value, name)) issues.push({ path: [...path, name], message: 'is required' });
  }
  for (const [name, member] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema) visit(schema, member, [...path, name], issues);
    else if (additionalProperties === false)
      issues.push({ path: [...path, name], message: 'is not a member' });
  }
}

export function isOfType(type: JsonType, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function includesJson(values: readonly unknown[], value: unknown): boolean {
  const text = canonicalJson(value);
  return values.some((other) => canonicalJson(other) === text);
}

function within(
  unit: string,
  size: number,
  least: number | undefined,
  most: number | undefined,
  add: (message: string) => void,
): void {
  if (least !== undefined && size < least) add(`expected at least ${least} ${unit}`.trim());
  if (most !== undefined && size > most) add(`expected at most ${most} ${unit}`.trim());
}
