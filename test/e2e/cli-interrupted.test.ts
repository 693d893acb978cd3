import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createProvider, type MockSite, untilAborted, validDescriptor } from '../../mocks/index.ts';
import { exitOf, LOOPBACK, linesOf, runCli, serveForTest, startCli, temporaryFolder } from './support/cli.ts';

const good = () =>
  createProvider({ domain: 'good.example', name: 'Good', skills: [validDescriptor()] }).handle;

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A site that does not answer before it is told to. `asked` resolves with the first request. */
function heldSite(site: MockSite) {
  const asked = deferred();
  const released = deferred();
  const handle: MockSite = async (request) => {
    asked.resolve();
    await Promise.race([released.promise, untilAborted(request.signal)]);
    return site(request);
  };
  return { handle, asked: asked.promise, release: released.resolve };
}

async function crawlOfTwo() {
  const held = heldSite(good());
  const [first, second] = [await serveForTest(good()), await serveForTest(held.handle)];
  const db = join(await temporaryFolder(), 'skills.sqlite');
  const args = ['crawl', first.origin, second.origin, '--db', db, ...LOOPBACK];
  const find = async () => {
    const { code, stdout } = await runCli(['find', '--json', '--db', db]);
    const domains = JSON.parse(stdout).records.map(({ domain }: { domain: string }) => domain);
    return { code, domains };
  };
  return { args, db, find, held, origins: [first.origin, second.origin] };
}

/** Two providers that were crawled and are due; the one that is looked at last waits now. */
async function refreshOfTwo() {
  const site = () =>
    createProvider({
      domain: 'due.example',
      name: 'Due',
      skills: [validDescriptor()],
      cacheControl: 'no-cache',
    }).handle;
  const held = heldSite(site());
  const providers = await Promise.all(
    [{ site: site() }, { site: site() }].map(async (provider) => {
      const { origin } = await serveForTest((request) => provider.site(request));
      return Object.assign(provider, { origin });
    }),
  );
  providers.sort((a, b) => (a.origin < b.origin ? -1 : 1));
  const db = join(await temporaryFolder(), 'skills.sqlite');
  const flags = ['--db', db, '--concurrency', '1', ...LOOPBACK];
  await runCli(['crawl', ...providers.map(({ origin }) => origin), ...flags]);
  Object.assign(providers[1] ?? {}, { site: held.handle });
  const looks = async () => {
    const { stdout } = await runCli(['status', '--json', '--db', db]);
    return JSON.parse(stdout).records.map(({ successes }: { successes: number }) => successes);
  };
  return { args: ['refresh', ...flags], held, looks };
}

async function untilProvider(lines: AsyncIterator<string>): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error('the crawl ended without a provider');
    if (JSON.parse(value).type === 'provider') return;
  }
}

it('keeps what it has when it is interrupted', async () => {
  const { args, find, held, origins } = await crawlOfTwo();
  const child = startCli([...args, '--ndjson']);
  const exit = exitOf(child);
  const lines = linesOf(child);
  await untilProvider(lines);
  await held.asked;

  child.kill('SIGINT');

  expect(await exit).toEqual({ code: 130, signal: null });
  expect(await find()).toEqual({ code: 0, domains: [origins[0]] });
});

it('reports what it found until the interrupt', async () => {
  const { args, held, find, origins } = await crawlOfTwo();
  const child = startCli([...args, '--concurrency', '1', '--json']);
  const exit = exitOf(child);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // One domain at a time: the second is asked once the first is done.
  await held.asked;

  child.kill('SIGINT');

  expect(await exit).toEqual({ code: 130, signal: null });
  const [stdout, stderr] = await output;
  expect(JSON.parse(stdout)).toMatchObject({ providers: { total: 1, ok: 1 }, skills: { accepted: 1 } });
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(await find()).toEqual({ code: 0, domains: [origins[0]] });
});

it('reports what a dry run found until the interrupt, without the changes', async () => {
  const { args, db, held } = await crawlOfTwo();
  const child = startCli([...args, '--concurrency', '1', '--json', '--dry-run']);
  const exit = exitOf(child);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await held.asked;

  child.kill('SIGINT');

  expect(await exit).toEqual({ code: 130, signal: null });
  const [stdout, stderr] = await output;
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ providers: { total: 1, ok: 1 } });
  expect(report).not.toHaveProperty('changes');
  expect(stderr).toContain('what would have changed is known only at the end');
  expect(await readdir(dirname(db))).toEqual([]);
});

it('leaves due what a refresh has not finished', async () => {
  const { args, held, looks } = await refreshOfTwo();
  const child = startCli([...args, '--json']);
  const exit = exitOf(child);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await held.asked;

  child.kill('SIGINT');

  expect(await exit).toEqual({ code: 130, signal: null });
  const [stdout, stderr] = await output;
  expect(JSON.parse(stdout)).toMatchObject({ providers: { total: 1, ok: 1 } });
  expect(stderr).toContain('what was not finished stays due');
  expect(await looks()).toEqual([2, 1]);
});

it('ends a refresh quietly when nobody reads its output any more', async () => {
  const { args, held, looks } = await refreshOfTwo();
  const child = startCli([...args, '--ndjson']);
  const exit = exitOf(child);
  const stderr = text(child.stderr);
  await untilProvider(linesOf(child));
  await held.asked;

  child.stdout.destroy();
  held.release();

  expect(await exit).toEqual({ code: 0, signal: null });
  expect(await stderr).toBe('');
  expect((await looks())[0]).toBe(2);
});

it('ends at an interrupt while stdin stays open', async () => {
  const held = heldSite(good());
  const { origin } = await serveForTest(held.handle);
  const db = join(await temporaryFolder(), 'skills.sqlite');
  const child = startCli(['crawl', origin, '--file', '-', '--db', db, ...LOOPBACK], { stdin: null });
  const exit = exitOf(child);
  await held.asked;

  child.kill('SIGINT');

  expect(await exit).toEqual({ code: 130, signal: null });
});

it('can go on after it was killed', async () => {
  const { args, find, held, origins } = await crawlOfTwo();
  const child = startCli([...args, '--ndjson']);
  const exit = exitOf(child);
  await untilProvider(linesOf(child));
  await held.asked;

  child.kill('SIGKILL');
  await exit;

  expect(await find()).toEqual({ code: 0, domains: [origins[0]] });
  held.release();
  expect(await runCli(args)).toMatchObject({ code: 0 });
  expect(await find()).toEqual({ code: 0, domains: origins });
});

it('ends quietly when nobody reads its output any more', async () => {
  const held = heldSite(good());
  const never = heldSite(good());
  const sites = [good(), held.handle, never.handle];
  const [first, second, third] = await Promise.all(
    sites.map(async (site) => (await serveForTest(site)).origin),
  );
  const folder = await temporaryFolder();
  const file = join(folder, 'domains.txt');
  await writeFile(file, `${first}\n${second}\n${third}\n`);
  const child = startCli(['crawl', '--file', file, '--db', join(folder, 'db'), '--ndjson', ...LOOPBACK]);
  const exit = exitOf(child);
  const stderr = text(child.stderr);
  await untilProvider(linesOf(child));
  await never.asked;

  child.stdout.destroy();
  held.release();

  expect(await exit).toEqual({ code: 0, signal: null });
  expect(await stderr).toBe('');
});
