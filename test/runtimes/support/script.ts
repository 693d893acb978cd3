/** What a model sees in one turn, whatever the runtime. */
export interface Seen {
  /** The names of the tools that it may call. */
  tools: string[];
  /** What its calls gave, in order: parsed where it came as JSON text. */
  results: unknown[];
  /** All that the runtime sent. */
  request: unknown;
}

/** A call of a tool, or the last word. */
export type Move = { name: string; input: Record<string, unknown> } | { text: string };

export type Script = (seen: Seen) => Move;

/** Finds a skill by words and type, reads it, calls the tool that is its own, and says what that gave. */
export function useSkill(inputs: Record<string, unknown>): Script {
  return ({ tools, results }) => {
    const last = results.at(-1);
    const own = tools.find((name) => name.startsWith('skill_'));
    if (last === undefined) {
      return { name: 'search_skills', input: { query: 'translate', capability_type: 'api', limit: 3 } };
    }
    if (hasMember(last, 'untrusted_output') || hasMember(last, 'error'))
      return { text: JSON.stringify(last) };
    if (own !== undefined) return { name: own, input: inputs };
    const { skills } = last as { skills: { domain: string; id: string }[] };
    const [{ domain, id } = { domain: '', id: '' }] = skills;
    return { name: 'get_skill', input: { domain, id } };
  };
}

/** Results reach models as JSON text in most runtimes; what is another text is the runtime's own complaint. */
export function parsed(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  return content.startsWith('{') ? JSON.parse(content) : { error: content };
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name in value;
}
