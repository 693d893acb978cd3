import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BIN } from './support/cli.ts';

/** The built files that a file loads or may load, itself among them, but for what `isLeftOut` names. */
function reachedFrom(file: string, isLeftOut: (file: string) => boolean): Map<string, string> {
  const reached = new Map<string, string>();
  const follow = (path: string) => {
    if (reached.has(path) || isLeftOut(path)) return;
    const code = readFileSync(path, 'utf8');
    reached.set(path, code);
    for (const [, target = ''] of code.matchAll(/(?:from|import|import\()\s*"(\.[^"]+\.js)"/g)) {
      const other = join(path, '..', target);
      // Comments of what is bundled name files that are not here.
      if (existsSync(other)) follow(other);
    }
  };
  follow(file);
  return reached;
}

it('loads the SDK of MCP for the command mcp alone', () => {
  const isMcp = (file: string) => /\/mcp-[^/]+\.js$/.test(file);
  const usesSdk = (code: string) => code.includes('@modelcontextprotocol/sdk');
  const all = [...reachedFrom(BIN, () => false)];
  const others = [...reachedFrom(BIN, isMcp)];
  expect(others.length).toBeGreaterThan(20);
  expect(all.filter(([, code]) => usesSdk(code)).map(([file]) => isMcp(file))).toEqual([true]);
  expect(others.filter(([, code]) => usesSdk(code))).toEqual([]);
});
