// What the adapters use of their runtimes, so that they compile where these are not installed. test/runtimes holds the adapters
// against the runtimes' own types.

declare module 'ai' {
  export type JSONValue = null | string | number | boolean | object;
  export interface JSONSchema7 {
    type?: string;
  }
  export interface Tool {
    description?: string;
  }
  export function jsonSchema(schema: JSONSchema7): object;
  export function dynamicTool(tool: {
    description: string;
    inputSchema: object;
    strict: boolean;
    needsApproval: boolean;
    execute(input: unknown, options: { abortSignal?: AbortSignal }): Promise<unknown>;
    toModelOutput(options: { output: unknown }): { type: 'json' | 'error-json'; value: JSONValue };
  }): Tool;
}

declare module '@openai/agents' {
  export interface Tool {
    name: string;
  }
  export function tool(options: {
    name: string;
    description: string;
    parameters: object;
    strict: boolean;
    needsApproval: boolean;
    errorFunction: null;
    execute(input: unknown, context?: unknown, details?: { signal?: AbortSignal }): Promise<string>;
  }): Tool;
}
