import type { Model, ModelRequest } from '@openai/agents';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing';
import { parsed, type Script } from './script.ts';

/** A model of the OpenAI Agents SDK. */
export function openAIModel(script: Script): Model {
  const turn = modelResponder(({ index, request }) => {
    const move = script({
      tools: request.tools.map(({ name }) => name),
      results: resultsOf(request),
      request: { input: request.input, tools: request.tools },
    });
    return 'text' in move
      ? [assistantMessage(move.text)]
      : [functionCall(move.name, move.input, { callId: `call-${index}` })];
  });
  return new ScriptedModel(Array.from({ length: 10 }, () => turn));
}

function resultsOf({ input }: Readonly<ModelRequest>): unknown[] {
  const items = typeof input === 'string' ? [] : input;
  return items.flatMap((item) => {
    if (item.type !== 'function_call_result') return [];
    const { output } = item;
    return [parsed(typeof output === 'object' && 'text' in output ? output.text : output)];
  });
}
