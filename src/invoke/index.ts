export type { ApprovalRequest, Approve } from './approval.ts';
export type { InvocationMessage } from './execution.ts';
export { SKILL_FLAGS, type SkillFlag } from './flags.ts';
export { type Invocation, type InvokeContext, invokeSkill } from './invoke-skill.ts';
