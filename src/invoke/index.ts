export type { ApprovalRequest, Approve } from './approval.ts';
export { SKILL_FLAGS, type SkillFlag } from './flags.ts';
