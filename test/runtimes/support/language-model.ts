import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { type Move, parsed, type Script } from './script.ts';

type Options = Parameters<MockLanguageModelV3['doGenerate']>[0];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK, which Mastra takes too. */
export function languageModel(script: Script): MockLanguageModelV3 {
  const move = ({ prompt, tools }: Options): Move =>
    script({
      tools: tools?.map(({ name }) => name) ?? [],
      results: prompt.flatMap((message) => (message.role === 'tool' ? message.content.map(resultOf) : [])),
      request: { prompt, tools },
    });
  return new MockLanguageModelV3({
    async doGenerate(options) {
      const { content, finishReason } = answer(move(options), options);
      return { content: [content], finishReason, usage, warnings: [] };
    },
    async doStream(options) {
      const { content, finishReason } = answer(move(options), options);
      const parts =
        content.type === 'text'
          ? [
              { type: 'text-start' as const, id: '1' },
              { type: 'text-delta' as const, id: '1', delta: content.text },
              { type: 'text-end' as const, id: '1' },
            ]
          : [content];
      const chunks = [
        { type: 'stream-start' as const, warnings: [] },
        ...parts,
        { type: 'finish' as const, finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) };
    },
  });
}

function answer(move: Move, { prompt }: Options) {
  if ('text' in move) {
    return {
      content: { type: 'text' as const, text: move.text },
      finishReason: { unified: 'stop' as const, raw: undefined },
    };
  }
  const { name: toolName, input } = move;
  return {
    content: {
      type: 'tool-call' as const,
      toolCallId: `call-${prompt.length}`,
      toolName,
      input: JSON.stringify(input),
    },
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
  };
}

function resultOf(part: Extract<Options['prompt'][number], { role: 'tool' }>['content'][number]): unknown {
  if (part.type !== 'tool-result' || !('value' in part.output)) return part;
  return parsed(part.output.value);
}
