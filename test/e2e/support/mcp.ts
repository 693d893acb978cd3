import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { BIN, startCli } from './cli.ts';

export interface McpConnection {
  client: Client;
  /** What did not keep to the protocol, such as a line of stdout that is no message. */
  errors: Error[];
  /** Resolves once the server has said that its list of skills has changed. */
  changed: Promise<void>;
}

function newClient(): McpConnection {
  const changed = deferred();
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { listChanged: { resources: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() } } },
  );
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  onTestFinished(() => client.close());
  return { client, errors, changed: changed.promise };
}

/** The SDK's client, with `skillscout mcp` as its child. */
export async function mcpOverStdio(args: readonly string[]): Promise<McpConnection> {
  const connection = newClient();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    stderr: 'pipe',
  });
  await connection.client.connect(transport);
  return connection;
}

/** `skillscout mcp --http 0` as a child, and what it prints at its start. */
export async function startMcpOverHttp(args: readonly string[]) {
  const child = startCli(['mcp', '--http', '0', ...args]);
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const [, url = ''] = /serving (\S+)$/.exec(await next()) ?? [];
  const [, token = ''] = /bearer token: (\S+)$/.exec(await next()) ?? [];
  return { child, url, token };
}

/** The SDK's client of a server that listens. */
export async function mcpOverHttp(url: string, token: string): Promise<McpConnection> {
  const connection = newClient();
  const listening = deferred();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') listening.resolve();
      return response;
    },
  });
  await connection.client.connect(transport);
  await listening.promise;
  return connection;
}
