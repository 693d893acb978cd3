import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Agent, type FunctionTool, run, setTracingDisabled } from '@openai/agents';
import { generateText, type ModelMessage, stepCountIs } from 'ai';
import { type AgentTool, createToolbox } from 'skillscout/agent';
import { createAiSdkTools, toAiSdkTool } from 'skillscout/ai-sdk';
import { createOpenAITools, toOpenAITool } from 'skillscout/openai-agents';
import { languageModel } from './support/language-model.ts';
import { openAIModel } from './support/openai-model.ts';
import { useSkill } from './support/script.ts';
import { INPUTS, openWorld, TRANSLATION, type World } from './support/world.ts';

let world: World;
before(async () => {
  setTracingDisabled(true);
  world = await openWorld();
});
after(() => world.close());
beforeEach(() => {
  world.asked.length = 0;
});

const toolbox = (invoke = true) => createToolbox(world.client, { invoke });
async function skillTool(): Promise<AgentTool> {
  const [record] = (await world.client.find({ include: 'descriptor' })).records;
  assert(record);
  return toolbox().toTool(record);
}

function shape(tool: { name: string; description?: string; inputSchema: object; strict?: boolean }) {
  const { name, description, inputSchema, strict } = tool;
  return { name, description, inputSchema: { ...inputSchema }, strict };
}

describe('skillscout/ai-sdk', () => {
  it('offers schemas and strictness as they are', async () => {
    let request: unknown;
    const model = languageModel((seen) => {
      request = seen.request;
      return { text: 'Done.' };
    });
    const tool = await skillTool();
    const tools = { ...createAiSdkTools(toolbox()), [tool.name]: toAiSdkTool(tool) };
    await generateText({ model, tools, prompt: 'Hello' });
    const { tools: offered } = request as { tools: AgentTool[] };
    assert.deepEqual(offered.map(shape), [...toolbox().tools, tool].map(shape));
  });

  it('marks failures as errors', async () => {
    const model = languageModel(useSkill({ ...INPUTS, target: 'tlh' }));
    const tools = createAiSdkTools(toolbox());
    const { steps } = await generateText({ model, tools, prompt: 'Hello', stopWhen: stepCountIs(10) });
    const outputs = steps
      .flatMap(({ response }) => response.messages)
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .flatMap((part) => (part.type === 'tool-result' ? [part.output.type] : []));
    assert.deepEqual(new Set(outputs), new Set(['json', 'error-json']));
    assert.equal(outputs.at(-1), 'error-json');
  });

  it('asks for approval of what invokes, and of nothing else', async () => {
    const model = languageModel(useSkill(INPUTS));
    const tools = createAiSdkTools(toolbox(), { needsApproval: true });
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }];
    const asking = await generateText({ model, tools, messages, stopWhen: stepCountIs(10) });
    const requests = asking.content.filter((part) => part.type === 'tool-approval-request');
    assert.equal(requests.length, 1);
    assert.deepEqual(world.asked, []);

    messages.push(...asking.response.messages, {
      role: 'tool',
      content: requests.map(({ approvalId }) => ({
        type: 'tool-approval-response',
        approvalId,
        approved: true,
      })),
    });
    const { text } = await generateText({ model, tools, messages, stopWhen: stepCountIs(10) });
    assert.equal(JSON.parse(text).untrusted_output, TRANSLATION);
    assert.equal(world.asked.length, 1);
  });

  it('loads nothing where nothing may be invoked', async () => {
    const tools = createAiSdkTools(toolbox(false));
    const model = languageModel(({ results: [found, read] }) => {
      const { skills = [] } = (found ?? {}) as { skills?: { domain: string; id: string }[] };
      const [skill] = skills;
      if (!skill) return { name: 'search_skills', input: {} };
      return read ? { text: 'Done.' } : { name: 'get_skill', input: { domain: skill.domain, id: skill.id } };
    });
    const { text } = await generateText({ model, tools, prompt: 'Hello', stopWhen: stepCountIs(10) });
    assert.equal(text, 'Done.');
    assert.deepEqual(Object.keys(tools), ['search_skills', 'get_skill']);
  });
});

describe('skillscout/openai-agents', () => {
  it('offers schemas and strictness as they are', async () => {
    let request: unknown;
    const model = openAIModel((seen) => {
      request = seen.request;
      return { text: 'Done.' };
    });
    const tool = await skillTool();
    const tools = [...createOpenAITools(toolbox()), toOpenAITool(tool)];
    await run(new Agent({ name: 'Assistant', model, tools }), 'Hello');
    const { tools: offered } = request as { tools: FunctionTool[] };
    assert.deepEqual(
      offered.map((each) => shape({ ...each, inputSchema: each.parameters })),
      [...toolbox().tools, tool].map(shape),
    );
  });

  it('asks for approval of what invokes, and of nothing else', async () => {
    const tools = createOpenAITools(toolbox(), { needsApproval: true });
    const agent = new Agent({ name: 'Assistant', model: openAIModel(useSkill(INPUTS)), tools });
    const asking = await run(agent, 'Hello');
    assert.deepEqual(world.asked, []);
    const [interruption, ...others] = asking.interruptions;
    assert(interruption);
    assert.deepEqual(others, []);

    asking.state.approve(interruption);
    const { finalOutput } = await run(agent, asking.state);
    assert.equal(JSON.parse(finalOutput ?? '').untrusted_output, TRANSLATION);
    assert.equal(world.asked.length, 1);
  });

  it('ends the run with a closed client', async () => {
    const other = await openWorld();
    const agent = new Agent({
      name: 'Assistant',
      model: openAIModel(useSkill(INPUTS)),
      tools: createOpenAITools(createToolbox(other.client, { invoke: true })),
    });
    await other.close();
    await assert.rejects(run(agent, 'Hello'), /the client was closed/);
  });
});
