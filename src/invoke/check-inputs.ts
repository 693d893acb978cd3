import {
  excerpt,
  jsonPointer,
  MAX_VIOLATIONS,
  type ParameterDefinition,
  show,
  type Violation,
  type Warning,
} from '../protocol/index.ts';
import { checkSchema } from './check-schema.ts';
import { equalJson } from './equal-json.ts';
import { hasType, oneOf, type Path } from './schema-rules.ts';
import { Steps, TooManySteps } from './steps.ts';

/** For all parameter schemas of one skill together: a few milliseconds. */
const MAX_STEPS = 10_000;
/** For all enumerations of one skill together, each choice at least a step. */
const MAX_ENUM_STEPS = 100_000;

/** Inputs by the definitions of a skill. */
export interface InputCheck {
  /** What is sent: the inputs, and for each that was left out the default of its definition, where that is one it takes. */
  inputs: Record<string, unknown>;
  /** The first {@link MAX_VIOLATIONS}. `field` is a JSON Pointer into the inputs. */
  violations: Violation[];
  /** `SCHEMA_NOT_CHECKED` for what a definition says and nobody checks. `field` is a JSON Pointer into the descriptor. */
  warnings: Warning[];
}

/**
 * Checks inputs, which came from JSON, by the definitions of a skill: name, `required`, `type` where it is one of JSON Schema's,
 * `enum`, and `schema` as far as {@link checkSchema} goes. A name that no definition has is refused; where several have it, each
 * must hold. Only own members count.
 */
export function checkInputs(
  definitions: readonly ParameterDefinition[],
  given: Record<string, unknown>,
  steps = new Steps(MAX_STEPS),
): InputCheck {
  const violations: Violation[] = [];
  const warnings: Warning[] = [];
  const violate = (path: Path, expected: string, actual: unknown) => {
    if (violations.length === MAX_VIOLATIONS) return;
    const violation = violationAt(path, expected, actual);
    // A definition and its schema often say the same.
    const isKnown = violations.some((each) => each.field === violation.field && each.expected === expected);
    if (!isKnown) violations.push(violation);
  };
  const notChecked = (path: Path, message: string) => {
    if (warnings.length === MAX_VIOLATIONS) return;
    warnings.push({ code: 'SCHEMA_NOT_CHECKED', message, field: jsonPointer(['inputs', ...path]) });
  };

  const enumSteps = new Steps(MAX_ENUM_STEPS);
  const inputs = withDefaults(definitions, given, enumSteps);
  const names = new Set(definitions.map(({ name }) => name));
  const known = names.size > 0 ? `no parameters but these: ${list([...names])}` : 'no parameters';
  for (const [name, value] of Object.entries(inputs)) {
    if (!names.has(name)) violate([name], known, value);
  }
  for (const [i, definition] of definitions.entries()) {
    const { name, required, schema } = definition;
    if (!Object.hasOwn(inputs, name)) {
      if (required === true) violate([name], 'a value, as it is required', undefined);
      continue;
    }
    const value = inputs[name];
    const { expected, finished: isJudged } = expectedBy(definition, value, enumSteps);
    if (expected !== undefined) violate([name], expected, value);
    if (!isJudged) notChecked([i, 'enum'], 'to check it takes too many steps');
    if (hasUnknownType(definition)) notChecked([i, 'type'], 'the type is none of JSON Schema');
    if (schema === undefined) continue;
    const { faults, ignored, finished } = checkSchema(schema, value, steps);
    for (const fault of faults) violate([name, ...fault.path], fault.expected, fault.actual);
    if (!finished) notChecked([i, 'schema'], 'to check it takes too many steps');
    if (ignored.length > 0) notChecked([i, 'schema'], `these keywords are not checked: ${list(ignored)}`);
  }
  return { inputs, violations, warnings };
}

function withDefaults(
  definitions: readonly ParameterDefinition[],
  given: Record<string, unknown>,
  steps: Steps,
): Record<string, unknown> {
  const missing = definitions.filter((definition) => {
    if (Object.hasOwn(given, definition.name) || definition.default === undefined) return false;
    const { expected, finished } = expectedBy(definition, definition.default, steps);
    return finished && expected === undefined;
  });
  const defaults = missing.map((definition) => [definition.name, definition.default] as const);
  // Not by assignment: a name can be `__proto__`.
  return Object.fromEntries([...defaults, ...Object.entries(given)]);
}

/** What `type` and `enum` of a definition expect instead of this value, if they do; not finished where that takes too many steps. */
function expectedBy(
  { type, enum: choices }: ParameterDefinition,
  value: unknown,
  steps: Steps,
): { expected?: string; finished: boolean } {
  if (type !== undefined && hasType(value, type) === false) return { expected: type, finished: true };
  if (choices === undefined) return { finished: true };
  try {
    const isChoice = choices.some((choice) => equalJson(choice, value, steps));
    return { ...(!isChoice && { expected: oneOf(choices) }), finished: true };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return { finished: false };
  }
}

const hasUnknownType = ({ type }: ParameterDefinition) =>
  type !== undefined && hasType(null, type) === undefined;

function violationAt(path: Path, expected: string, value: unknown): Violation {
  const field = jsonPointer(path);
  const actual = show(value);
  const message = `${excerpt(field, 200)} is ${actual}; expected ${expected}.`;
  return { field, expected, actual, message };
}

/** The first of these texts, cut and cleaned. */
const list = (texts: readonly string[]) => excerpt(texts.slice(0, 20).join(', '), 200) || 'none';
