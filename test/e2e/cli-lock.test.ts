import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createProvider, HOSTILE_TEXT, type MockSite, validDescriptor } from '../../mocks/index.ts';
import { hasUnsafeText, type Lock, type LockVerdict } from '../../src/index.ts';
import { LOOPBACK, runCli, serveForTest, temporaryFolder } from './support/cli.ts';

const KEY = { header: 'X-API-Key', value: 'k-3f9a' };
const one = validDescriptor({ id: 'com.example.one', capability_type: 'api' });
const two = validDescriptor({ id: 'com.example.two', capability_type: 'task' });
const hidden = validDescriptor({ id: 'com.example.hidden', access: 'private' });

/** A provider that was crawled with its credential, and a place for locks. */
async function crawled(around: (site: MockSite) => MockSite = (site) => site) {
  const skills = [one, two, hidden];
  const provider = createProvider({ domain: 'a.example', name: 'A', skills, token: KEY });
  const { origin } = await serveForTest(around(provider.handle));
  const folder = await temporaryFolder();
  const db = join(folder, 'skills.sqlite');
  const file = join(folder, 'my.lock.json');
  const credential = ['--credential', `${origin}=${KEY.header}:${KEY.value}`];
  await runCli(['crawl', origin, '--db', db, ...credential, ...LOOPBACK]);
  const lock = (...args: string[]) => runCli(['lock', ...args, '--db', db, '--lock', file]);
  const verify = (...args: string[]) => lock('--verify', ...args, ...LOOPBACK);
  const read = async (): Promise<Lock> => JSON.parse(await readFile(file, 'utf8'));
  return { provider, origin, folder, db, file, credential, lock, verify, read };
}

const idsOf = ({ skills }: Lock) => skills.map(({ id }) => id);

describe('skillscout lock', () => {
  it('writes down what matches, and private skills only when asked to', async () => {
    const { lock, read, origin, file, folder } = await crawled();

    expect(await lock()).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: `skillscout: 2 locked in ${file}\n`,
    });
    const whole = await read();
    expect(whole).toMatchObject({
      lockVersion: 1,
      skills: [{ domain: origin, id: one.id, version: one.version }, {}],
    });
    await lock('--type', 'task');
    expect(idsOf(await read())).toEqual([two.id]);
    await lock('translate', '--include-private', '--tag', 'nowhere');
    expect(idsOf(await read())).toEqual([two.id]);
    await lock('--include-private');
    expect(idsOf(await read())).toEqual([hidden.id, one.id, two.id]);
    expect((await stat(file)).mode & 0o777).toBe(0o666 & ~process.umask());
    expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual(['my.lock.json']);
  });

  it('writes none where nothing matches, or where there is nothing', async () => {
    const { lock, folder } = await crawled();
    const env = { XDG_DATA_HOME: folder };

    expect(await lock('--tag', 'nowhere')).toMatchObject({
      code: 1,
      stderr: 'skillscout: no stored skill matches\n',
    });
    expect(await runCli(['lock', '--lock', join(folder, 'x')], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^skillscout: nothing is stored yet .*\n$/),
    });
    expect((await readdir(folder)).filter((name) => !name.startsWith('skills.sqlite'))).toEqual([]);
  });

  it('follows a link, and leaves what it cannot replace', async () => {
    const { lock, file, folder, db } = await crawled();
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'lock'), 'old');
    await symlink(join(folder, 'real', 'lock'), file);

    expect((await lock()).code).toBe(0);

    expect(JSON.parse(await readFile(join(folder, 'real', 'lock'), 'utf8'))).toHaveProperty('lockVersion');
    expect(await runCli(['lock', '--db', db, '--lock', folder])).toMatchObject({
      code: 2,
      stderr: `skillscout: --lock ${folder}: this is a folder\n`,
    });
    expect(await runCli(['lock', '--db', db, '--lock', join(folder, 'none', 'lock')])).toMatchObject({
      code: 2,
    });
  });

  it('leaves out what was only imported, and says so', async () => {
    const { db, folder, file } = await crawled();
    const other = join(folder, 'other.sqlite');
    const { stdout } = await runCli(['export', '--db', db]);
    await runCli(['import', '--db', other], { stdin: stdout });

    expect(await runCli(['lock', '--db', other, '--lock', file])).toMatchObject({
      code: 1,
      stderr:
        'skillscout: 2 left out: imported, and not confirmed by a publisher (skillscout refresh asks)\n',
    });
    expect(await readdir(folder)).not.toContain('my.lock.json');
    await runCli(['refresh', '--db', other, ...LOOPBACK]);
    expect((await runCli(['lock', '--db', other, '--lock', file])).code).toBe(0);
  });
});

