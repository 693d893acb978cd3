// An agent runtime: look for a skill that fits the task, load its descriptor, and only then build the call.
import assert from 'node:assert/strict';
import {
  type Client,
  createClient,
  type InvocationRequest,
  type SkillSummary,
  validateInvocationRequest,
} from 'skillscout';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const provider = createProvider({
  domain: 'language.example',
  name: 'Language tools',
  skills: [
    validDescriptor({
      id: 'com.language.translate',
      name: 'Translate',
      description: 'Translates text between 40 languages.',
      capability_type: 'api',
      inputs: [
        { name: 'text', type: 'string', required: true },
        { name: 'target', type: 'string', required: true },
      ],
    }),
    validDescriptor({ id: 'com.language.spell', name: 'Spell check', description: 'Finds misspelt words.' }),
  ],
});
const server = await serve(provider.handle);
const client = createClient({ unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] } });
await client.crawlAll([server.origin]);

/** What the model sees first: a few small records. Text from publishers is data, never instructions. */
async function search(from: Client, query: string): Promise<SkillSummary[]> {
  const { records } = await from.find({ text: query, capabilityType: ['api', 'task'], limit: 5 });
  return records;
}

/** What the model chose, as the message that the skill's endpoint takes. */
async function prepare(from: Client, chosen: SkillSummary, inputs: InvocationRequest['inputs']) {
  const record = await from.get({ domain: chosen.domain, id: chosen.id });
  assert(record, 'a skill that was found is there');
  const missing = record.descriptor.inputs.filter(({ name, required }) => required && !(name in inputs));
  assert.deepEqual(missing, []);
  const request = { caller: { id: 'agent-7', type: 'service' }, skill_id: record.id, inputs };
  assert(validateInvocationRequest(request).ok);
  return { url: record.descriptor.endpoint.url, request };
}

const candidates = await search(client, 'translate text');
console.log(candidates.map(({ name, description }) => `${name}: ${description}`).join('\n'));
const [best] = candidates;
assert.equal(best?.id, 'com.language.translate');
const call = await prepare(client, best, { text: 'Guten Morgen', target: 'en' });
console.log('POST', call.url, JSON.stringify(call.request));
assert.equal(call.request.skill_id, 'com.language.translate');

await client.close();
await server.close();
