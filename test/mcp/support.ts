import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { AgentTool, Toolbox, ToolError } from '../../src/agent/index.ts';
import type { Client } from '../../src/index.ts';
import type { Served } from '../../src/mcp/server.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { createManualClock } from '../support/manual-clock.ts';

type Execute = AgentTool['execute'];

/** A tool that does what the test says. */
export function toolOf(name: string, execute: Execute): AgentTool {
  const schema = { type: 'object' };
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: schema as unknown as AgentTool['inputSchema'],
    outputSchema: schema,
    strict: false,
    notes: [],
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    execute,
  };
}

/** What a server serves, with nothing in it but these tools. */
export function servedOf(tools: Record<string, Execute> = {}, parts: Partial<Served> = {}): Served {
  const missing = async (): Promise<ToolError> => ({ error: { code: 'SKILL_NOT_FOUND', message: 'none' } });
  const toolbox: Toolbox = {
    tools: Object.entries(tools).map(([name, execute]) => toolOf(name, execute)),
    searchSkills: async () => ({ notice: '', skills: [], more: false }),
    getSkill: missing,
    discoverDomain: missing,
    toTool: () => toolOf('skill_a', async () => ({})),
    resolve: async () => undefined,
  };
  const client: Pick<Client, 'find'> = { find: async () => ({ records: [] }) };
  return { toolbox, client, includePrivate: false, revision: () => 1, clock: createManualClock(), ...parts };
}

/** The SDK's client of a server in this process. */
export async function connected(served: Parameters<typeof createMcpServer>[0]): Promise<McpClient> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createMcpServer(served).connect(there);
  const client = new McpClient({ name: 'test', version: '1.0.0' });
  await client.connect(here);
  return client;
}

/** The text of a result of a tool, read as JSON. */
export function textOf(result: unknown): unknown {
  const [content] = (result as CallToolResult).content;
  if (content?.type !== 'text') throw new Error('expected a text');
  return JSON.parse(content.text);
}
