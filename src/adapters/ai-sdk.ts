import { dynamicTool, type JSONSchema7, type JSONValue, jsonSchema, type Tool } from 'ai';
import { type AgentTool, loadingTools, type Toolbox, type ToolError } from '../agent/index.ts';
import type { AdapterOptions } from './options.ts';

export type { AdapterOptions } from './options.ts';

/**
 * One tool for the AI SDK (`ai`, 6 and 7). The SDK's abort signal reaches it; what went wrong comes to the model as an error
 * result that it can read.
 */
export function toAiSdkTool(tool: AgentTool, { needsApproval = false }: AdapterOptions = {}): Tool {
  return dynamicTool({
    description: tool.description,
    // Of a Standard Schema the SDK closes every object, and wrong input would not reach `execute`, which names what is wrong.
    inputSchema: jsonSchema({ ...tool.inputSchema } as JSONSchema7),
    strict: tool.strict,
    needsApproval: needsApproval && tool.annotations.destructiveHint,
    execute: (input, { abortSignal }) => tool.execute(input, { signal: abortSignal }),
    toModelOutput({ output }) {
      const value = output as JSONValue;
      return isToolError(output) ? { type: 'error-json', value } : { type: 'json', value };
    },
  });
}

/**
 * The toolbox's tools by name, as `generateText`, `streamText` and agents take them. Make them anew for each conversation: once
 * the model has read a skill, the skill's own tool is among them, from the next step on.
 */
export function createAiSdkTools(toolbox: Toolbox, options?: AdapterOptions): Record<string, Tool> {
  const tools: Record<string, Tool> = {};
  const add = (tool: AgentTool) => {
    tools[tool.name] = toAiSdkTool(tool, options);
  };
  for (const tool of loadingTools(toolbox, add)) add(tool);
  return tools;
}

function isToolError(output: unknown): output is ToolError {
  return typeof output === 'object' && output !== null && 'error' in output;
}
