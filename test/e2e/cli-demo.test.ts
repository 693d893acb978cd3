import { expect, it } from 'vitest';
import { runCli } from './support/cli.ts';

it('finds in the demo what the mock internet offers', async () => {
  const { code, stdout, stderr } = await runCli(['demo', '--providers', '30']);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/✓ 30 of 30 domains ended as the mock internet says/);
  expect(stdout).toMatch(/(\d+) skills found, \1 on offer/);
  expect(stdout.match(/^skillscout find /gm)).toHaveLength(3);
  expect(stdout).not.toContain('✗');
});
