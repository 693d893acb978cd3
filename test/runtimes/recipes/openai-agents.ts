import { Agent, type Model, run } from '@openai/agents';
import type { Client } from 'skillscout';
import { createToolbox } from 'skillscout/agent';
import { createOpenAITools } from 'skillscout/openai-agents';

export async function answer(client: Client, model: string | Model, prompt: string, signal?: AbortSignal) {
  const tools = createOpenAITools(createToolbox(client, { invoke: true }));
  const agent = new Agent({ name: 'Assistant', model, tools });
  const { finalOutput } = await run(agent, prompt, { signal });
  return finalOutput;
}
