import { BaseChatModel, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { parsed, type Script } from './script.ts';

/** A chat model of LangChain. */
export class ScriptedChatModel extends BaseChatModel {
  readonly #script: Script;
  readonly #tools: BindToolsInput[];

  constructor(script: Script, tools: BindToolsInput[] = []) {
    super({});
    this.#script = script;
    this.#tools = tools;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: BindToolsInput[]): ScriptedChatModel {
    return new ScriptedChatModel(this.#script, tools);
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const tools = this.#tools.map((tool) => convertToOpenAITool(tool));
    const move = this.#script({
      tools: tools.map((tool) => tool.function.name),
      results: messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => parsed(text)),
      request: { messages: messages.map(({ text }) => text), tools },
    });
    const message =
      'text' in move
        ? new AIMessage(move.text)
        : new AIMessage({
            content: '',
            tool_calls: [{ name: move.name, args: move.input, id: `call-${messages.length}` }],
          });
    return { generations: [{ text: message.text, message }] };
  }
}
