import type { AgentTool, Toolbox } from '../agent/index.ts';

export interface AdapterOptions {
  /**
   * Whether the runtime asks its user before a skill is invoked, by its own way of doing so. Default false: the client's hook
   * `approve`, which also sees the skill's provenance and warnings, decides alone.
   */
  needsApproval?: boolean | undefined;
}

/**
 * The toolbox's tools, of which `get_skill` also hands the tool of the skill that it read to `onLoad`, so that a model searches
 * first and then sees few tools. Where the toolbox does not invoke there is nothing to load.
 */
export function loadingTools(toolbox: Toolbox, onLoad: (tool: AgentTool) => void): readonly AgentTool[] {
  const { tools } = toolbox;
  if (!tools.some(({ name }) => name === 'invoke_skill')) return tools;
  return tools.map((tool) => {
    if (tool.name !== 'get_skill') return tool;
    return {
      ...tool,
      async execute(input, call) {
        const skill = (await tool.execute(input, call)) as { tool?: string };
        const loaded = skill.tool === undefined ? undefined : await toolbox.resolve(skill.tool, call);
        if (loaded) onLoad(loaded);
        return skill;
      },
    };
  });
}
