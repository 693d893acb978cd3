import { MAX_VIOLATIONS } from '../protocol/index.ts';
import { both, isObject, namesOf, PASSED_OVER, type Path, RULES, type Verdict } from './schema-rules.ts';
import { type Steps, TooManySteps } from './steps.ts';

/** What a schema says of one value. */
export interface SchemaJudgement {
  /** What is surely wrong, the first {@link MAX_VIOLATIONS}. */
  faults: SchemaFault[];
  /** Keywords that were met and not checked, the first of them. */
  ignored: string[];
  /** False where it takes too many steps: then nothing is known. */
  finished: boolean;
}

export interface SchemaFault {
  /** From the value that was judged. */
  path: Path;
  expected: string;
  /** Undefined for what is missing. */
  actual: unknown;
}

/** Schemas within schemas, references followed. */
const MAX_NESTING = 200;
const MAX_IGNORED = 10;

/**
 * Judges a value by a JSON Schema that a stranger wrote: an interpreter of a part of draft 2020-12 that stops after so many steps
 * as it is given. It compiles nothing, follows only references within the schema, and runs no regular expression.
 *
 * Checked: `type`, `enum`, `const`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, `minLength`,
 * `maxLength`, `minItems`, `maxItems`, `uniqueItems`, `prefixItems`, `items`, `minProperties`, `maxProperties`, `required`,
 * `properties`, `additionalProperties`, `allOf`, `anyOf`, `oneOf`, `not`, `if`/`then`/`else`, and `$ref` to `#` or `#/…`. What only
 * describes is passed over. Any other keyword, and one with an operand that it does not take, is ignored and named: it refuses
 * nothing.
 */
export function checkSchema(schema: unknown, value: unknown, steps: Steps): SchemaJudgement {
  const faults: SchemaFault[] = [];
  const ignored = new Set<string>();

  function ignore(keyword: string): 'unknown' {
    if (ignored.size < MAX_IGNORED) ignored.add(keyword);
    return 'unknown';
  }

  function judge(node: unknown, judged: unknown, path: Path | undefined, depth: number): Verdict {
    steps.take(1);
    const fail = (expected: string, missing?: string) => {
      const fault =
        missing === undefined
          ? { path, actual: judged }
          : { path: path && [...path, missing], actual: undefined };
      if (fault.path && faults.length < MAX_VIOLATIONS) faults.push({ ...fault, path: fault.path, expected });
      return 'invalid' as const;
    };
    if (typeof node === 'boolean') return node ? 'valid' : fail('nothing');
    if (!isObject(node)) return ignore('schema');
    // With an identifier of its own, the references in it mean something else.
    if (node !== schema && Object.hasOwn(node, '$id')) return ignore('$id');
    if (depth > MAX_NESTING) throw new TooManySteps();
    const deeper = (inner: unknown, its: unknown, where: Path | undefined) =>
      judge(inner, its, where, depth + 1);
    const place = { schema: node, root: schema, path, steps, judge: deeper, fail };
    let verdict: Verdict = 'valid';
    for (const keyword of namesOf(node, steps)) {
      if (PASSED_OVER.has(keyword)) continue;
      const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
      const found = rule ? rule(node[keyword], judged, place) : 'ignored';
      verdict = both(verdict, found === 'ignored' ? ignore(keyword) : found);
    }
    return verdict;
  }

  try {
    judge(schema, value, [], 0);
    return { faults, ignored: [...ignored], finished: true };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return { faults: [], ignored: [], finished: false };
  }
}
