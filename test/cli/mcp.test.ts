import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { temporaryFolder } from '../e2e/support/cli.ts';
import { runHere } from './support/run.ts';

const TOKEN = { SKILLSCOUT_MCP_TOKEN: 'x'.repeat(31) };
const MESSAGES = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 1, method: 'tools/list' },
];
const input = MESSAGES.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

async function emptyDatabase(): Promise<string> {
  const path = join(await temporaryFolder(), 'skills.sqlite');
  await (await openSqliteStore({ path })).close();
  return path;
}

describe('skillscout mcp', () => {
  it.each([
    [[], ['search_skills', 'get_skill']],
    [['--allow-discover'], ['search_skills', 'get_skill', 'discover_domain']],
    [
      ['--allow-discover-domain', 'a.example'],
      ['search_skills', 'get_skill', 'discover_domain'],
    ],
    [['--allow-invoke'], ['search_skills', 'get_skill', 'invoke_skill']],
  ])('with %j offers %j', async (flags, names) => {
    const { code, stdout, stderr } = await runHere(['mcp', '--db', await emptyDatabase(), ...flags], {
      stdin: input,
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const [initialized, listed] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(initialized).toMatchObject({ id: 0, result: { serverInfo: { name: 'skillscout' } } });
    expect(listed.result.tools.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it.each([
    [['--http', '65536'], '--http: expected a port, from 0 to 65535'],
    [['--http', '0', '--host', ''], '--host: expected an address or a name of this machine'],
    [['--http', '0'], 'SKILLSCOUT_MCP_TOKEN: expected at least 32 letters'],
    [['--host', '127.0.0.1'], '--host: only with --http'],
    [['--allow-discover', '--allow-discover-domain', 'a.example'], 'cannot be used with option'],
    [['--allow-discover-domain', 'a b'], '--allow-discover-domain: '],
    [['--allow-private=nonsense'], '--allow-private: '],
    [['--db', '/nowhere/skills.sqlite'], 'skills.sqlite'],
    [['extra'], 'too many arguments'],
  ])('refuses %j', async (flags, message) => {
    const where = flags.includes('--db') ? [] : ['--db', await emptyDatabase()];
    const { code, stdout, stderr } = await runHere(['mcp', ...where, ...flags], { env: TOKEN });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });
});
