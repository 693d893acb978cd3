import type { SchemaError, SchemaValidator } from './generated/validators.js';
import * as compiled from './generated/validators.js';
import { jsonPointer, ownMember, valueAt } from './json-pointer.ts';
import { MAX_VIOLATIONS, type Violation } from './outcomes.ts';
import {
  errorEnvelopeSchema,
  invocationRequestSchema,
  invocationResponseSchema,
  type JsonSchema,
  protocolVersionSchema,
  skillDescriptorSchema,
  skillIndexEntrySchema,
  skillIndexShellSchema,
} from './schema.ts';
import { excerpt, show } from './text.ts';
import type {
  ErrorEnvelope,
  InvocationRequest,
  InvocationResponse,
  ProtocolVersion,
  Provider,
  SkillDescriptor,
  SkillIndex,
  SkillIndexEntry,
} from './types.ts';

/** The value itself, now typed, or what is wrong with it: at most {@link MAX_VIOLATIONS} are kept, all are counted. */
export type Validation<T> =
  | { ok: true; value: T }
  | { ok: false; violations: Violation[]; violationCount: number };

/** Keeps the first violations and counts all of them. */
class Violations {
  readonly kept: Violation[] = [];
  count = 0;

  add(make: () => Violation): void {
    this.count += 1;
    if (this.kept.length < MAX_VIOLATIONS) this.kept.push(make());
  }

  result<T>(value: unknown): Validation<T> {
    return this.count === 0
      ? { ok: true, value: value as T }
      : { ok: false, violations: this.kept, violationCount: this.count };
  }
}

/** A compiled validator with the schema it came from, which says what was expected. */
interface Rule {
  validator: SchemaValidator;
  schema: JsonSchema;
}

const shellRule: Rule = {
  validator: compiled.skillIndexShell,
  schema: skillIndexShellSchema,
};
const entryRule: Rule = {
  validator: compiled.skillIndexEntry,
  schema: skillIndexEntrySchema,
};

function check(rule: Rule, value: unknown, violations: Violations, at = ''): void {
  if (rule.validator(value)) return;
  for (const error of rule.validator.errors ?? []) {
    violations.add(() => explain(error, rule.schema, value, at));
  }
}

function explain(error: SchemaError, schema: JsonSchema, value: unknown, at: string): Violation {
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : undefined;
  const pointer = error.instancePath + (missing === undefined ? '' : jsonPointer([missing]));
  // The error points at a keyword; the schema around it says what was expected.
  const around = valueAt(schema, error.schemaPath.slice(1, error.schemaPath.lastIndexOf('/'))) as JsonSchema;
  const expected = describe((missing === undefined ? around : around.properties?.[missing]) ?? {});
  const actual = missing === undefined ? show(valueAt(value, error.instancePath)) : 'missing';
  return violation(at + pointer, expected, actual);
}

function violation(field: string, expected: string, actual: string): Violation {
  const where = field === '' ? 'The document' : excerpt(field, 200);
  const message = `${where} ${actual === 'missing' ? 'is missing' : `is ${actual}`}; expected ${expected}.`;
  return { field, expected, actual, message };
}

function describe(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  return schema.description ?? [schema.type].flat().join(' or ');
}

const validator =
  <T>(rule: Rule) =>
  (value: unknown): Validation<T> => {
    const violations = new Violations();
    check(rule, value, violations);
    return violations.result(value);
  };

/** Judges a value against the schema of a skill descriptor. Only own members count. Never throws. */
export const validateSkillDescriptor = validator<SkillDescriptor>({
  validator: compiled.skillDescriptor,
  schema: skillDescriptorSchema,
});
/** Judges a value against the schema of one entry of a skill index. Only own members count. Never throws. */
export const validateSkillIndexEntry = validator<SkillIndexEntry>(entryRule);
/** Judges a value against the schema of a `protocol` member (property 9). Only own members count. Never throws. */
export const validateProtocolVersion = validator<ProtocolVersion>({
  validator: compiled.protocolVersion,
  schema: protocolVersionSchema,
});
/** Judges a value against the schema of an invocation request (property 8). Only own members count. Never throws. */
export const validateInvocationRequest = validator<InvocationRequest>({
  validator: compiled.invocationRequest,
  schema: invocationRequestSchema,
});
/** Judges a value against the schema of an invocation response (property 8). Only own members count. Never throws. */
export const validateInvocationResponse = validator<InvocationResponse>({
  validator: compiled.invocationResponse,
  schema: invocationResponseSchema,
});
/** Judges a value against the schema of an error answer (protocol section 6). Only own members count. Never throws. */
export const validateErrorEnvelope = validator<ErrorEnvelope>({
  validator: compiled.errorEnvelope,
  schema: errorEnvelopeSchema,
});

export interface SkillIndexShell {
  protocol: ProtocolVersion;
  provider: Provider;
  skills: unknown[];
}

/** Judges a skill index around its entries: `skills` may hold anything. */
export const validateSkillIndexShell = validator<SkillIndexShell>(shellRule);

/** Judges one entry of an index, its violations pointed at from the index. */
export function validateEntryAt(entry: unknown, index: number): Validation<SkillIndexEntry> {
  const violations = new Violations();
  check(entryRule, entry, violations, jsonPointer(['skills', index]));
  return violations.result(entry);
}

/**
 * Judges a value against the schema of a skill index and the rule that no two entries share an id (property 5): each of
 * those that do is a violation at its `id`. Only own members count. Never throws.
 */
export function validateSkillIndex(value: unknown): Validation<SkillIndex> {
  const violations = new Violations();
  check(shellRule, value, violations);
  const skills = ownMember(value, 'skills');
  if (!Array.isArray(skills)) return violations.result(value);
  for (const [index, entry] of skills.entries()) {
    check(entryRule, entry, violations, jsonPointer(['skills', index]));
  }
  for (const [id, positions] of findDuplicateIds(skills)) {
    const others = `an id of its own, not one shared by entries ${enumerate(positions)}`;
    for (const index of positions) {
      violations.add(() => violation(jsonPointer(['skills', index, 'id']), others, show(id)));
    }
  }
  return violations.result(value);
}

/** The ids that occur more than once among the entries of an index, with all their positions from 0. */
export function findDuplicateIds(entries: readonly unknown[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    const id = ownMember(entry, 'id');
    if (typeof id !== 'string') continue;
    const known = positions.get(id);
    if (known) known.push(index);
    else positions.set(id, [index]);
  }
  for (const [id, where] of positions) if (where.length === 1) positions.delete(id);
  return positions;
}

/** Positions in words, the first ten of them: `0, 3 and 7`. */
function enumerate(positions: readonly number[]): string {
  const shown: (number | string)[] = positions.slice(0, 10);
  const rest = positions.length > 10 ? `${positions.length - 10} more` : shown.pop();
  return `${shown.join(', ')} and ${rest}`;
}
