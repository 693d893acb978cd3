import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolbox } from '../../src/agent/index.ts';
import { createClient } from '../../src/index.ts';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { temporaryFolder } from '../e2e/support/cli.ts';
import { brokenLinks, codeBlocks, root } from '../support/markdown.ts';

const RECIPES = `${root}test/runtimes/recipes/`;
const document = readFileSync(`${root}docs/agents.md`, 'utf8');
const programs = codeBlocks(document, 'ts');
const recipes = readdirSync(RECIPES).map((file) => readFileSync(RECIPES + file, 'utf8'));

describe('docs/agents.md', () => {
  it('shows the programs that test/runtimes holds to the letter, and no others', () => {
    expect(programs.sort()).toEqual(recipes.sort());
  });

  it('has the tools that there are', () => {
    const client = createClient();
    onTestFinished(() => client.close());
    const { tools } = createToolbox(client, { discover: true, invoke: true });
    const rows = tools.map(({ name, inputSchema: { properties } }) => {
      const inputs = Object.keys(properties as object).map((input) => `\`${input}\``);
      return `| \`${name}\` | ${inputs.join(', ')} |`;
    });
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(document).toContain(row);
  });

  it('has a configuration by which a host finds the server', async () => {
    const { mcpServers } = JSON.parse(codeBlocks(document, 'json')[0] ?? '');
    const { command, args } = mcpServers.skills;
    expect([command, args[0], args[1]]).toEqual(['npx', '-y', 'skillscout']);
    const path = join(await temporaryFolder(), 'skills.db');
    await (await openSqliteStore({ path })).close();
    const ours = args.slice(2).map((arg: string) => (arg.endsWith('.db') ? path : arg));
    const host = new Client({ name: 'host', version: '1.0.0' });
    onTestFinished(() => host.close());
    await host.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [`${root}dist/cli/main.js`, ...ours],
        stderr: 'ignore',
      }),
    );
    const { tools } = await host.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_skills', 'get_skill', 'invoke_skill']);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/agents.md')).toEqual([]);
  });
});
