import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createProvider, HOSTILE_TEXT, validDescriptor } from '../../mocks/index.ts';
import { hasUnsafeText, type ImportReport } from '../../src/index.ts';
import { exitOf, LOOPBACK, linesOf, runCli, serveForTest, startCli, temporaryFolder } from './support/cli.ts';

const KEY = { header: 'X-API-Key', value: 'k-3f9a' };
const open = validDescriptor({ id: 'com.example.open', name: HOSTILE_TEXT });
const hidden = validDescriptor({ id: 'com.example.hidden', access: 'private' });

/** A database of a provider that was crawled, and the name of another one. */
async function crawled(skills = [open, hidden]) {
  const provider = createProvider({ domain: 'a.example', name: 'A', skills, token: KEY });
  const { origin } = await serveForTest(provider.handle);
  const folder = await temporaryFolder();
  const [db, other] = [join(folder, 'skills.sqlite'), join(folder, 'other.sqlite')];
  await runCli([
    'crawl',
    origin,
    '--db',
    db,
    '--credential',
    `${origin}=${KEY.header}:${KEY.value}`,
    ...LOOPBACK,
  ]);
  const find = async (database: string, ...args: string[]) =>
    JSON.parse((await runCli(['find', '--full', '--json', ...args, '--db', database])).stdout).records;
  return { provider, origin, folder, db, other, find };
}

describe('skillscout export and import', () => {
  it('go through a pipe into another database, hostile text and all', async () => {
    const { db, other, find, origin } = await crawled();

    const exported = await runCli(['export', '--db', db]);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(hasUnsafeText(exported.stdout)).toBe(false);
    expect(exported.stdout).not.toMatch(/hidden|k-3f9a|etag/i);
    const imported = await runCli(['import', '--db', other], { stdin: exported.stdout });

    expect(imported).toMatchObject({
      code: 0,
      stdout: 'Skills  1 imported, 0 known already, 0 rejected\n',
      stderr: `skillscout: stored in ${other}: skillscout refresh with the same --db asks the publishers\n`,
    });
    const [before] = await find(db);
    const [after] = await find(other);
    expect(after).toEqual({ ...before, origin: 'imported', fetchedAt: 0, freshUntil: 0, stale: true });
    expect((await runCli(['find', '--db', other])).stdout).toContain(' (imported)');
    const shown = (await runCli(['show', origin, open.id, '--db', other])).stdout;
    expect(shown).toContain('last confirmed: never: it was imported');
    expect(await find(other, '--fresh')).toEqual([]);
    expect(await find(other, '--trusted')).toEqual([]);
    expect((await runCli(['status', origin, '--db', other])).stdout).toMatch(
      /: imported\n {2}imported: .* ago\)\n/,
    );
    const again = await runCli(['import', '--json', '--db', other], { stdin: exported.stdout });
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, known: 1, rejected: 0 });
  });

  it('go through a file, which is replaced as a whole', async () => {
    const { db, other, find, folder } = await crawled();
    const file = join(folder, 'skills.ndjson');
    await writeFile(file, 'old');

    expect(await runCli(['export', file, '--include-private', '--db', db])).toMatchObject({
      code: 0,
      stdout: '',
    });

    expect((await stat(file)).mode & 0o777).toBe(0o666 & ~process.umask());
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(5);
    expect(await runCli(['import', file, '--db', other])).toMatchObject({ code: 0 });
    expect(await find(other)).toHaveLength(1);
    expect(await find(other, '--include-private')).toHaveLength(2);
    expect((await readdir(folder)).filter((name) => name.includes('ndjson'))).toEqual(['skills.ndjson']);
    expect(await runCli(['export', folder, '--db', db])).toMatchObject({
      code: 2,
      stderr: `skillscout: export ${folder}: this is a folder\n`,
    });
  });

  it('replaces what was imported at the first refresh', async () => {
    const { provider, db, other, find } = await crawled([validDescriptor({ id: 'one' })]);
    const { stdout } = await runCli(['export', '--db', db]);
    const forged = stdout.replaceAll('https://api.example.com', 'https://evil.example');
    await runCli(['import', '--db', other], { stdin: forged });
    expect((await find(other))[0].descriptor.endpoint.url).toContain('evil');
    provider.requests.length = 0;

    expect((await runCli(['refresh', '--db', other, ...LOOPBACK])).code).toBe(0);

    expect(provider.requests.map(({ status, headers }) => [status, headers['if-none-match']])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const [record] = await find(other);
    expect(record.descriptor.endpoint.url).not.toContain('evil');
    expect(record).not.toHaveProperty('origin');
  });
});

