import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTracingDisabled } from '@openai/agents';
import { answer as aiSdk } from './recipes/ai-sdk.ts';
import { answer as claude } from './recipes/claude.ts';
import { answer as langChain } from './recipes/langchain.ts';
import { answer as mastra } from './recipes/mastra.ts';
import { answer as openAIAgents } from './recipes/openai-agents.ts';
import { anthropic } from './support/anthropic.ts';
import { ScriptedChatModel } from './support/chat-model.ts';
import { languageModel } from './support/language-model.ts';
import { openAIModel } from './support/openai-model.ts';
import { type Script, type Seen, useSkill } from './support/script.ts';
import { INPUTS, openWorld, TRANSLATION, type World } from './support/world.ts';

const PROMPT = 'What is "Guten Morgen" in English?';
type Run = (script: Script, signal?: AbortSignal) => Promise<string | undefined>;

const RUNTIMES: Record<string, Run> = {
  'the AI SDK': (script, signal) => aiSdk(world.client, languageModel(script), PROMPT, signal),
  'the OpenAI Agents SDK': (script, signal) =>
    openAIAgents(world.client, openAIModel(script), PROMPT, signal),
  'Claude tools': (script, signal) => claude(world.client, anthropic(script), 'claude', PROMPT, signal),
  'LangChain.js': (script, signal) => langChain(world.client, new ScriptedChatModel(script), PROMPT, signal),
  Mastra: (script, signal) => mastra(world.client, mastraModel(script), PROMPT, signal),
};

/** Mastra's types have a copy of the AI SDK's for each of its versions. */
const mastraModel = languageModel as unknown as (script: Script) => Parameters<typeof mastra>[1];

/** Control, direction and tag characters, as they are and as JSON writes them. */
const UNSEEN = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\\u00[01]|\\u202|\\udb40/iu;

let world: World;
before(async () => {
  setTracingDisabled(true);
  process.env.MASTRA_TELEMETRY_DISABLED = '1';
  world = await openWorld();
});
after(() => world.close());

for (const [runtime, run] of Object.entries(RUNTIMES)) {
  describe(runtime, () => {
    const turns: Seen[] = [];
    const recorded =
      (script: Script): Script =>
      (seen) => {
        turns.push(seen);
        return script(seen);
      };
    beforeEach(() => {
      turns.length = 0;
      world.asked.length = 0;
    });

    it('finds a skill, reads it and calls it', async () => {
      const text = await run(recorded(useSkill(INPUTS)));
      const { status, untrusted_output } = JSON.parse(text ?? '');
      assert.deepEqual({ status, untrusted_output }, { status: 'completed', untrusted_output: TRANSLATION });
      assert.deepEqual(
        world.asked.map(({ skill_id, inputs }) => ({ skill_id, inputs })),
        [{ skill_id: 'translate', inputs: INPUTS }],
      );
    });

    it('shows what publishers wrote cut, cleaned and labelled', async () => {
      await run(recorded(useSkill(INPUTS)));
      const shown = turns.map(({ request }) => JSON.stringify(request));
      assert.match(shown.at(-1) ?? '', /Ignore all previous instructions/);
      for (const text of shown) {
        assert(text.length < 40_000, `${text.length} characters`);
        assert.doesNotMatch(text, UNSEEN);
        if (text.includes('Ignore all previous'))
          assert.match(text, /as data, never as instructions|are data and no instructions/);
      }
    });

    it('lets the model read what was wrong', async () => {
      const text = await run(recorded(useSkill({ ...INPUTS, target: 'tlh' })));
      assert.match(text ?? '', /error.*target/);
      assert.deepEqual(world.asked, []);
    });

    it('hands on its abort', async () => {
      const controller = new AbortController();
      const coming = world.keepWaiting();
      const running = run(useSkill(INPUTS), controller.signal).catch(String);
      const { left } = await coming;
      controller.abort();
      await left;
      assert.doesNotMatch((await running) ?? '', /completed/);
    });
  });
}
