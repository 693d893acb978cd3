import { tool as functionTool, type Tool } from '@openai/agents';
import { type AgentTool, loadingTools, type Toolbox } from '../agent/index.ts';
import type { AdapterOptions } from './options.ts';

export type { AdapterOptions } from './options.ts';

/** The SDK's type of a JSON Schema that is not held to be strict. */
type JsonSchema = {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties: true;
};

/**
 * One tool for the OpenAI Agents SDK (`@openai/agents`, from 0.20). The run's abort signal reaches it; what went wrong comes to
 * the model as a result that it can read, and only an abort or a closed client ends the run.
 */
export function toOpenAITool(tool: AgentTool, { needsApproval = false }: AdapterOptions = {}): Tool {
  return functionTool({
    name: tool.name,
    description: tool.description,
    // The SDK's types want to know at compile time whether a schema is strict.
    parameters: { ...tool.inputSchema } as unknown as JsonSchema,
    strict: tool.strict as false,
    needsApproval: needsApproval && tool.annotations.destructiveHint,
    errorFunction: null,
    // As text: the SDK takes objects of certain shapes for images and files.
    execute: async (input: unknown, _context?: unknown, details?: { signal?: AbortSignal }) =>
      JSON.stringify(await tool.execute(input, { signal: details?.signal })),
  });
}

/**
 * The toolbox's tools, as `new Agent({ tools })` takes them. Make them, and the agent, anew for each conversation: once the model
 * has read a skill, the skill's own tool is among them, from the next turn on.
 */
export function createOpenAITools(toolbox: Toolbox, options?: AdapterOptions): Tool[] {
  const tools: Tool[] = [];
  const add = (tool: AgentTool) => {
    if (!tools.some(({ name }) => name === tool.name)) tools.push(toOpenAITool(tool, options));
  };
  for (const tool of loadingTools(toolbox, add)) add(tool);
  return tools;
}
