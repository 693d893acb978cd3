// A descriptor's URL is known already: read and check it without an index. The result is not stored.
import assert from 'node:assert/strict';
import { createClient } from 'skillscout';
import { createProvider, descriptorPath, serve, validDescriptor } from 'skillscout/testing';

const provider = createProvider({
  domain: 'tools.example',
  name: 'Tools',
  skills: [
    validDescriptor({ id: 'translate' }),
    validDescriptor({ id: 'next-generation', protocol: { version: '2.0.0' } }),
  ],
});
const server = await serve(provider.handle);
const client = createClient({ unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] } });

const translate = await client.fetchDescriptor(server.origin + descriptorPath('translate'));
assert(translate.status === 'ok');
console.log(
  translate.descriptor.name,
  'takes',
  translate.descriptor.inputs.map(({ name }) => name).join(', '),
);

const tooNew = await client.fetchDescriptor(server.origin + descriptorPath('next-generation'));
assert.equal(tooNew.code, 'VERSION_INCOMPATIBLE');
assert.deepEqual(tooNew.details, { descriptor_version: '2.0.0', consumer_supported_range: '1.x.x' });

const missing = await client.fetchDescriptor(server.origin + descriptorPath('nobody'));
assert.equal(missing.code, 'SKILL_NOT_FOUND');
console.log(missing.message);

assert.equal((await client.find()).records.length, 0);
await client.close();
await server.close();
