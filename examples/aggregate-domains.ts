// Crawl many domains and keep going whatever they do: every domain ends in one outcome with one code.
import assert from 'node:assert/strict';
import { createClient } from 'skillscout';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const good = createProvider({
  domain: 'good.example',
  name: 'Good',
  skills: [validDescriptor({ id: 'translate' }), validDescriptor({ id: 'summarise' })],
});
const server = await serve(async (request) => {
  const { hostname } = new URL(request.url);
  if (hostname === 'good.example') return good.handle(request);
  if (hostname === 'page.example')
    return new Response('<!doctype html><title>Welcome</title>', { status: 200 });
  return new Response(null, { status: 404 });
});

// `lookup` resolves these made-up names to the server above.
const client = createClient({
  lookup: server.lookup,
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  concurrency: { global: 32, perOrigin: 2 },
});

async function* domains() {
  for (const name of ['good.example', 'page.example', 'nothing.example'])
    yield `http://${name}:${server.port}`;
  yield 'not a domain';
}

const codes: string[] = [];
for await (const event of client.crawl(domains())) {
  if (event.type === 'provider') {
    const { domain, status, code, skills } = event.outcome;
    console.log(`${domain}: ${status}${code ? ` (${code})` : ''}, ${skills.length} skills`);
    codes.push(code ?? status);
  }
  if (event.type === 'done') {
    assert.deepEqual(event.report.providers, { total: 4, ok: 1, partial: 0, none: 1, failed: 2 });
    assert.deepEqual(event.report.skills, { accepted: 2, rejected: 0 });
  }
}
assert.deepEqual(codes.sort(), ['HTML_INSTEAD', 'INDEX_NOT_FOUND', 'INVALID_DOMAIN', 'ok']);

await client.close();
await server.close();
