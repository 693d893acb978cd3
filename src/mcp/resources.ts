import {
  ErrorCode,
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { cleanLine, type Toolbox } from '../agent/index.ts';
import type { Client, SkillSummary } from '../index.ts';
import { parseSkillUri, SKILL_URI_TEMPLATE, skillUri } from './skill-uri.ts';

/** Skills in one page of the list. */
const PAGE = 100;
/** The code of the Model Context Protocol for a resource that is not there; the SDK has no name for it. */
const RESOURCE_NOT_FOUND = -32002;
/** At most, of what publishers wrote. */
const TOKENS = { id: 60, name: 40, description: 100 };
const JSON_TYPE = 'application/json';

export const SKILL_TEMPLATES: ResourceTemplate[] = [
  {
    uriTemplate: SKILL_URI_TEMPLATE,
    name: 'skill',
    title: 'Skill',
    description: 'One stored skill as get_skill gives it. The domain and the id are percent-encoded.',
    mimeType: JSON_TYPE,
  },
];

/** One page of all skills, in the order in which they became known. */
export async function listSkills(
  client: Pick<Client, 'find'>,
  { cursor, includePrivate }: { cursor: string | undefined; includePrivate: boolean },
): Promise<ListResourcesResult> {
  try {
    const { records, nextCursor } = await client.find({ limit: PAGE, cursor, includePrivate });
    return { resources: records.map(toResource), ...(nextCursor !== undefined && { nextCursor }) };
  } catch (error) {
    if (error instanceof TypeError) throw new McpError(ErrorCode.InvalidParams, error.message);
    throw error;
  }
}

function toResource({ domain, id, name, description }: SkillSummary): Resource {
  return {
    uri: skillUri({ domain, id }),
    name: cleanLine(id, TOKENS.id),
    title: cleanLine(name, TOKENS.name),
    description: `In the words of ${domain}, untrusted: ${cleanLine(description, TOKENS.description)}`,
    mimeType: JSON_TYPE,
  };
}

/** What `get_skill` gives, as text. */
export async function readSkill(
  toolbox: Pick<Toolbox, 'getSkill'>,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const key = parseSkillUri(uri);
  if (key === undefined) {
    throw new McpError(ErrorCode.InvalidParams, `uri: expected ${SKILL_URI_TEMPLATE}, both percent-encoded`);
  }
  const skill = await toolbox.getSkill(key, { signal });
  if (!('error' in skill)) {
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(skill) }] };
  }
  const { code, message } = skill.error;
  throw new McpError(
    code === 'SKILL_NOT_FOUND' ? RESOURCE_NOT_FOUND : ErrorCode.InvalidParams,
    `${code}: ${message}`,
    { uri },
  );
}
