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
export { loadingTools } from './loading-tools.ts';
export { type InvokeSkill, toTool } from './skill-tool.ts';
export type { AgentTool, ToolError, ToolSchema } from './tool.ts';
export { createToolbox } from './toolbox.ts';
export { cleanLine } from './untrusted.ts';
