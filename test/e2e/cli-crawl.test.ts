import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProvider, validDescriptor } from '../../mocks/index.ts';
import type { CrawlReport, Page, SkillPage, SkillSummary } from '../../src/index.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { LOOPBACK, runCli, serveForTest, temporaryFolder } from './support/cli.ts';

const KEY = { header: 'X-API-Key', value: 'k-3f9a' };

/** A provider with a skill of each access level of each of two types. */
function mixedProvider() {
  const skills = (['api', 'task'] as const).flatMap((capability_type) =>
    (['public', 'restricted', 'private'] as const).map((access) =>
      validDescriptor({ id: `com.example.${capability_type}-${access}`, capability_type, access }),
    ),
  );
  return createProvider({ domain: 'mixed.example', name: 'Mixed', skills, token: KEY });
}

async function idsOf(args: readonly string[]): Promise<string[]> {
  const { stdout } = await runCli(['find', '--json', ...args]);
  const page: Page<SkillSummary> = JSON.parse(stdout);
  return page.records.map(({ id }) => id);
}

describe('skillscout crawl and find', () => {
  it('finds exactly the skills of a type that are not private', async () => {
    const { origin } = await serveForTest(mixedProvider().handle);
    const db = join(await temporaryFolder(), 'skills.sqlite');

    const crawl = await runCli(['crawl', origin, '--db', db, '--json', ...LOOPBACK]);

    expect(crawl).toMatchObject({ code: 0, stderr: `skillscout: stored in ${db}\n` });
    const report: CrawlReport = JSON.parse(crawl.stdout);
    expect(report).toMatchObject({ providers: { total: 1, ok: 1 }, skills: { accepted: 4, rejected: 0 } });
    expect(await idsOf(['--type', 'api', '--db', db])).toEqual([
      'com.example.api-public',
      'com.example.api-restricted',
    ]);
    expect(await idsOf(['--type', 'api', '--type', 'task', '--access', 'restricted', '--db', db])).toEqual([
      'com.example.api-restricted',
      'com.example.task-restricted',
    ]);
    expect((await stat(db)).mode & 0o777).toBe(0o600);
  });

  it('refuses a private address unless it is allowed, without a connection', async () => {
    const provider = mixedProvider();
    const { origin, connections } = await serveForTest(provider.handle);
    const db = join(await temporaryFolder(), 'skills.sqlite');

    for (const allowed of [[], ['--allow-private=10.0.0.0/8']]) {
      const crawl = await runCli(['crawl', origin, '--allow-http', ...allowed, '--db', db, '--json']);

      expect(crawl.code).toBe(1);
      expect(JSON.parse(crawl.stdout)).toMatchObject({ codes: { providers: { ADDRESS_REFUSED: 1 } } });
    }
    expect(provider.requests).toEqual([]);
    expect(connections()).toBe(0);
  });

  it('takes a domain behind a bare --allow-private for a domain', async () => {
    const { origin } = await serveForTest(mixedProvider().handle);
    const db = join(await temporaryFolder(), 'skills.sqlite');

    const crawl = await runCli(['crawl', '--allow-http', '--allow-private', origin, '--db', db, '--quiet']);

    expect(crawl).toMatchObject({ code: 0, stderr: '' });
    expect(crawl.stdout).toContain('4 accepted');
  });

  it.each([
    ['a value', `${KEY.header}:${KEY.value}`, {}],
    ['a variable', `${KEY.header}:@env:MIXED_KEY`, { MIXED_KEY: KEY.value }],
  ])(
    'sees private skills with the credential from %s, and gives them out only when asked',
    async (_, given, env) => {
      const { origin } = await serveForTest(mixedProvider().handle);
      const db = join(await temporaryFolder(), 'skills.sqlite');
      const args = ['crawl', origin, '--db', db, '--credential', `${origin}=${given}`, ...LOOPBACK];

      const crawl = await runCli([...args, '--json', '--outcomes'], { env });
      const events = await runCli([...args, '--ndjson'], { env });

      expect(JSON.parse(crawl.stdout)).toMatchObject({ skills: { accepted: 6 } });
      expect(crawl.stdout + events.stdout).not.toContain('com.example.api-private');
      expect(crawl.stdout + crawl.stderr + events.stdout + events.stderr).not.toContain(KEY.value);
      expect(await idsOf(['--type', 'api', '--db', db])).not.toContain('com.example.api-private');
      expect(await idsOf(['--access', 'private', '--db', db])).toEqual([
        'com.example.api-private',
        'com.example.task-private',
      ]);
      const show = ['show', origin, 'com.example.api-private', '--json', '--db', db];
      expect(await runCli(show)).toMatchObject({ code: 1, stdout: 'null\n' });
      expect(JSON.parse((await runCli([...show, '--include-private'])).stdout)).toMatchObject({
        view: 'authenticated',
        descriptor: { access: 'private' },
      });
    },
  );

  it('reads credentials from a file, whose secrets may lie in another', async () => {
    const { origin } = await serveForTest(mixedProvider().handle);
    const folder = await temporaryFolder();
    const [db, key, file] = ['skills.sqlite', 'key', 'credentials.json'].map((name) => join(folder, name));
    await writeFile(`${key}`, `${KEY.value}\n`);
    await writeFile(`${file}`, JSON.stringify({ [origin]: { header: KEY.header, value: `@file:${key}` } }));

    const crawl = await runCli([
      'crawl',
      origin,
      '--credentials',
      `${file}`,
      '--db',
      `${db}`,
      '--json',
      ...LOOPBACK,
    ]);

    expect(JSON.parse(crawl.stdout)).toMatchObject({ skills: { accepted: 6 } });
  });

  it('reads domains from stdin, skips blank lines and comments, and reports what is no domain', async () => {
    const { origin } = await serveForTest(mixedProvider().handle);
    const db = join(await temporaryFolder(), 'skills.sqlite');
    const stdin = `# ours\n\n${origin}\r\n  ${origin}/\nnot a domain\n`;

    const crawl = await runCli(['crawl', '--file', '-', '--db', db, '--json', '--outcomes', ...LOOPBACK], {
      stdin,
    });

    expect(crawl.code).toBe(1);
    const report: CrawlReport = JSON.parse(crawl.stdout);
    expect(report.providers).toEqual({ total: 2, ok: 1, partial: 0, none: 0, failed: 1 });
    expect(report.outcomes).toContainEqual(
      expect.objectContaining({ domain: 'not a domain', code: 'INVALID_DOMAIN' }),
    );
  });

  it('is done, with exit code 0, when a domain offers no index', async () => {
    const { origin } = await serveForTest(async () => new Response('', { status: 404 }));
    const db = join(await temporaryFolder(), 'skills.sqlite');

    const crawl = await runCli(['crawl', origin, '--db', db, ...LOOPBACK]);

    expect(crawl.code).toBe(0);
    expect(crawl.stdout).toContain('1 without an index');
    expect(crawl.stdout).toContain('INDEX_NOT_FOUND');
  });

  it("keeps its database in a folder of the user's own by default", async () => {
    const { origin } = await serveForTest(mixedProvider().handle);
    const env = { XDG_DATA_HOME: join(await temporaryFolder(), 'data') };

    const before = await runCli(['find', '--json'], { env });
    const crawl = await runCli(['crawl', origin, ...LOOPBACK], { env });
    const after = await runCli(['find', '--ndjson', '--full', '--limit', '1'], { env });

    expect(before).toMatchObject({ code: 0, stdout: '{\n  "records": []\n}\n' });
    expect(before.stderr).toMatch(/^skillscout: nothing is stored yet .*\n$/);
    expect(crawl.code).toBe(0);
    expect(JSON.parse(after.stdout)).toMatchObject({ descriptor: { id: 'com.example.api-public' } });
    expect(after.stderr).toMatch(/^skillscout: more with --cursor \S+\n$/);
    const folder = join(env.XDG_DATA_HOME, 'skillscout');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'skills.sqlite'))).mode & 0o777).toBe(0o600);
  });

  it('pages through what it found, with the total and counts', async () => {
    const { origin } = await serveForTest(mixedProvider().handle);
    const db = join(await temporaryFolder(), 'skills.sqlite');
    await runCli(['crawl', origin, '--db', db, ...LOOPBACK]);

    const first: SkillPage<SkillSummary> = JSON.parse(
      (await runCli(['find', '--limit', '3', '--total', '--json', '--db', db])).stdout,
    );
    const rest = await idsOf(['--limit', '3', '--cursor', `${first.nextCursor}`, '--db', db]);

    const facets = async (...args: string[]) =>
      JSON.parse((await runCli(['find', '--facets', ...args, '--json', '--db', db])).stdout).facets;

    expect(await facets('--limit', '1', '--skill-version', '>=1 <2', '--protocol', '1.x')).toEqual({
      capabilityType: { api: 2, task: 2 },
      access: { public: 2, restricted: 2 },
      authType: { none: 4 },
    });
    expect(await facets('--skill-version', '>=2')).toEqual({ capabilityType: {}, access: {}, authType: {} });
    expect(await facets('--protocol', '>=2')).toEqual({ capabilityType: {}, access: {}, authType: {} });
    expect(first.total).toBe(4);
    expect([...first.records.map(({ id }) => id), ...rest]).toHaveLength(4);
    const table = await runCli(['find', 'translate', '--total', '--facets', '--db', db]);
    expect(table.stdout.split('\n')).toHaveLength(10);
    expect(table.stdout).toMatch(
      /^DOMAIN +ID +TYPE +ACCESS +VERSION +NAME\n[\s\S]*\n4 in all\ntype: api 2, task 2\naccess: public 2, restricted 2\nauth: none 4\n$/,
    );
  });
});

