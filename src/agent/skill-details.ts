import type { OutputDefinition, SkillRecord } from '../protocol/index.ts';
import type { SkillDetails } from './api.ts';
import { cut, jsonTokens } from './budget.ts';
import { toHit } from './skill-hits.ts';
import { toTool } from './skill-tool.ts';
import { cleanLine, isShowable, NOTICE } from './untrusted.ts';

/** With a margin to the 4,000 that are promised, as for several skills. */
const MAX_TOKENS = 3_800;
const LINE_TOKENS = 40;
const TAG_TOKENS = 12;
const OUTPUT_TOKENS = 80;
const MAX_TAGS = 8;

/** What the toolbox's `getSkill` shows of a record. */
export function toDetails(record: SkillRecord): SkillDetails {
  const { descriptor, description, version } = record;
  const { name: tool, inputSchema, notes } = toTool(record);
  const { documentation_url: url } = descriptor;
  const tags = (descriptor.tags ?? []).slice(0, MAX_TAGS).map((tag) => cleanLine(tag, TAG_TOKENS));
  const hit = toHit(record);
  const details: SkillDetails = {
    notice: NOTICE,
    ...hit,
    id: isShowable(record.id) ? record.id : cleanLine(record.id, LINE_TOKENS),
    version: cleanLine(version, LINE_TOKENS),
    provider: cleanLine(descriptor.provider.name, LINE_TOKENS),
    ...(tags.length > 0 && { tags }),
    ...(url !== undefined && isShowable(url) && { documentation_url: url }),
    auth_type: descriptor.auth.type,
    tool,
    input_schema: { ...inputSchema },
    ...(notes.length > 0 && { notes }),
    output: outputOf(descriptor.output),
  };
  const room = MAX_TOKENS - jsonTokens(details);
  return { ...details, description: cut(cleanLine(description, MAX_TOKENS), room) };
}

function outputOf({ type, description, content_type }: OutputDefinition): SkillDetails['output'] {
  return {
    ...(type !== undefined && { type: cleanLine(type, TAG_TOKENS) }),
    ...(description !== undefined && { description: cleanLine(description, OUTPUT_TOKENS) }),
    ...(content_type !== undefined && { content_type: cleanLine(content_type, TAG_TOKENS) }),
  };
}
