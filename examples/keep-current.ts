// Keep a registry current for months: hear of every change, and look again at whoever is due, at one request where nothing changed.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'skillscout';
import { openSqliteStore } from 'skillscout/sqlite';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const folder = await mkdtemp(join(tmpdir(), 'skillscout-'));
const path = join(folder, 'skills.db');
const ids = ['summarize', 'translate', 'transcribe'];
const provider = createProvider({
  domain: 'tools.example',
  name: 'Tools',
  skills: ids.map((id) => validDescriptor({ id })),
  cacheControl: 'max-age=0',
});
const server = await serve(provider.handle);

/** A process of its own: what it knows comes from the file. */
async function run(work: (client: ReturnType<typeof createClient>) => Promise<void>) {
  const store = await openSqliteStore({ path });
  const client = createClient({
    store,
    // So that everything is due at once; by default documents are taken for fresh for a minute at least.
    cache: { minFreshMs: 0 },
    unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  });
  await work(client);
  await client.close();
  await store.close();
}

await run(async (client) => {
  await client.crawlAll([server.origin]);
});

await run(async (client) => {
  const report = await client.refresh();
  console.log(`nothing changed: ${report.requests} request`);
  assert.equal(report.requests, 1);
});

provider.setSkills([
  validDescriptor({ id: 'summarize' }),
  validDescriptor({ id: 'translate', version: '2.0.0' }),
]);

await run(async (client) => {
  const heard: string[] = [];
  client.subscribe(({ kind, id, members = [] }) => {
    heard.push(`${kind} ${id} ${members.map(({ field }) => field).join(' ')}`.trim());
  });
  await client.refresh();
  console.log(heard.join('\n'));
  assert.deepEqual(heard.sort(), ['changed translate /version /descriptor/version', 'removed transcribe']);

  const { records } = await client.status();
  assert.deepEqual(
    records.map(({ status, successes, failures, skills }) => ({ status, successes, failures, skills })),
    [{ status: 'ok', successes: 3, failures: 0, skills: 2 }],
  );
});

await server.close();
await rm(folder, { recursive: true });
