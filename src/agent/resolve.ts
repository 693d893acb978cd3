import type { SkillRecord, SkillSummary } from '../index.ts';
import type { ToolboxClient } from './api.ts';
import { toolName, wordsOfToolName } from './tool-name.ts';

const MAX_KNOWN = 1_000;
const PAGE = 100;
const MAX_PAGES = 10;

/** Finds the skills of tools by the tools' names. */
export interface Resolver {
  /** Remembers the last 1,000 that it was told of. */
  remember(skill: Pick<SkillSummary, 'domain' | 'id' | 'name'>): void;
  /**
   * The stored skill whose tool has this name. Looks at the skill that was remembered for it, else at the first 1,000 that have
   * the words in it: what decides is the name that the stored skill gives.
   */
  resolve(name: string): Promise<SkillRecord | undefined>;
}

export function createResolver(
  client: Pick<ToolboxClient, 'find' | 'get'>,
  includePrivate: boolean,
): Resolver {
  const known = new Map<string, { domain: string; id: string }>();

  async function search(name: string): Promise<{ domain: string; id: string } | undefined> {
    const text = wordsOfToolName(name);
    if (text === undefined) return undefined;
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { records, nextCursor } = await client.find({ text, includePrivate, limit: PAGE, cursor });
      const found = records.find((record) => toolName(record) === name);
      if (found || nextCursor === undefined) return found;
      cursor = nextCursor;
    }
    return undefined;
  }

  return {
    remember(skill) {
      const name = toolName(skill);
      known.delete(name);
      known.set(name, { domain: skill.domain, id: skill.id });
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '');
    },
    async resolve(name) {
      const key = known.get(name) ?? (await search(name));
      if (key === undefined) return undefined;
      const record = await client.get({ domain: key.domain, id: key.id, includePrivate });
      return record && toolName(record) === name ? record : undefined;
    },
  };
}
