// Which skills of one capability type exist, whoever publishes them? Crawl once, then ask the registry as often as you like.
import assert from 'node:assert/strict';
import { createClient } from 'skillscout';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const provider = createProvider({
  domain: 'language.example',
  name: 'Language tools',
  skills: [
    validDescriptor({ id: 'translate', name: 'Translate', capability_type: 'api', tags: ['text'] }),
    validDescriptor({
      id: 'glossary',
      name: 'Glossary',
      capability_type: 'knowledge',
      tags: ['text', 'terms'],
    }),
    validDescriptor({ id: 'proofread', name: 'Proofread', capability_type: 'api', access: 'restricted' }),
    validDescriptor({ id: 'drafts', name: 'Drafts', capability_type: 'api', access: 'private' }),
  ],
});
const server = await serve(provider.handle);
// A real crawl needs neither of these: they let this example talk to a server on this machine.
const client = createClient({ unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] } });

const report = await client.crawlAll([server.origin]);
assert.equal(report.providers.ok, 1);

const apis = await client.find({ capabilityType: 'api' });
console.log(apis.records.map(({ domain, id, access }) => `${id} (${access}) at ${domain}`).join('\n'));
assert.deepEqual(
  apis.records.map(({ id }) => id),
  ['translate', 'proofread'],
);

// Filters combine; arrays mean any of, tags all of, and the last word of a text may be unfinished.
const terms = await client.find({
  capabilityType: ['api', 'knowledge'],
  tags: ['text', 'terms'],
  total: true,
});
assert.equal(terms.total, 1);
const found = await client.find({ text: 'proof', include: 'descriptor' });
assert.equal(found.records[0]?.descriptor.endpoint.url, validDescriptor().endpoint.url);

// Pages are keyed, not counted: a crawl that writes meanwhile makes none of them skip or repeat.
const ids: string[] = [];
let cursor: string | undefined;
do {
  const page = await client.find({ limit: 1, ...(cursor !== undefined && { cursor }) });
  ids.push(...page.records.map(({ id }) => id));
  cursor = page.nextCursor;
} while (cursor !== undefined);
assert.deepEqual(ids, ['translate', 'glossary', 'proofread']);

await client.close();
await server.close();
