export type {
  CallOptions,
  DiscoveryResult,
  InvocationResult,
  SearchInput,
  SearchResult,
  SkillDetails,
  SkillHit,
  Toolbox,
  ToolboxClient,
  ToolboxOptions,
} from './api.ts';
export type { AgentTool, ToolError, ToolSchema } from './tool.ts';
export { createToolbox } from './toolbox.ts';
