import { systemClock } from '../clock.ts';
import { isSkillscoutError } from '../errors.ts';
import type { SkillRecord } from '../index.ts';
import { type ParsedDomain, parseDomain } from '../protocol/index.ts';
import type { CallOptions, Toolbox, ToolboxClient, ToolboxOptions } from './api.ts';
import { createDiscoveryGate, toDiscoveryResult } from './discovery.ts';
import { toolError } from './make-tool.ts';
import { discoverTool, getTool, invokeTool, type SkillCall, type SkillKey, searchTool } from './own-tools.ts';
import { createResolver } from './resolve.ts';
import { searchSkills } from './search.ts';
import { toDetails } from './skill-details.ts';
import { toTool } from './skill-tool.ts';
import type { AgentTool, ToolError } from './tool.ts';

/**
 * Tools by which an agent finds, reads and uses the skills of a client; bound to no agent runtime. Throws a TypeError for an
 * option that cannot be used.
 */
export function createToolbox(client: ToolboxClient, options: ToolboxOptions = {}): Toolbox {
  const {
    includePrivate = false,
    discover = false,
    invoke = false,
    caller,
    timeoutMs,
    clock = systemClock,
  } = options;
  for (const [name, value] of Object.entries({ includePrivate, invoke })) {
    if (typeof value !== 'boolean') throw new TypeError(`${name}: expected true or false`);
  }
  const gate = createDiscoveryGate(discover, clock);
  const { remember, resolve } = createResolver(client, includePrivate);

  const toSkillTool = (record: SkillRecord): AgentTool => {
    remember(record);
    if (!invoke) return toTool(record);
    return toTool(record, (inputs, { signal }) =>
      client.invoke(record, inputs, { caller, timeoutMs, includePrivate, signal }),
    );
  };

  const read = async ({ domain, id }: SkillKey): Promise<SkillRecord | ToolError> => {
    const parsed = readDomain(domain);
    if ('error' in parsed) return parsed;
    const record = await client.get({ domain: parsed.domain, id, includePrivate });
    return (
      record ?? toolError('SKILL_NOT_FOUND', 'There is no such skill. search_skills gives domains and ids.')
    );
  };

  const toolbox: Omit<Toolbox, 'tools'> = {
    async searchSkills(input = {}, { signal } = {}) {
      return searchSkills(client, input, { includePrivate, signal });
    },
    async getSkill(key, { signal } = {}) {
      signal?.throwIfAborted();
      const record = await read(key);
      if ('error' in record) return record;
      remember(record);
      return toDetails(record);
    },
    async discoverDomain({ domain }, { signal } = {}) {
      signal?.throwIfAborted();
      const parsed = readDomain(domain);
      const refusal = 'error' in parsed ? parsed : gate(parsed);
      return refusal ?? toDiscoveryResult(await client.discover(domain, { signal }), includePrivate);
    },
    toTool: toSkillTool,
    async resolve(name, { signal } = {}) {
      signal?.throwIfAborted();
      const record = await resolve(name);
      return record && toSkillTool(record);
    },
  };

  const invokeSkill = async ({ inputs, ...key }: SkillCall, call: CallOptions) => {
    const record = await read(key);
    if ('error' in record) return record;
    return (await toSkillTool(record).execute(inputs, call)) as object;
  };

  return {
    ...toolbox,
    tools: [
      searchTool(toolbox),
      getTool(toolbox),
      ...(discover === false ? [] : [discoverTool(toolbox)]),
      ...(invoke ? [invokeTool(invokeSkill)] : []),
    ],
  };
}

function readDomain(domain: string): ParsedDomain | ToolError {
  try {
    return parseDomain(domain);
  } catch (error) {
    if (isSkillscoutError(error)) return toolError(error.code, error.message);
    throw error;
  }
}
