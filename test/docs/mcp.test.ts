import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createToolbox } from '../../src/agent/index.ts';
import { createClient } from '../../src/index.ts';
import { HTTP_LIMITS } from '../../src/mcp/http.ts';
import { GRACE_MS, MAX_MESSAGE_BYTES } from '../../src/mcp/serving.ts';
import { WATCH_MS } from '../../src/mcp/watch.ts';
import { runHere } from '../cli/support/run.ts';
import { temporaryFolder } from '../e2e/support/cli.ts';
import { brokenLinks, codeBlocks, root } from '../support/markdown.ts';

const document = readFileSync(`${root}docs/mcp.md`, 'utf8');
const rows = document
  .split('\n')
  .filter((line) => /^\| .* \|$/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));
const isOf = (yes: boolean) => (yes ? 'yes' : 'no');

describe('docs/mcp.md', () => {
  it('shows a configuration that runs', async () => {
    const [config = ''] = codeBlocks(document, 'json');
    const { command, args } = JSON.parse(config).mcpServers.skillscout;
    expect(command).toBe('skillscout');
    const db = ['--db', join(await temporaryFolder(), 'skills.sqlite'), '--allow-discover'];
    expect(await runHere([...args, ...db])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('names every flag, and none that is not', async () => {
    const { stdout } = await runHere(['mcp', '--help']);
    const flags = new Set(stdout.match(/^ +--[\w-]+/gm)?.map((flag) => flag.trim()));
    flags.delete('--help');
    const named = rows.flatMap(([cell = '']) => cell.match(/(?<=`)--[\w-]+/g) ?? []);
    expect(new Set(named)).toEqual(flags);
  });

  it('lists the tools as they are', () => {
    const { tools } = createToolbox(createClient(), { discover: true, invoke: true });
    const listed = rows.filter(([cell = '', input = '']) => /^`\w+`$/.test(cell) && input.startsWith('`'));
    expect(listed).toEqual(
      tools.map(({ name, inputSchema, annotations }) => {
        const { properties, required } = inputSchema as unknown as { properties: object; required: string[] };
        const members = Object.keys(properties).map((member) =>
          required.includes(member) ? `\`${member}\`` : `\`${member}?\``,
        );
        const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
        const effect = destructiveHint ? ', and may be destructive' : '';
        return [`\`${name}\``, members.join(', '), `${isOf(readOnlyHint)}${effect}`, isOf(openWorldHint)];
      }),
    );
  });

  it('states the bounds that are kept', () => {
    const { sessions, sessionIdleMs, connections, headBytes, headMs, requestMs, stalledMs } = HTTP_LIMITS;
    const values = rows.slice(rows.findIndex(([cell]) => cell === 'bound') + 2).map(([, value]) => value);
    expect(values).toEqual([
      `${sessions}`,
      `${sessionIdleMs / 60_000} min`,
      `${connections}`,
      `${headBytes} · ${headMs / 1_000} s`,
      `${requestMs / 1_000} s`,
      `${stalledMs / 1_000} s`,
    ]);
    const { perSecond, burst } = HTTP_LIMITS;
    expect(document).toContain(`more than ${perSecond} a second, with ${burst} saved up`);
    expect(document).toContain(`a body over ${MAX_MESSAGE_BYTES / 2 ** 20} MiB`);
    expect([GRACE_MS, WATCH_MS]).toEqual([1_000, 2_000]);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/mcp.md')).toEqual([]);
  });
});
