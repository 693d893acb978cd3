import type { InputSchema } from './check-input.ts';

/** What strict modes of runtimes take. */
const KEYWORDS = new Set([
  ...['type', 'description', 'enum', 'properties', 'required', 'additionalProperties', 'items'],
]);

/** Why a schema of the tool's input is not strict (see `AgentTool`), or undefined where it is. */
export function whyNotStrict(schema: InputSchema, name = 'the input'): string | undefined {
  if (schema.type === undefined) return `${name} has no type`;
  const other = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (other !== undefined) return `${name} has ${other}`;
  if (schema.type === 'array') {
    return schema.items ? whyNotStrict(schema.items, `an item of ${name}`) : `${name} takes any items`;
  }
  return schema.type === 'object' ? whyNotClosed(schema, name) : undefined;
}

function whyNotClosed({ properties = {}, required = [], additionalProperties }: InputSchema, name: string) {
  if (additionalProperties !== false) return `${name} takes any members`;
  for (const [member, schema] of Object.entries(properties)) {
    const reason = required.includes(member) ? whyNotStrict(schema, member) : `${member} is optional`;
    if (reason !== undefined) return reason;
  }
  return undefined;
}
