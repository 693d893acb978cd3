import type Anthropic from '@anthropic-ai/sdk';
import type { Client } from 'skillscout';
import { type AgentTool, createToolbox, type SearchResult } from 'skillscout/agent';

export async function answer(
  client: Client,
  anthropic: Anthropic,
  model: string,
  prompt: string,
  signal?: AbortSignal,
) {
  const toolbox = createToolbox(client, { invoke: true });
  const tools = new Map(toolbox.tools.map((tool) => [tool.name, tool]));
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];

  // Only tools of skills are deferred: the model sees such a tool from the first reference to it on.
  const definition = ({ name, description, inputSchema }: AgentTool): Anthropic.Tool => ({
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
    defer_loading: name.startsWith('skill_'),
  });

  // Claude's own tool search gives up to five tools, and so does this one.
  async function references({
    skills = [],
  }: Partial<SearchResult>): Promise<Anthropic.ToolReferenceBlockParam[]> {
    const records = await Promise.all(skills.slice(0, 5).map((skill) => client.get(skill)));
    return records.flatMap((record) => {
      if (record === undefined) return [];
      const tool = toolbox.toTool(record);
      tools.set(tool.name, tool);
      return [{ type: 'tool_reference' as const, tool_name: tool.name }];
    });
  }

  async function call({ id, name, input }: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam> {
    const result = await tools.get(name)?.execute(input, { signal });
    const found = name === 'search_skills' ? await references(result as Partial<SearchResult>) : [];
    return {
      type: 'tool_result',
      tool_use_id: id,
      content: found.length > 0 ? found : JSON.stringify(result ?? { error: `There is no tool ${name}.` }),
    };
  }

  for (let turn = 0; turn < 10; turn += 1) {
    const message = await anthropic.messages.create(
      { model, max_tokens: 4096, messages, tools: [...tools.values()].map(definition) },
      { signal },
    );
    const calls = message.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0)
      return message.content.map((block) => ('text' in block ? block.text : '')).join('');
    messages.push({ role: 'assistant', content: message.content });
    messages.push({ role: 'user', content: await Promise.all(calls.map(call)) });
  }
  throw new Error('The model found no end in ten turns.');
}