describe('a database of an older version', () => {
  const VERSION_1 = `
    CREATE TABLE skills (number INTEGER PRIMARY KEY, domain TEXT, id TEXT, fresh_until REAL);
    CREATE TABLE documents (number INTEGER PRIMARY KEY, document TEXT);
    CREATE TABLE tags (tag TEXT);
    CREATE TABLE words (word TEXT);
    PRAGMA application_id = ${0x534b5343};
    PRAGMA user_version = 1;
  `;

  it('is brought up to date by a question, and not by a dry run', async () => {
    const db = join(await temporaryFolder(), 'skills.sqlite');
    const { DatabaseSync } = await loadDriver();
    const old = new DatabaseSync(db, { readOnly: false });
    old.exec(VERSION_1);
    old.close();
    const before = await readFile(db);

    expect(await runCli(['crawl', 'a.example', '--dry-run', '--db', db])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^skillscout: .* has version 1.*\n$/),
    });
    expect(await readFile(db)).toEqual(before);
    const empty = { code: 0, stdout: '{\n  "records": []\n}\n', stderr: '' };
    expect(await runCli(['find', '--json', '--db', db])).toMatchObject(empty);
    const migrated = await readFile(db);
    expect(migrated).not.toEqual(before);
    expect(await runCli(['find', '--json', '--db', db])).toMatchObject(empty);
    expect(await readFile(db)).toEqual(migrated);
  });
});