describe('skillscout export', () => {
  it('ends quietly when nobody reads its output any more', async () => {
    // More than a pipe holds.
    const skills = Array.from({ length: 300 }, (_, n) =>
      validDescriptor({ id: `${n}`, description: 'x'.repeat(2000) }),
    );
    const { db } = await crawled(skills);
    const child = startCli(['export', '--db', db]);
    const exit = exitOf(child);
    const stderr = text(child.stderr);
    await linesOf(child).next();
    child.stdout.destroy();

    expect(await exit).toEqual({ code: 0, signal: null });
    expect(await stderr).toBe('');
  });

  it('writes nothing where nothing is stored', async () => {
    const folder = await temporaryFolder();
    const env = { XDG_DATA_HOME: join(folder, 'data') };

    expect(await runCli(['export', join(folder, 'x.ndjson')], { env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skillscout: nothing is stored yet .*\n$/),
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('skillscout import', () => {
  it('says which lines it did not take, and takes the rest', async () => {
    const { db, other, find } = await crawled();
    const [head, line, end] = (await runCli(['export', '--db', db])).stdout.split('\n');
    const lines = [
      head,
      ...Array(12).fill(`{"${HOSTILE_TEXT.replaceAll(/\p{Cc}/gu, '')}":1}`),
      line,
      end?.replace('1', '13'),
    ];

    const { code, stdout } = await runCli(['import', '--db', other], { stdin: lines.join('\n') });

    expect(code).toBe(1);
    expect(stdout).toContain('1 imported, 0 known already, 12 rejected');
    expect(stdout).toMatch(/\nVALIDATION_ERROR +12 /);
    expect(stdout).toMatch(/\n2 +VALIDATION_ERROR +expected a skill/);
    expect(stdout).toContain('… and 2 more');
    expect(hasUnsafeText(stdout)).toBe(false);
    expect(await find(other)).toHaveLength(1);
  });

  it('tells of one that is not whole what it took of it', async () => {
    const { db, other, find } = await crawled();
    const lines = (await runCli(['export', '--db', db])).stdout.split('\n');

    const cut = await runCli(['import', '--json', '--db', other], { stdin: lines.slice(0, 2).join('\n') });

    expect(cut).toMatchObject({ code: 1, stderr: 'skillscout: this is no whole snapshot: it was cut off\n' });
    expect(JSON.parse(cut.stdout) as ImportReport).toMatchObject({ imported: 1, rejected: 0 });
    expect(await find(other)).toHaveLength(1);
    expect(await runCli(['import', '--db', other], { stdin: '{"skillscoutSnapshot":9}\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^skillscout: .* version 9, .*\n$/),
    });
  });

  it('creates no database for a file that is not there', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'none.ndjson');
    await mkdir(join(folder, 'sub'));

    expect(await runCli(['import', file, '--db', join(folder, 'x.sqlite')])).toMatchObject({
      code: 2,
      stderr: `skillscout: import ${file}: there is no such file\n`,
    });
    expect(await readdir(folder)).toEqual(['sub']);
  });

  it('can be interrupted while it waits for its input', async () => {
    const { db, other } = await crawled();
    const { stdout } = await runCli(['export', '--db', db]);
    const child = startCli(['import', '--db', other], { stdin: null });
    const exit = exitOf(child);
    const output = text(child.stderr);
    child.stdin.write(stdout.slice(0, -30));
    // The database is there once it reads.
    for (;;) {
      if (
        await stat(other).then(
          () => true,
          () => false,
        )
      )
        break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill('SIGINT');

    expect(await exit).toEqual({ code: 130, signal: null });
    expect(await output).not.toMatch(/\n\s+at /);
  });
});
