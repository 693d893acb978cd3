// Stop a crawl by a signal, by a deadline, or by leaving the loop: nothing is left running, and what was found stays.
import assert from 'node:assert/strict';
import { createClient } from 'skillscout';
import { createProvider, serve, untilAborted, validDescriptor } from 'skillscout/testing';

const good = createProvider({
  domain: 'good.example',
  name: 'Good',
  skills: [validDescriptor({ id: 'translate' })],
});
const server = await serve((request) =>
  new URL(request.url).hostname === 'good.example' ? good.handle(request) : untilAborted(request.signal),
);
const client = createClient({
  lookup: server.lookup,
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  // For one document, waiting for a free slot aside: a host that never answers is one outcome among others.
  http: { timeoutMs: 1500 },
});
const at = (host: string) => `http://${host}:${server.port}`;

const report = await client.crawlAll([at('good.example'), at('silent.example')]);
assert.deepEqual(report.codes.providers, { TIMEOUT: 1 });

// A deadline for everything: any AbortSignal will do. The call rejects with the signal's reason.
const stop = new AbortController();
await assert.rejects(async () => {
  for await (const event of client.crawl([at('good.example'), at('silent-too.example')], {
    signal: stop.signal,
  })) {
    if (event.type === 'provider' && event.outcome.status === 'ok') stop.abort(new Error('that is enough'));
  }
}, /that is enough/);

for await (const event of client.crawl([at('good.example'), at('silent-again.example')])) {
  if (event.type === 'skill') break;
}

const { records } = await client.find();
console.log(records.map(({ id, domain }) => `${id} at ${domain}`).join('\n'));
assert.equal(records.length, 1);

await client.close();
await server.close();
