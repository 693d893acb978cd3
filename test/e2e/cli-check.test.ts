import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changed, createProvider, FAULTS, validDescriptor, validIndex } from '../../mocks/index.ts';
import type { Inspection } from '../../src/cli/inspection.ts';
import { LOOPBACK, runCli, serveForTest, temporaryFolder } from './support/cli.ts';

const KEY = { header: 'X-API-Key', value: 'k-3f9a' };
const skills = [
  validDescriptor({ id: 'translate', provider: { name: 'Good' } }),
  validDescriptor({ id: 'payroll', provider: { name: 'Good' }, access: 'private' }),
];

/** A provider that does all that is asked of it, the arguments that check it, and the key in the environment. */
async function correctProvider() {
  const provider = createProvider({ domain: 'good.example', name: 'Good', skills, token: KEY });
  const { origin } = await serveForTest(provider.handle);
  const args = ['check', origin, '--credential', `${origin}=${KEY.header}:@env:KEY`, ...LOOPBACK];
  return { origin, provider, args, options: { env: { KEY: KEY.value } } };
}

it('finds nothing to mend at a correct provider', async () => {
  const { origin, provider, args, options } = await correctProvider();

  const { code, stdout, stderr } = await runCli(args, options);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`${origin}: good, 2 skills, 0 warnings, 0 notes\n`);
  // Two documents for everybody, three for the holder, each asked twice; the private one once more without the key.
  const statuses = provider.requests.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 200, 200, 304, 304, 304, 304, 304, 401]);
});

it('prints findings as JSON and as SARIF, with exit code 1 and without the key', async () => {
  const { origin } = await serveForTest(FAULTS['entry-private'].make());
  const args = [origin, '--credential', `${origin}=${KEY.header}:${KEY.value}`, ...LOOPBACK];

  const [json, sarif] = [
    await runCli(['check', '--json', ...args]),
    await runCli(['check', '--sarif', ...args]),
  ];

  expect([json.code, sarif.code]).toEqual([1, 1]);
  const { findings }: Inspection = JSON.parse(json.stdout);
  expect(findings.map(({ code }) => code)).toContain('PRIVATE_EXPOSED');
  const [run] = JSON.parse(sarif.stdout).runs;
  expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(
    findings.map(({ code }) => code),
  );
  for (const { stdout, stderr } of [json, sarif]) expect(stdout + stderr).not.toContain(KEY.value);
});

it('checks a file before it is published', async () => {
  const file = join(await temporaryFolder(), 'skill-index.json');
  await writeFile(file, JSON.stringify(changed(validIndex(), '/skills/0/access')));

  const { code, stdout } = await runCli(['check', file]);

  expect(code).toBe(1);
  expect(stdout).toContain('error VALIDATION_ERROR /skills/0/access');
  expect(stdout).toContain('expected  one of public, restricted, private');
});

it('refuses a credential that cannot be used before anybody is asked', async () => {
  const { provider, origin } = await correctProvider();

  const { code, stdout, stderr } = await runCli([
    'check',
    origin,
    ...LOOPBACK,
    '--credential',
    'nowhere=x:y',
  ]);

  expect({ code, stdout, requests: provider.requests }).toEqual({ code: 2, stdout: '', requests: [] });
  expect(stderr).toMatch(/^skillscout: --credential/);
});
