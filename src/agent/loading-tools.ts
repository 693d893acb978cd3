import type { Toolbox } from './api.ts';
import type { AgentTool } from './tool.ts';

/**
 * The toolbox's tools, of which `get_skill` also hands the tool of the skill that it read to `onLoad`, so that a model sees few
 * tools and loads those that it found. Where the toolbox does not invoke there is nothing to load.
 */
export function loadingTools(toolbox: Toolbox, onLoad: (tool: AgentTool) => void): AgentTool[] {
  const canInvoke = toolbox.tools.some(({ name }) => name === 'invoke_skill');
  return toolbox.tools.map((tool) => {
    if (tool.name !== 'get_skill' || !canInvoke) return tool;
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
