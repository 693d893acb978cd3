import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fc } from '@fast-check/vitest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { openSqliteStore } from '../../src/sqlite/index.ts';

const WRITER = fileURLToPath(new URL('support/endless-writer.mjs', import.meta.url));
const KILLS = 10;
/** Files at a time, each killed again and again. */
const FILES = 5;
const { DatabaseSync } = await loadDriver();

describe('a process that is killed while it writes', () => {
  it(`leaves every look whole, and all that were confirmed, ${KILLS} times`, async () => {
    const seed = process.hrtime()[1];
    console.log(`seed ${seed}`);
    const moments = fc.sample(fc.nat(200), { numRuns: KILLS, seed });
    const directory = await mkdtemp(join(tmpdir(), 'skillscout-killed-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await Promise.all(
      Array.from({ length: FILES }, async (_, file) => {
        const path = join(directory, `${file}.db`);
        const confirmed = new Map<string, number>();
        for (let i = file; i < KILLS; i += FILES) {
          await writeUntilKilled(path, confirmed, moments[i] as number);
          await expectWhole(path, confirmed);
        }
      }),
    );
  });
});

/** Kills the writer once it has said `moment` numbers more. */
async function writeUntilKilled(path: string, confirmed: Map<string, number>, moment: number): Promise<void> {
  const first = Math.max(0, ...confirmed.values()) + 1_000;
  const writer = spawn(process.execPath, [WRITER, path, `${first}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void writer.kill('SIGKILL'));
  let said = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    const look = Number(line);
    confirmed.set(`d${look % 20}.example`, look);
    if (said++ === moment) writer.kill('SIGKILL');
  }
  expect(said).toBeGreaterThan(moment);
}

async function expectWhole(path: string, confirmed: Map<string, number>): Promise<void> {
  const store = await openSqliteStore({ path });
  const query = {
    now: 0,
    includePrivate: true,
    trusted: false,
    descriptors: false,
    limit: 1_000,
    total: true,
    facets: false,
  };
  const { skills, total } = await store.find(query);
  const { providers } = await store.providers({ order: 'domain', limit: 1_000 });
  await store.close();

  expect(total).toBe(providers.length * 5);
  for (const { domain, lookedAt, skills: count } of providers) {
    expect(count).toBe(5);
    expect(lookedAt).toBeGreaterThanOrEqual(confirmed.get(domain) ?? 0);
    const descriptions = skills
      .filter(({ entry }) => entry.domain === domain)
      .map(({ entry }) => entry.description);
    expect(descriptions).toEqual(Array(5).fill(`look ${lookedAt}`));
  }
  for (const domain of confirmed.keys()) expect(providers.map((known) => known.domain)).toContain(domain);

  const db = new DatabaseSync(path, { readOnly: true });
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  db.close();
}
