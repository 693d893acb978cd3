import {
  type AccessLevel,
  type AuthType,
  type CapabilityType,
  createClient,
  type FindQuery,
} from '../../index.ts';
import { openToRead } from '../database.ts';
import type { DatabaseFlag } from '../options.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags, UsageError } from '../usage-error.ts';

interface FindFlags extends DatabaseFlag {
  type?: CapabilityType[];
  access?: AccessLevel[];
  auth?: AuthType[];
  tag?: string[];
  domain?: string[];
  includePrivate?: boolean;
  limit?: number;
  cursor?: string;
  total?: boolean;
  full?: boolean;
  json?: boolean;
  ndjson?: boolean;
}

/** Asks the database; no network. */
export async function find(text: string | undefined, flags: FindFlags, shell: Shell): Promise<number> {
  if (flags.full && !flags.json && !flags.ndjson)
    throw new UsageError('--full: only with --json or --ndjson');
  const query = toQuery(text, flags);
  const store = await openToRead(flags, shell);
  // Without a database the query is asked all the same, of an empty store: a wrong one is still told.
  const client = createClient(store && { store });
  try {
    const page = await blamingFlags(() => client.find(query));
    const { records, nextCursor, total } = page;
    if (flags.json) {
      await shell.printJson(page, 2);
      return 0;
    }
    if (flags.ndjson) {
      for (const record of records) await shell.printJson(record);
      if (total !== undefined) shell.note(`${total} in all`);
    } else {
      const { renderSkills } = await import('../render.ts');
      if (records.length > 0) await shell.print(renderSkills(records, shell.colors));
      else if (store) shell.note('no stored skill matches');
      if (total !== undefined) await shell.print(`${total} in all`);
    }
    if (nextCursor !== undefined) shell.note(`more with --cursor ${nextCursor}`);
    return 0;
  } finally {
    await client.close();
    await store?.close();
  }
}

function toQuery(text: string | undefined, flags: FindFlags): FindQuery {
  const { type, access, auth, tag, domain, includePrivate, limit, cursor, total, full } = flags;
  return {
    ...(text !== undefined && { text }),
    ...(type && { capabilityType: type }),
    ...(access && { access }),
    ...(auth && { authType: auth }),
    ...(tag && { tags: tag }),
    ...(domain && { domain }),
    ...(includePrivate && { includePrivate }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
    ...(total && { total }),
    ...(full && { include: 'descriptor' }),
  };
}
