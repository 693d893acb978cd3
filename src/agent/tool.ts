import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/**
 * A JSON Schema (draft 2020-12) in its own enumerable members, and a Standard Schema, with validation and JSON Schema, by its
 * member `~standard`, which is not enumerable: `JSON.stringify` gives the JSON Schema alone.
 */
export type ToolSchema<Input = Record<string, unknown>> = Record<string, unknown> & {
  readonly '~standard': StandardSchemaV1.Props<unknown, Input> & StandardJSONSchemaV1.Props<unknown, Input>;
};

/** What `execute` gives where there is no result. `message` is ours or has been cleaned and cut. */
export interface ToolError {
  error: { code: string; message: string; violations?: { field: string; message: string }[] };
}

/** A tool as every agent runtime knows it, bound to no runtime. */
export interface AgentTool<Input = Record<string, unknown>> {
  /** `[a-zA-Z0-9_]{1,64}`. Only tools made from skills begin with `skill_`. */
  name: string;
  /** For the model; what publishers wrote in it is cut, cleaned and labelled as untrusted. */
  description: string;
  inputSchema: ToolSchema<Input>;
  /** JSON Schema (draft 2020-12) of what `execute` gives where it is no {@link ToolError}. */
  outputSchema: Record<string, unknown>;
  /**
   * Whether `inputSchema` keeps to what strict modes of runtimes take: every object closed and all its members required, only
   * keywords that they know.
   */
  strict: boolean;
  /** What was left out of the schema, and why it is not strict. */
  notes: string[];
  /** What a host may tell its user, as MCP's annotations. */
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
  /**
   * Judges the input by `inputSchema` and runs. Every failure but an abort and a closed client is a {@link ToolError}, so that the
   * model can read it. The result is plain JSON.
   */
  execute(input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<unknown>;
}
