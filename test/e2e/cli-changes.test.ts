import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createProvider, HOSTILE_TEXT, validDescriptor } from '../../mocks/index.ts';
import { type Change, hasUnsafeText } from '../../src/index.ts';
import { exitOf, LOOPBACK, linesOf, runCli, serveForTest, startCli, temporaryFolder } from './support/cli.ts';

const KEY = { header: 'X-API-Key', value: 'k-3f9a' };
const kept = validDescriptor({ id: 'com.example.kept' });
const left = validDescriptor({ id: 'com.example.left' });
const secret = validDescriptor({ id: 'com.example.secret', access: 'private' });
const renamed = validDescriptor({ id: 'com.example.kept', name: HOSTILE_TEXT });

const keys = (changes: Change[]) => changes.map(({ kind, id }) => `${kind} ${id}`);

/** A database of a provider that was crawled, changed and was crawled again. */
async function changedProvider() {
  const provider = createProvider({
    domain: 'a.example',
    name: 'A',
    skills: [kept, left, secret],
    token: KEY,
  });
  const { origin } = await serveForTest(provider.handle);
  const db = join(await temporaryFolder(), 'skills.sqlite');
  const credential = ['--credential', `${origin}=${KEY.header}:${KEY.value}`];
  const crawl = () => runCli(['crawl', origin, '--db', db, ...credential, ...LOOPBACK]);
  await crawl();
  provider.setSkills([renamed, secret]);
  await crawl();
  const run = (...args: string[]) => runCli(['changes', ...args, '--db', db]);
  const list = async (...args: string[]): Promise<Change[]> =>
    JSON.parse((await run(...args, '--json')).stdout);
  return { origin, db, run, list };
}

it('lists what became of which skill', async () => {
  const { origin, db, run, list } = await changedProvider();

  const changes = await list();

  expect(keys(changes)).toEqual([
    'added com.example.kept',
    'added com.example.left',
    'removed com.example.left',
    'changed com.example.kept',
  ]);
  expect(changes.at(-1)).toEqual({
    at: expect.any(Number),
    kind: 'changed',
    domain: origin,
    id: 'com.example.kept',
    members: [
      { field: '/name', old: kept.name, new: HOSTILE_TEXT },
      { field: '/descriptor/name', old: kept.name, new: HOSTILE_TEXT },
    ],
  });
  expect(keys(await list('--include-private'))).toContain('added com.example.secret');
  expect(keys(await list(origin, '--since', '1h'))).toEqual(keys(changes));
  expect(await list('nowhere.example')).toEqual([]);
  expect(await list('--since', `${(changes.at(-1)?.at ?? 0) + 1}`)).toEqual([]);

  const { stdout } = await run();
  expect(hasUnsafeText(stdout)).toBe(false);
  expect(stdout.split('\n')).toHaveLength(4 + 2 + 1);
  const lines = (await run('--ndjson')).stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(changes);

  expect(await runCli(['show', origin, 'com.example.left', '--db', db])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `skillscout: no skill com.example.left of ${origin} is stored: it was removed at ${new Date(changes[2]?.at ?? 0).toISOString()}\n`,
  });
});

it('says when there is nothing', async () => {
  const { run } = await changedProvider();
  const env = { XDG_DATA_HOME: await temporaryFolder() };

  expect(await run('--since', '2999-01-01')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'skillscout: no change is known\n',
  });
  expect(await run('--since', '2999-01-01', '--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
  const nowhere = await runCli(['changes', '--json'], { env });
  expect(nowhere).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(nowhere.stderr).toMatch(/^skillscout: nothing is stored yet .*\n$/);
});

it('ends quietly when nobody reads its output any more', async () => {
  // More than a pipe holds.
  const skills = Array.from({ length: 400 }, (_, n) => validDescriptor({ id: `${n}-${'x'.repeat(500)}` }));
  const provider = createProvider({ domain: 'large.example', name: 'Large', skills });
  const { origin } = await serveForTest(provider.handle);
  const db = join(await temporaryFolder(), 'skills.sqlite');
  await runCli(['crawl', origin, '--db', db, ...LOOPBACK]);

  for (const format of [[], ['--json'], ['--ndjson']]) {
    const child = startCli(['changes', '--db', db, ...format]);
    const exit = exitOf(child);
    const stderr = text(child.stderr);
    await linesOf(child).next();
    child.stdout.destroy();

    expect(await exit).toEqual({ code: 0, signal: null });
    expect(await stderr).toBe('');
  }
});
