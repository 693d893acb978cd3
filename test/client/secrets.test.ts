import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProvider, type MockSite, validDescriptor } from '../../mocks/index.ts';
import { createLock, serializeLock } from '../../src/index.ts';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { clientOver } from './support.ts';

const TOKEN = 'tok+en/with=odd&chars-7f3a9c';
const KEY = 'k3y with spaces "quoted"';

/** A secret as it is, and as it is commonly written. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

it('credentials are in no file, snapshot, lock, event, outcome, change or status', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skillscout-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const skills = [validDescriptor({ id: 'open' }), validDescriptor({ id: 'secret', access: 'private' })];
  const bearer = createProvider({ domain: 'a.example', name: 'A', skills, token: TOKEN });
  const header = createProvider({
    domain: 'b.example',
    name: 'B',
    skills,
    token: { header: 'x-key', value: KEY },
  });
  /** Sends back what it was sent: in headers, in a failure, in a redirect. */
  const echo: MockSite = async (request) => {
    const sent = request.headers.get('authorization') ?? '';
    if (request.url.endsWith('skill-sharing')) {
      return new Response(`{"error": ${JSON.stringify(sent)}}`, {
        status: 403,
        headers: { 'x-echo': sent, 'www-authenticate': sent, 'content-type': 'application/json' },
      });
    }
    return new Response(null, { status: 404 });
  };
  const heard: unknown[] = [];
  const store = await openSqliteStore({ path: join(folder, 'skills.db') });
  const client = clientOver(
    { 'a.example': bearer.handle, 'b.example': header.handle, 'c.example': echo },
    {
      store,
      onEvent: (event) => heard.push(event),
      credentials: {
        'https://a.example': { bearer: TOKEN },
        'https://b.example': { header: 'x-key', value: KEY },
        'https://c.example': { bearer: TOKEN },
      },
    },
  );
  client.subscribe((change) => heard.push(change), { includePrivate: true });
  for (const cacheMode of ['use', 'refresh'] as const) {
    heard.push(await client.crawlAll(['a.example', 'b.example', 'c.example'], { cacheMode, outcomes: true }));
  }
  const { records } = await client.find({ include: 'descriptor', includePrivate: true });
  expect(records.map(({ id }) => id).sort()).toEqual(['open', 'open', 'secret', 'secret']);
  const lock = await createLock(records);
  heard.push(
    records,
    serializeLock(lock),
    await client.changes({ includePrivate: true }),
    await client.status(),
  );
  for await (const line of client.export({ includePrivate: true })) heard.push(line);
  for await (const verdict of client.verifyLock(lock)) heard.push(verdict);
  const files = async () =>
    Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')));
  const whileOpen = await files();
  await client.close();
  await store.close();

  const everything = [JSON.stringify(heard), ...whileOpen, ...(await files())].join('\n');
  expect(everything).toContain('a.example');
  for (const spelling of [...spellings(TOKEN), ...spellings(KEY)]) {
    expect(everything.includes(spelling), spelling).toBe(false);
  }
});
