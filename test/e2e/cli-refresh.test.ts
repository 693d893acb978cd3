import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProvider, type MockSite, validDescriptor, WELL_KNOWN_PATH } from '../../mocks/index.ts';
import type { CrawlReport, Page, ProviderStatus } from '../../src/index.ts';
import { LOOPBACK, runCli, serveForTest, temporaryFolder } from './support/cli.ts';

const skills = [validDescriptor({ id: 'com.example.one' }), validDescriptor({ id: 'com.example.two' })];

/** A provider that was crawled. `run` runs a command on what was stored. */
async function crawled(around: (site: MockSite) => MockSite = (site) => site) {
  const provider = createProvider({ domain: 'a.example', name: 'A', skills });
  const server = await serveForTest(around(provider.handle));
  const { origin } = server;
  const folder = await temporaryFolder();
  const db = join(folder, 'skills.sqlite');
  const run = (command: string, ...args: string[]) => runCli([command, ...args, '--db', db]);
  await run('crawl', origin, ...LOOPBACK);
  /** The statuses of the answers since this was called last. */
  const answers = () => provider.requests.splice(0).map(({ status }) => status);
  expect(answers()).toEqual([200, 200, 200]);
  return { provider, server, origin, folder, db, run, answers };
}

/** The index is due at once, the descriptors later. */
const withShortLivedIndex =
  (site: MockSite): MockSite =>
  async (request) => {
    const response = await site(request);
    if (new URL(request.url).pathname === WELL_KNOWN_PATH) response.headers.set('cache-control', 'no-cache');
    return response;
  };

async function statusOf({ run }: Awaited<ReturnType<typeof crawled>>, ...args: string[]) {
  const { stdout } = await run('status', ...args, '--json');
  return (JSON.parse(stdout) as Page<ProviderStatus>).records;
}

