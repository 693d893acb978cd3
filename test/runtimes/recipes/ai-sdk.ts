import { generateText, type LanguageModel, stepCountIs } from 'ai';
import type { Client } from 'skillscout';
import { createToolbox } from 'skillscout/agent';
import { createAiSdkTools } from 'skillscout/ai-sdk';

export async function answer(client: Client, model: LanguageModel, prompt: string, signal?: AbortSignal) {
  const tools = createAiSdkTools(createToolbox(client, { invoke: true }));
  const { text } = await generateText({
    model,
    tools,
    prompt,
    stopWhen: stepCountIs(10),
    abortSignal: signal,
  });
  return text;
}
