import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fc } from '@fast-check/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { createProvider, type MockSite, validDescriptor, WELL_KNOWN_PATH } from '../../mocks/index.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { serveForTest, temporaryFolder } from './support/cli.ts';

const CRAWL = fileURLToPath(new URL('support/endless-crawl.mjs', import.meta.url));
const KILLS = 50;
/** Files at a time, each killed again and again. */
const FILES = 5;
const HOSTS = Array.from({ length: 12 }, (_, i) => `p${i}.example`);
const SKILLS = 5;
const { DatabaseSync } = await loadDriver();

/** Providers whose skills say in their descriptions which look at their index this was; `onRequest` hears of every request. */
function countingSite(onRequest: () => void): MockSite {
  const looks = new Map<string, number>();
  const providers = new Map(
    HOSTS.map((domain) => [domain, createProvider({ domain, name: domain, skills: [] })]),
  );
  return async (request) => {
    onRequest();
    const { hostname, pathname } = new URL(request.url);
    const provider = providers.get(hostname);
    if (pathname === WELL_KNOWN_PATH) {
      const look = (looks.get(hostname) ?? 0) + 1;
      looks.set(hostname, look);
      provider?.setSkills(
        Array.from({ length: SKILLS }, (_, i) =>
          validDescriptor({ id: `skill-${i}`, description: `look ${look}` }),
        ),
      );
    }
    return provider?.handle(request) ?? new Response(null, { status: 404 });
  };
}

it(`a crawl that is killed leaves every provider whole, ${KILLS} times, and can go on`, async () => {
  const seed = process.hrtime()[1];
  console.log(`seed ${seed}`);
  // From before the first answer until far into the second crawl.
  const moments = fc.sample(fc.nat(130), { numRuns: KILLS, seed });
  const folder = await temporaryFolder();
  let stored = 0;
  await Promise.all(
    Array.from({ length: FILES }, async (_, file) => {
      const path = join(folder, `${file}.db`);
      for (let i = file; i < KILLS; i += FILES) {
        await crawlUntilKilled(path, moments[i] as number);
        stored += await expectWhole(path);
      }
    }),
  );
  expect(stored).toBeGreaterThan(0);
});

/** Kills the crawl as its server gets the request after `moment` others. */
async function crawlUntilKilled(path: string, moment: number): Promise<void> {
  let asked = 0;
  const site = countingSite(() => {
    if (asked++ === moment) crawl.kill('SIGKILL');
  });
  const { port } = await serveForTest(site);
  const crawl = spawn(process.execPath, [CRAWL, path, `${port}`, ...HOSTS], { stdio: 'inherit' });
  onTestFinished(() => void crawl.kill('SIGKILL'));
  await once(crawl, 'exit');
  expect(crawl.signalCode).toBe('SIGKILL');
}

/** Gives how many providers there are. The ports differ from crawl to crawl, and so do the domains. */
async function expectWhole(path: string): Promise<number> {
  const store = await openSqliteStore({ path });
  const { providers } = await store.providers({ order: 'domain', limit: 1_000 });
  for (const { domain, skills: count } of providers) {
    const page = await store.find({
      domains: [domain],
      now: 0,
      includePrivate: true,
      trusted: false,
      descriptors: true,
      limit: 100,
      total: true,
      facets: false,
    });
    const looks = new Set(page.skills.map(({ entry }) => entry.description));
    expect({ domain, skills: page.total, count, looks: looks.size }).toEqual({
      domain,
      skills: SKILLS,
      count: SKILLS,
      looks: 1,
    });
  }
  await store.close();
  const db = new DatabaseSync(path, { readOnly: true });
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  db.close();
  return providers.length;
}
