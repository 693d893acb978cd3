import Anthropic from '@anthropic-ai/sdk';
import { type Move, parsed, type Script } from './script.ts';

/** A client of the Messages API whose answers are the script's. */
export function anthropic(script: Script): Anthropic {
  return new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    async fetch(_url, init) {
      const request = JSON.parse(String(init?.body)) as Anthropic.MessageCreateParamsNonStreaming;
      const move = script({ ...visible(request), request });
      return Response.json(answer(move, request), { headers: { 'request-id': 'none' } });
    },
  });
}

/** A deferred tool is there from the first reference to it on. */
function visible({ tools = [], messages }: Anthropic.MessageCreateParamsNonStreaming) {
  const contents = messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .flatMap((block) => (block.type === 'tool_result' ? [block.content ?? ''] : []));
  const referenced = new Set(
    contents.flatMap((content) =>
      typeof content === 'string' ? [] : content.map((block) => 'tool_name' in block && block.tool_name),
    ),
  );
  return {
    tools: tools.flatMap((tool) => {
      if (!('input_schema' in tool)) return [];
      return tool.defer_loading && !referenced.has(tool.name) ? [] : [tool.name];
    }),
    results: contents.map(parsed),
  };
}

function answer(move: Move, { model, messages }: Anthropic.MessageCreateParamsNonStreaming) {
  const isText = 'text' in move;
  return {
    id: `message-${messages.length}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      isText
        ? { type: 'text', text: move.text }
        : { type: 'tool_use', id: `call-${messages.length}`, name: move.name, input: move.input },
    ],
    stop_reason: isText ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}