describe('skillscout lock --verify', () => {
  it('is content while everything is as it was', async () => {
    const { lock, verify, file, db, credential } = await crawled();
    await lock('--include-private');
    const before = await readFile(db);

    expect(await verify(...credential)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'skillscout: 3 of 3 are as they were locked\n',
    });
    expect(JSON.parse((await verify(...credential, '--json')).stdout)).toMatchObject([
      { state: 'same' },
      { state: 'same' },
      { state: 'same' },
    ]);
    const nowhere = { env: { XDG_DATA_HOME: await temporaryFolder() } };
    expect(
      await runCli(['lock', '--verify', '--lock', file, ...credential, ...LOOPBACK], nowhere),
    ).toMatchObject({
      code: 0,
    });
    expect(await readFile(db)).toEqual(before);
    const blind = await verify();
    expect(blind).toMatchObject({ code: 1 });
    expect(blind.stdout).toMatch(/^unverified +\S+ +com\.example\.hidden +AUTH_REQUIRED: /);
  });

  it('tells drift from another identity, and what has changed', async () => {
    const { provider, lock, verify, origin, db, credential } = await crawled();
    await lock();
    provider.setSkills([
      { ...one, description: HOSTILE_TEXT },
      { ...two, provider: { ...two.provider, name: 'Somebody else' } },
    ]);

    const { code, stdout, stderr } = await verify();

    expect({ code, stderr }).toEqual({ code: 1, stderr: 'skillscout: 0 of 2 are as they were locked\n' });
    expect(hasUnsafeText(stdout)).toBe(false);
    expect(stdout.split('\n').map((line) => line.replace(/ -> .*/, ''))).toEqual([
      `drift       ${origin}  ${one.id}`,
      `    /description: "${one.description}"`,
      `    /descriptor/description: "${one.description}"`,
      `identity    ${origin}  ${two.id}`,
      expect.stringMatching(/^ {4}\/descriptor\/provider\/name: ".*"$/),
      '',
    ]);
    const json: LockVerdict[] = JSON.parse((await verify('--json')).stdout);
    expect(json.map(({ state, fields }) => [state, fields])).toEqual([
      ['drift', ['/description', '/descriptor/description']],
      ['identity', ['/descriptor/provider']],
    ]);
    // The registry moves on: the lock still knows which members they were.
    await runCli(['crawl', origin, '--db', db, ...credential, ...LOOPBACK]);
    expect((await verify()).stdout).toContain('\n    /descriptor/provider\n');
  });

  it('tells what is gone and what cannot be read, and which flag would help', async () => {
    const { provider, lock, verify, read } = await crawled();
    await lock();
    provider.setSkills([one]);

    expect((await verify()).stdout).toMatch(/^gone +\S+ +com\.example\.two\n$/);
    const refused = await lock('--verify');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/^(?:unverified +\S+ +\S+ +ADDRESS_REFUSED: .*\n){2}$/);
    expect(refused.stderr).toContain('--allow-private');
    expect(idsOf(await read())).toEqual([one.id, two.id]);
  });

  it.each<[string, (text: string) => string, string]>([
    ['cut off', (text) => text.slice(0, -20), 'ends too early'],
    [
      'edited badly',
      (text) => text.replace(/"contentHash": "./, '"contentHash": "g'),
      'skills[0].contentHash',
    ],
    ['of a later version', (text) => text.replace('"lockVersion": 1', '"lockVersion": 2'), 'format 2'],
    ['empty', () => '', 'empty'],
  ])('refuses a lock that is %s, in one line', async (_, edit, reason) => {
    const { lock, verify, file } = await crawled();
    await lock();
    await writeFile(file, edit(await readFile(file, 'utf8')));

    const { code, stdout, stderr } = await verify();

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^skillscout: --lock .*\n$/);
    expect(stderr).toContain(reason);
  });

  it('needs a lock, by default in the working folder', async () => {
    const bin = join(import.meta.dirname, '../../dist/cli/main.js');
    const cwd = await temporaryFolder();
    const failed = await promisify(execFile)(process.execPath, [bin, 'lock', '--verify'], { cwd }).catch(
      (error) => error,
    );
    expect(failed).toMatchObject({
      code: 2,
      stderr: 'skillscout: --lock skillscout.lock.json: there is no such file\n',
    });
  });
});
