import { isSkillscoutError } from '../errors.ts';
import { jsonPointer } from '../protocol/index.ts';
import type { CallOptions } from './api.ts';
import { type InputSchema, issuesOf } from './check-input.ts';
import { whyNotStrict } from './strictness.ts';
import type { AgentTool, ToolError } from './tool.ts';
import { toolSchema } from './tool-schema.ts';
import { cleanLine } from './untrusted.ts';

const MESSAGE_TOKENS = 300;
const VIOLATION_TOKENS = 60;
const MAX_VIOLATIONS = 10;

interface ToolParts<Input> extends Pick<AgentTool, 'name' | 'description' | 'outputSchema' | 'annotations'> {
  input: InputSchema;
  notes?: string[];
  /** Gets only what `input` allows. */
  run(input: Input, call: CallOptions): Promise<object>;
}

/** A tool whose failures are results, but for an abort and a closed client. */
export function makeTool<Input>({ input, notes = [], run, ...parts }: ToolParts<Input>): AgentTool {
  const looseness = whyNotStrict(input);
  return {
    ...parts,
    inputSchema: toolSchema(input),
    strict: looseness === undefined,
    notes: looseness === undefined ? notes : [`not strict: ${looseness}`, ...notes],
    async execute(given, { signal } = {}) {
      signal?.throwIfAborted();
      try {
        const issues = issuesOf(input, given);
        if (issues.length === 0) return await run(given as Input, { signal });
        return toolError(
          'INVALID_INPUTS',
          'The input is not what the tool takes.',
          issues.map(({ path, message }) => ({ field: jsonPointer(path), message })),
        );
      } catch (error) {
        if (signal?.aborted) throw error;
        if (!isSkillscoutError(error)) return toolError('TOOL_FAILED', String(error));
        if (error.code === 'CLIENT_CLOSED') throw error;
        return toolError(error.code, error.message);
      }
    },
  };
}

/** The texts may be a stranger's. */
export function toolError(
  code: string,
  message: string,
  violations: readonly { field: string; message: string }[] = [],
): ToolError {
  const shown = violations.slice(0, MAX_VIOLATIONS).map((violation) => ({
    field: cleanLine(violation.field, VIOLATION_TOKENS),
    message: cleanLine(violation.message, VIOLATION_TOKENS),
  }));
  return {
    error: {
      code,
      message: cleanLine(message, MESSAGE_TOKENS),
      ...(shown.length > 0 && { violations: shown }),
    },
  };
}