describe('skillscout refresh', () => {
  it('asks nobody when nothing is due', async () => {
    const { run, answers } = await crawled();

    const refresh = await run('refresh', '--json', ...LOOPBACK);

    expect(refresh).toMatchObject({
      code: 0,
      stderr: 'skillscout: no provider is due: --all looks at all that are known\n',
    });
    expect(JSON.parse(refresh.stdout)).toMatchObject({ providers: { total: 0 }, requests: 0 });
    expect(answers()).toEqual([]);
  });

  it('asks one conditional question where nothing has changed since', async () => {
    const context = await crawled(withShortLivedIndex);
    const { run, db, answers } = context;

    const refresh = await run('refresh', '--json', ...LOOPBACK);

    expect(refresh).toMatchObject({ code: 0, stderr: `skillscout: stored in ${db}\n` });
    expect(JSON.parse(refresh.stdout)).toMatchObject({ providers: { ok: 1 }, skills: { accepted: 2 } });
    expect(answers()).toEqual([304]);
    expect(await statusOf(context)).toMatchObject([{ successes: 2, failures: 0, skills: 2 }]);
  });

  it('asks for every document with --all, conditionally', async () => {
    const { provider, run, answers, origin } = await crawled();

    const events = await run('refresh', '--all', '--ndjson', '--quiet', ...LOOPBACK);

    expect(events).toMatchObject({ code: 0, stderr: '' });
    const lines = events.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(['skill', 'skill', 'provider', 'done']);
    expect(answers()).toEqual([304, 304, 304]);

    provider.setSkills([]);
    const report: CrawlReport = JSON.parse(
      (await run('refresh', '--all', '--json', '--outcomes', ...LOOPBACK)).stdout,
    );
    expect(report.outcomes).toMatchObject([{ domain: origin, status: 'ok', skills: [] }]);
    expect(answers()).toEqual([200]);
    expect(JSON.parse((await run('find', '--json')).stdout).records).toEqual([]);
  });

  it('tells failures as a crawl does, also where a last good copy stands in', async () => {
    const context = await crawled();
    const { server, run, origin } = context;
    await server.close();

    const refresh = await run('refresh', '--all', ...LOOPBACK);

    expect(refresh.code).toBe(1);
    expect(refresh.stdout).toContain('NETWORK_FAILURE');
    expect(await statusOf(context)).toMatchObject([
      { status: 'ok', code: 'NETWORK_FAILURE', failuresInRow: 1, unreachableSince: expect.any(Number) },
    ]);
    expect((await run('status', origin)).stdout).toMatch(/^ {2}unreachable since: .*Z \(\d+[sm] ago\)$/m);
    expect((await run('show', origin, 'com.example.one')).stdout).toMatch(/^ {2}unreachable since: .*Z$/m);
    expect(JSON.parse((await run('find', '--fresh', '--json')).stdout).records).toEqual([]);
    expect(JSON.parse((await run('find', '--stale', '--json')).stdout).records).toHaveLength(2);
  });

  it('creates no database', async () => {
    const folder = await temporaryFolder();
    const env = { XDG_DATA_HOME: join(folder, 'data') };

    const nowhere = await runCli(['refresh', '--json'], { env });

    expect(nowhere.code).toBe(0);
    expect(JSON.parse(nowhere.stdout)).toMatchObject({ providers: { total: 0 }, codes: {}, requests: 0 });
    expect(nowhere.stderr).toMatch(/^skillscout: nothing is stored yet .*\n$/);
    const db = join(folder, 'none.sqlite');
    expect(await runCli(['refresh', '--db', db])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `skillscout: ${db} does not exist\n`,
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('skillscout status', () => {
  it('lists providers a page at a time', async () => {
    const { run, origin } = await crawled();
    const absent = await serveForTest(async () => new Response('', { status: 404 }));
    await run('crawl', absent.origin, ...LOOPBACK);

    const first = await run('status', '--limit', '1');
    const cursor = /^skillscout: more with --cursor (\S+)\n$/.exec(first.stderr)?.[1] ?? '';
    const second = await run('status', '--limit', '1', '--cursor', cursor);

    const lines = [first, second].map(({ stdout }) => stdout.split('\n')[1] ?? '');
    expect(lines.find((line) => line.startsWith(origin))).toMatch(/^\S+ +ok +2 +\d+[sm] +1\/0 +in [34]m$/);
    expect(lines.find((line) => line.startsWith(absent.origin))).toMatch(
      /^\S+ +none INDEX_NOT_FOUND +0 +\d+[sm] +0\/1 +\d+[sm] +in 5\dm$/,
    );
    expect(second.stderr).toBe('');
  });

  it('names what it does not know', async () => {
    const { run, origin } = await crawled();

    const named = await run('status', `${origin}/`, 'nowhere.example', '--json');

    expect(named).toMatchObject({
      code: 1,
      stderr: 'skillscout: nowhere.example is not known: skillscout crawl looks at it\n',
    });
    expect(JSON.parse(named.stdout).records).toMatchObject([{ domain: origin }]);
    expect(await run('status', '--due')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'skillscout: no provider is due\n',
    });
  });
});

describe('skillscout crawl --dry-run', () => {
  it('says what would change and leaves the database as it is', async () => {
    const { provider, run, origin, db } = await crawled();
    provider.setSkills([validDescriptor({ id: 'com.example.one', version: '9.0.0' })]);
    const before = await readFile(db);

    const dry = await run('crawl', origin, '--dry-run', '--json', ...LOOPBACK);

    expect(dry).toMatchObject({ code: 0, stderr: 'skillscout: a dry run: nothing was stored\n' });
    const report: CrawlReport = JSON.parse(dry.stdout);
    expect(report).toMatchObject({ providers: { ok: 1 }, skills: { accepted: 1 } });
    expect(report.changes).toMatchObject([
      { kind: 'removed', id: 'com.example.two' },
      {
        kind: 'changed',
        id: 'com.example.one',
        members: expect.arrayContaining([{ field: '/version', old: skills[0]?.version, new: '9.0.0' }]),
      },
    ]);
    const lines = await run('crawl', origin, '--dry-run', ...LOOPBACK);
    expect(lines.stdout).toMatch(/\nChanges\n\S+Z {2}removed .*\n\S+Z {2}changed .*\n {4}\/version: /);
    expect(await readFile(db)).toEqual(before);
    expect(JSON.parse((await run('changes', '--json')).stdout)).toHaveLength(2);
  });

  it('takes a database that is not there for an empty one, and creates none', async () => {
    const { origin, folder } = await crawled();
    const before = await readdir(folder);

    const dry = await runCli([
      'crawl',
      origin,
      '--dry-run',
      '--json',
      '--db',
      join(folder, 'none'),
      ...LOOPBACK,
    ]);

    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout).changes).toMatchObject([{ kind: 'added' }, { kind: 'added' }]);
    expect(await readdir(folder)).toEqual(before);
  });
});
