import type { Toolbox, ToolboxClient, ToolboxOptions } from './api.ts';

/** Tools by which an agent finds, reads and uses the skills of a client. Bound to no agent runtime. */
export function createToolbox(_client: ToolboxClient, _options: ToolboxOptions = {}): Toolbox {
  throw new Error('not built yet');
}
