import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { storePropertiesContract } from './store.contract.ts';

let directory: string;
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skillscout-store-'));
});
afterAll(() => rm(directory, { recursive: true }));

storePropertiesContract('SQLite', () => openSqliteStore({ path: join(directory, `${files++}.db`) }));
