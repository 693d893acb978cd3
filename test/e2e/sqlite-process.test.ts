import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { temporaryFolder } from './support/cli.ts';

const execute = promisify(execFile);

/** Runs code with a `store` and an `update` in a process that does nothing else. Rejects unless it ends well. */
async function runAlone(code: string): Promise<string> {
  const directory = await temporaryFolder();
  const path = join(directory, 'skills.db');
  await execute(process.execPath, ['--input-type=module', '--eval', `${PRELUDE}${code}`, path], {
    cwd: import.meta.dirname,
  });
  const files = await readdir(directory);
  const store = await openSqliteStore({ path, readOnly: true });
  const { providers } = await store.providers({ order: 'domain', limit: 10 });
  await store.close();
  return `${providers.length} providers in ${files.join(', ')}`;
}

const PRELUDE = `
  import { openSqliteStore } from '../../dist/sqlite.js';
  const open = () => openSqliteStore({ path: process.argv[1] });
  let store = await open();
  const update = (domain) => ({
    domain, view: 'anonymous', at: 1, status: 'ok', skills: [], standIns: [], listed: [], forgetBefore: 0,
  });
`;

/** Where something is stored already, a thread writes. */
const SEED = `
  await store.apply(update('seed.example'));
  await store.close();
  store = await open();
`;

describe.each([
  ['a new', '', 0],
  ['a filled', SEED, 1],
])('a process with %s SQLite store', (_, before, known) => {
  const run = (code: string) => runAlone(before + code);

  it('ends by itself though it does not close the store', async () => {
    expect(await run(`await store.apply(update('a.example'));`)).toContain(`${known + 1} providers`);
  });

  it('writes what it asked for and did not wait for', async () => {
    const code = `for (const name of ['a', 'b', 'c']) store.apply(update(name + '.example'));`;
    expect(await run(code)).toContain(`${known + 3} providers`);
  });

  it('waits for the end of a close with work under way', async () => {
    const code = `store.apply(update('a.example')); await store.close();`;
    expect(await run(code)).toBe(`${known + 1} providers in skills.db`);
  });
});
