// The hostile internet of skillscout/testing against a client of your own. The one here is as people first write it, with a time
// limit and a size limit: it survives what breaks a connection or a document, and trusts whatever is well-formed.
import assert from 'node:assert/strict';
import { FAULTS, type Fault, type FaultName, serve, WELL_KNOWN_PATH } from 'skillscout/testing';

const TIMEOUT_MS = 3000;
const MAX_BYTES = 2 ** 20;

/** The client under test: the ids that a provider lists. Rejects when it cannot tell. */
async function listSkills(origin: string): Promise<string[]> {
  const response = await fetch(origin + WELL_KNOWN_PATH, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  const index = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
  return index.skills.map(({ id }: { id: string }) => id);
}

/** What a consumer must make of the three skills of a site with this fault; undefined where it must find none. */
function promised({ hits }: Fault): string[] | undefined {
  const ids = ['com.example.one', 'com.example.two', 'com.example.three'];
  return hits === 'index' ? undefined : ids.slice(hits === 'entry' ? 1 : 0);
}

async function survives(name: FaultName): Promise<boolean> {
  const fault: Fault = FAULTS[name];
  const server = await serve(fault.make());
  const found = await listSkills(server.origin).catch(() => undefined);
  await server.close();
  const survived = JSON.stringify(found) === JSON.stringify(promised(fault));
  console.log(survived ? 'survives' : 'FALLS TO', `${name}: it ${fault.describe}`);
  return survived;
}

const names = [
  'index-500',
  'index-html',
  'index-empty',
  'index-truncated',
  'index-hang',
  'index-drip',
  'index-huge',
  'index-gzip-bomb',
  'index-reset-in-body',
  'index-redirect-loop',
  'index-without-provider',
  'entry-without-access',
  'entry-private',
  'entry-duplicate-id',
  'harmless-bom',
  'harmless-gzip',
  'harmless-redirect',
  'harmless-unknown-members',
] as const;
const results = await Promise.all(names.map(survives));

assert.deepEqual(
  names.filter((_, n) => !results[n]),
  ['index-without-provider', 'entry-without-access', 'entry-private', 'entry-duplicate-id'],
);
