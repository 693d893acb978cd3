import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type StructuredToolInterface, tool as toolOf } from '@langchain/core/tools';
import type { JSONSchema } from '@langchain/core/utils/json_schema';
import { createAgent, createMiddleware } from 'langchain';
import type { Client } from 'skillscout';
import { type AgentTool, createToolbox, loadingTools } from 'skillscout/agent';

const toLangChain = (tool: AgentTool) =>
  toolOf(async (input, { signal }) => JSON.stringify(await tool.execute(input, { signal })), {
    name: tool.name,
    description: tool.description,
    schema: { ...tool.inputSchema } as JSONSchema,
    verboseParsingErrors: true,
  });

export async function answer(client: Client, model: BaseChatModel, prompt: string, signal?: AbortSignal) {
  const loaded = new Map<string, StructuredToolInterface>();
  const toolbox = createToolbox(client, { invoke: true });
  const tools = loadingTools(toolbox, (tool) => loaded.set(tool.name, toLangChain(tool))).map(toLangChain);

  const skills = createMiddleware({
    name: 'skills',
    wrapModelCall: (request, next) => next({ ...request, tools: [...request.tools, ...loaded.values()] }),
    wrapToolCall: (request, next) =>
      next({ ...request, tool: request.tool ?? loaded.get(request.toolCall.name) }),
  });
  const agent = createAgent({ model, tools, middleware: [skills] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] }, { signal });
  return messages.at(-1)?.text;
}
