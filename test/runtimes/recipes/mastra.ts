import { Agent, type AgentConfig } from '@mastra/core/agent';
import { createTool, type Tool } from '@mastra/core/tools';
import type { Client } from 'skillscout';
import { type AgentTool, createToolbox, loadingTools } from 'skillscout/agent';

const toMastra = (tool: AgentTool) =>
  createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    strict: tool.strict,
    execute: (input, { abortSignal }) => tool.execute(input, { signal: abortSignal }),
  });

export async function answer(
  client: Client,
  model: AgentConfig['model'],
  prompt: string,
  signal?: AbortSignal,
) {
  const tools: Record<string, Tool> = {};
  const add = (tool: AgentTool) => {
    tools[tool.name] = toMastra(tool);
  };
  for (const tool of loadingTools(createToolbox(client, { invoke: true }), add)) add(tool);

  const agent = new Agent({ id: 'assistant', name: 'Assistant', instructions: 'Use skills.', model, tools });
  const { text } = await agent.generate(prompt, {
    abortSignal: signal,
    maxSteps: 10,
    prepareStep: () => ({ tools }),
  });
  return text;
}
