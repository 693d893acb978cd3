import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { AgentTool, Toolbox } from '../agent/index.ts';
import type { Client, Clock } from '../index.ts';
import { VERSION } from '../version.ts';
import { listSkills, readSkill, SKILL_TEMPLATES } from './resources.ts';
import { instructionsFor } from './texts.ts';

/** What servers serve. */
export interface Served {
  toolbox: Toolbox;
  client: Pick<Client, 'find'>;
  /** As the toolbox was told. */
  includePrivate: boolean;
  /** Of the client's store: another number once what is stored may have changed, whoever changed it. */
  revision: () => number;
  clock: Clock;
}

/** The SDK would make one with every server, for answers of the user that this one never asks for. */
const NO_VALIDATOR = {
  getValidator() {
    throw new Error('nothing is elicited');
  },
};

/** A server of the Model Context Protocol over a toolbox, for one connection and bound to no transport. */
export function createMcpServer({
  toolbox,
  client,
  includePrivate,
}: Omit<Served, 'revision' | 'clock'>): Server {
  const tools = new Map(toolbox.tools.map((tool) => [tool.name, tool]));
  const server = new Server(
    { name: 'skillscout', version: VERSION },
    {
      capabilities: { tools: {}, resources: { listChanged: true } },
      instructions: instructionsFor(toolbox.tools),
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolbox.tools.map(toMcpTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      const names = [...tools.keys()].join(', ');
      throw new McpError(ErrorCode.InvalidParams, `name: there is no such tool; expected one of ${names}`);
    }
    return toMcpResult(await tool.execute(params.arguments ?? {}, { signal }));
  });

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: SKILL_TEMPLATES,
  }));
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    listSkills(client, { cursor: params?.cursor, includePrivate }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    readSkill(toolbox, params.uri, signal),
  );
  return server;
}

function toMcpTool({ name, description, inputSchema, outputSchema, annotations }: AgentTool): Tool {
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    outputSchema: { ...outputSchema, type: 'object' },
    annotations,
  };
}

/** `search_skills`: `Search skills`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A failure is a result that says so, and not in the output's schema, so that the model can read it. */
function toMcpResult(result: unknown): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(result) }];
  const structuredContent = result as Record<string, unknown>;
  return 'error' in structuredContent ? { content, isError: true } : { content, structuredContent };
}
