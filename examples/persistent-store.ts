// Keep what was found in a SQLite file: it answers after a restart, and other processes may read it meanwhile.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'skillscout';
import { openSqliteStore } from 'skillscout/sqlite';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const folder = await mkdtemp(join(tmpdir(), 'skillscout-'));
const path = join(folder, 'skills.db');
const provider = createProvider({
  domain: 'tools.example',
  name: 'Tools',
  skills: [validDescriptor({ id: 'translate', capability_type: 'api' })],
});
const server = await serve(provider.handle);

const writing = await openSqliteStore({ path });
const crawler = createClient({
  store: writing,
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
});
await crawler.crawlAll([server.origin]);
await crawler.close();
// A store that was passed in is closed by whoever opened it.
await writing.close();
await server.close();

const reading = await openSqliteStore({ path, readOnly: true });
const client = createClient({ store: reading });
const { records } = await client.find({ capabilityType: 'api' });
console.log(
  `${records.length} skill of type api, found ${new Date(records[0]?.fetchedAt ?? 0).toISOString()}`,
);
assert.deepEqual(
  records.map(({ id }) => id),
  ['translate'],
);
await client.close();
await reading.close();
await rm(folder, { recursive: true });
