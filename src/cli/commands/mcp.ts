import { randomBytes } from 'node:crypto';
import { createToolbox } from '../../agent/index.ts';
import { createClient, systemClock } from '../../index.ts';
import { serveHttp, serveStdio } from '../../mcp/index.ts';
import type { SqliteStore } from '../../sqlite/index.ts';
import { type CredentialFlags, forEndpoints, readCredentials } from '../credentials.ts';
import { openDatabase, openExisting } from '../database.ts';
import { type DatabaseFlag, type NetworkFlags, networkOptions } from '../options.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags, UsageError } from '../usage-error.ts';

interface McpFlags extends DatabaseFlag, NetworkFlags, CredentialFlags {
  http?: number;
  host?: string;
  allowDiscover?: boolean;
  allowDiscoverDomain?: string[];
  allowInvoke?: boolean;
  includePrivate?: boolean;
}

const TOKEN_VARIABLE = 'SKILLSCOUT_MCP_TOKEN';
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** Serves what is stored to agents until its input ends, or it is told to. */
export async function mcp(flags: McpFlags, shell: Shell): Promise<number> {
  const { includePrivate = false, allowDiscover, allowDiscoverDomain, allowInvoke = false } = flags;
  const http = httpOptions(flags, shell);
  const discover = allowDiscover ?? allowDiscoverDomain ?? false;
  const credentials = await readCredentials(flags, shell.io.env);
  const invocation = { credentials: forEndpoints(credentials) };
  const options = { ...networkOptions(flags), credentials, invocation };
  const may = { includePrivate, discover, invoke: allowInvoke };
  // Before there is a database: a flag that is wrong creates none.
  await blamingFlags(() => createToolbox(createClient(options), may), {
    discover: '--allow-discover-domain',
  });
  const store = await openStore(flags, discover !== false);
  const client = createClient({ ...options, store });
  const terminated = new AbortController();
  const terminate = () => terminated.abort();
  process.once('SIGTERM', terminate);
  const signal = AbortSignal.any([shell.signal, terminated.signal]);
  try {
    const toolbox = createToolbox(client, may);
    const served = { toolbox, client, includePrivate, revision: () => store.revision(), clock: systemClock };
    if (http) await serveHttp(served, { ...http, signal });
    else {
      const onError = (error: Error) => shell.note(error.message);
      await serveStdio(served, { stdin: shell.io.stdin, stdout: shell.io.stdout, signal, onError });
    }
    return 0;
  } finally {
    process.off('SIGTERM', terminate);
    await client.close();
    await store.close();
  }
}

/** Opened to read only where nothing is written. There must be one, for what is stored later to be seen. */
async function openStore(flags: DatabaseFlag, isWritten: boolean): Promise<SqliteStore> {
  if (isWritten) return (await openDatabase(flags)).store;
  const { store } = await openExisting(flags, { readOnly: true });
  if (store) return store;
  await (await openDatabase(flags)).store.close();
  return openStore(flags, false);
}

function httpOptions(flags: McpFlags, { io, note }: Shell) {
  const { http: port, host = '127.0.0.1' } = flags;
  if (port === undefined) {
    if (flags.host !== undefined) throw new UsageError('--host: only with --http');
    return undefined;
  }
  if (port > 65_535) throw new UsageError('--http: expected a port, from 0 to 65535');
  if (host === '') throw new UsageError('--host: expected an address or a name of this machine');
  const given = io.env[TOKEN_VARIABLE];
  if (given !== undefined && !/^[\w.~+/=-]{32,}$/.test(given)) {
    throw new UsageError(`${TOKEN_VARIABLE}: expected at least 32 letters, digits or any of - . _ ~ + / =`);
  }
  const token = given ?? randomBytes(32).toString('base64url');
  return {
    port,
    host,
    token,
    onListening: (url: string) => {
      note(`serving ${url}`);
      note(given === undefined ? `bearer token: ${token}` : `bearer token: as in ${TOKEN_VARIABLE}`);
      if (!LOOPBACK.includes(host)) note('this is not loopback: token and answers travel in clear');
    },
  };
}