describe('bad input', () => {
  it('is named in one line, and creates nothing', async () => {
    const env = { XDG_DATA_HOME: join(await temporaryFolder(), 'data') };

    expect(await runCli(['crawl', 'a.example/path'], { env })).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'skillscout: "a.example/path" is not a domain: expected host, host:port or an http or https origin without a path.\n',
    });
    await expect(stat(env.XDG_DATA_HOME)).rejects.toThrow('ENOENT');
  });

  it.each(['crawl', 'refresh', 'find', 'show', 'status', 'changes'])(
    '%s leaves a file that is no database as it is',
    async (command) => {
      const file = join(await temporaryFolder(), 'notes.txt');
      await writeFile(file, 'buy milk\n'.repeat(1000));
      const args = { crawl: ['a.example'], find: [], show: ['a.example', 'x'] }[command] ?? [];

      const { code, stdout, stderr } = await runCli([command, ...args, '--db', file]);

      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toBe(`skillscout: ${file} is not a skillscout store\n`);
      expect(await readFile(file, 'utf8')).toBe('buy milk\n'.repeat(1000));
    },
  );

  it('takes a --db that is not there for a mistake when it is to be read', async () => {
    const file = join(await temporaryFolder(), 'none.sqlite');

    expect(await runCli(['find', '--db', file])).toMatchObject({
      code: 2,
      stderr: `skillscout: ${file} does not exist\n`,
    });
  });
});
