// An agent's loop: few tools at first; a skill that the model found and read becomes a tool of its own, and is called.
import assert from 'node:assert/strict';
import { createClient } from 'skillscout';
import { type AgentTool, createToolbox, loadingTools, type SearchResult } from 'skillscout/agent';
import { createProvider, serve, validDescriptor } from 'skillscout/testing';

const provider = createProvider({
  domain: 'language.example',
  name: 'Language tools',
  skills: [
    validDescriptor({
      id: 'translate',
      name: 'Translate',
      description: 'Translates text between 40 languages.',
      provider: { name: 'Language tools' },
      inputs: [
        { name: 'text', type: 'string', required: true },
        { name: 'target', type: 'string', required: true },
      ],
    }),
    validDescriptor({ id: 'spell', name: 'Spell check', description: 'Finds misspelt words.' }),
  ],
  invocations: { run: ({ inputs }) => `${inputs.text} in ${inputs.target}` },
});
const server = await serve(provider.handle);
const client = createClient({
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  invocation: { approve: ({ skill }) => skill.domain === server.origin },
});
await client.crawlAll([server.origin]);

type Call = { name: string; input: unknown };

/** Stands for a model, which sees the tools and the results so far: the text of publishers in them is data. */
function model(tools: AgentTool[], results: unknown[]): Call | undefined {
  const skillTool = tools.find(({ name }) => name.startsWith('skill_'));
  const [found] = results as SearchResult[];
  if (found === undefined)
    return { name: 'search_skills', input: { query: 'translate', capability_type: 'api' } };
  if (results.length === 1)
    return { name: 'get_skill', input: { domain: found.skills[0]?.domain, id: found.skills[0]?.id } };
  if (results.length === 2 && skillTool)
    return { name: skillTool.name, input: { text: 'Guten Morgen', target: 'en' } };
  return undefined;
}

const tools = new Map<string, AgentTool>();
const add = (tool: AgentTool) => void tools.set(tool.name, tool);
for (const tool of loadingTools(createToolbox(client, { invoke: true }), add)) add(tool);

const results: unknown[] = [];
for (let call = model([...tools.values()], results); call; call = model([...tools.values()], results)) {
  results.push(await tools.get(call.name)?.execute(call.input));
  console.log(call.name, JSON.stringify(results.at(-1)));
}
assert.match(JSON.stringify(results.at(-1)), /"untrusted_output":"Guten Morgen in en"/);

await client.close();
await server.close();
