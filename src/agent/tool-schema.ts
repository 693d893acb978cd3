import { type InputSchema, issuesOf } from './check-input.ts';
import type { ToolSchema } from './tool.ts';

const TARGETS = ['draft-2020-12', 'draft-07', 'openapi-3.0'];

/** Makes a JSON Schema a Standard Schema as well. */
export function toolSchema(schema: InputSchema): ToolSchema {
  const convert = ({ target }: { target: string }): Record<string, unknown> => {
    if (TARGETS.includes(target)) return structuredClone({ ...schema });
    throw new TypeError(`target: expected one of ${TARGETS.join(', ')}`);
  };
  const standard: ToolSchema['~standard'] = {
    version: 1,
    vendor: 'skillscout',
    validate: (value) => {
      const issues = issuesOf(schema, value);
      return issues.length > 0 ? { issues } : { value: value as Record<string, unknown> };
    },
    jsonSchema: { input: convert, output: convert },
  };
  return Object.defineProperty({ ...schema }, '~standard', { value: standard }) as ToolSchema;
}
