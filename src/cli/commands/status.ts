import { parseDomain, systemClock } from '../../index.ts';
import type { Registry } from '../../registry/index.ts';
import { askDatabase } from '../database.ts';
import type { DatabaseFlag } from '../options.ts';
import { renderProvider, renderProviders } from '../render-status.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags, DOMAIN_ARGUMENT } from '../usage-error.ts';

interface StatusFlags extends DatabaseFlag {
  due?: boolean;
  limit?: number;
  cursor?: string;
  json?: boolean;
}

/** Lists known providers, one in full where one is named; exit code 1 where a named one is not known. */
export async function status(domains: string[], flags: StatusFlags, shell: Shell): Promise<number> {
  const { due, limit, cursor, json } = flags;
  const query = {
    ...(domains.length > 0 && { domain: domains }),
    ...(due && { due }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  };
  return askDatabase(flags, shell, async (registry, store) => {
    const now = systemClock.now();
    const page = await blamingFlags(() => registry.status(query, now), DOMAIN_ARGUMENT);
    const unknown = await unknownOf(domains, registry, now);
    if (json) await shell.printJson(page, 2);
    else if (page.records.length > 0) {
      const [first] = page.records;
      const text =
        domains.length === 1 && first
          ? renderProvider(first, now, shell.colors)
          : renderProviders(page.records, now, shell.colors);
      await shell.print(text);
      if (page.nextCursor !== undefined) shell.note(`more with --cursor ${page.nextCursor}`);
    } else if (store && unknown.length === 0) {
      shell.note(due ? 'no provider is due' : 'no provider is known');
    }
    if (store) {
      for (const domain of unknown) shell.note(`${domain} is not known: skillscout crawl looks at it`);
    }
    return unknown.length > 0 ? 1 : 0;
  });
}

async function unknownOf(
  domains: readonly string[],
  registry: Pick<Registry, 'status'>,
  now: number,
): Promise<string[]> {
  if (domains.length === 0) return [];
  const { records } = await registry.status({ domain: domains, limit: 1000 }, now);
  const known = new Set(records.map(({ domain }) => domain));
  return domains.filter((domain) => !known.has(parseDomain(domain).domain));
}
