import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = readdirSync(`${root}/examples`).map((file) => file.replace(/\.ts$/, ''));

it('has examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(6);
});

it.each(examples)('runs examples/%s.ts to a good end', async (name) => {
  const run = promisify(execFile)(process.execPath, ['scripts/run-example.mjs', name], { cwd: root });
  const { stdout, stderr } = await run;
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});
