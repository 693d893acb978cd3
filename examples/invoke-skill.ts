// A skill is invoked at its publisher: checked, approved, sent, and followed until it is completed.
import assert from 'node:assert/strict';
import { createClient } from 'skillscout';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const credential = { header: 'X-API-Key', value: 'a-key-of-ours' };
const provider = createProvider({
  domain: 'tools.example',
  name: 'Tools',
  skills: [validDescriptor({ id: 'shout', provider: { name: 'Tools' }, auth: { type: 'api_key' } })],
  invocations: { credential, run: ({ inputs }) => `${inputs.text}`.toUpperCase() },
});
const server = await serve(provider.handle);
const client = createClient({
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  invocation: {
    credentials: { [server.origin]: { apiKey: credential.value } },
    approve: ({ provenance, inputs }) =>
      provenance.endpointOrigin === server.origin && inputs.text !== 'secret',
  },
});
await client.discover(server.origin);
const shout = { domain: server.origin, id: 'shout' };

const outcome = await client.invoke(
  shout,
  { text: 'water' },
  { onStatus: ({ executionId, status }) => console.log(executionId, status) },
);
assert.equal(outcome.status, 'completed');
assert.equal(outcome.output, 'WATER');

// What breaks the definitions, and what nobody approves, leaves no trace at the provider.
provider.requests.length = 0;
const wrong = await client.invoke(shout, { text: 7 });
assert.deepEqual([wrong.status, wrong.code], ['refused', 'INVALID_INPUTS']);
console.log(wrong.message);
assert.equal((await client.invoke(shout, { text: 'secret' })).code, 'APPROVAL_REFUSED');
assert.equal(provider.requests.length, 0);

await client.close();
await server.close();
