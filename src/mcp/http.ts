import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { parseJson } from '../index.ts';
import { createGate, PATH, type Refusal } from './gate.ts';
import { createMcpServer, type Served } from './server.ts';
import { GRACE_MS, MAX_MESSAGE_BYTES } from './serving.ts';
import { Sessions } from './sessions.ts';
import { watchRevision } from './watch.ts';

export const HTTP_LIMITS = {
  sessions: 64,
  /** How long a session without any request stays. */
  sessionIdleMs: 30 * 60_000,
  connections: 256,
  /** Requests of those who have the token, in one second, and how many may be saved up. */
  perSecond: 50,
  burst: 200,
  /** For the head of a request, for all of it, and for a connection on which nothing moves. */
  headMs: 10_000,
  requestMs: 30_000,
  stalledMs: 60_000,
  headBytes: 16_384,
};

const CLOSING: Refusal = { status: 503, message: 'the server is closing' };
const FULL: Refusal = {
  status: 503,
  message: 'too many sessions are in use',
  headers: { 'retry-after': '60' },
};
const NO_SESSION: Refusal = {
  status: 400,
  message: 'Mcp-Session-Id: expected that of a session; initialize opens one',
};
const UNKNOWN_SESSION: Refusal = {
  status: 404,
  message: 'Mcp-Session-Id: there is no such session, or no longer',
};
const TOO_LARGE: Refusal = { status: 413, message: `the body is larger than ${MAX_MESSAGE_BYTES} bytes` };
const BATCH: Refusal = { status: 400, message: 'batches are not taken' };

export interface HttpOptions {
  /** Where to listen: an address, or a name of this machine. */
  host: string;
  /** 0 for any that is free. */
  port: number;
  token: string;
  signal: AbortSignal;
  limits?: typeof HTTP_LIMITS;
  onListening: (url: string) => void;
}

/**
 * Serves clients over streamable HTTP until the signal aborts; answers that are under way then have a second. Rejects where it
 * cannot listen and where the store fails.
 */
export async function serveHttp(served: Served, options: HttpOptions): Promise<void> {
  const { host, port, token, signal, limits = HTTP_LIMITS, onListening } = options;
  const { clock } = served;
  const sessions = new Sessions({
    createServer: () => createMcpServer(served),
    most: limits.sessions,
    idleMs: limits.sessionIdleMs,
    clock,
  });
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(host).toLowerCase()]);
  const judge = createGate({ hosts, token, clock, perSecond: limits.perSecond, burst: limits.burst });
  const underWay = new Set<ServerResponse>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = judge(request) ?? (signal.aborted ? CLOSING : undefined);
    if (refusal) return refuse(response, refusal);
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    const body: Body = request.method === 'POST' ? await readBody(request) : { message: undefined };
    if (body.refusal) return refuse(response, body.refusal);
    const id = await sessionFor(request, body.message);
    if (typeof id !== 'string') return refuse(response, id);
    await sessions.answer(id, request, response, body.message);
  }

  async function sessionFor({ headers }: IncomingMessage, message: unknown): Promise<string | Refusal> {
    const id = headers['mcp-session-id'];
    if (id !== undefined) return typeof id === 'string' && sessions.has(id) ? id : UNKNOWN_SESSION;
    return isInitializeRequest(message) ? ((await sessions.open()) ?? FULL) : NO_SESSION;
  }

  const server = createServer(
    {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.headMs / 2,
    },
    (request, response) => {
      // What fails here is the connection.
      answer(request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = limits.connections;
  server.timeout = limits.stalledMs;
  server.listen(port, host);
  await once(server, 'listening');
  const over = new AbortController();
  const closed = once(server, 'close');
  try {
    onListening(`http://${bracketed(host)}:${(server.address() as AddressInfo).port}${PATH}`);
    await watchRevision(served, signal, (hasChanged) => {
      if (hasChanged) sessions.notify();
      void sessions.closeIdle();
    });
  } finally {
    server.close();
    const isTooLate = clock.sleep(GRACE_MS, over.signal).catch(() => {});
    const calls = [...underWay].filter(({ req }) => req.method === 'POST');
    await Promise.race([allClosed(calls), isTooLate]);
    await sessions.close();
    await Promise.race([allClosed([...underWay]), isTooLate]);
    over.abort();
    server.closeAllConnections();
    await closed;
  }
}

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

const allClosed = (responses: readonly ServerResponse[]): Promise<unknown> =>
  Promise.all(responses.map((response) => once(response, 'close')));

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}

type Body = { message: unknown; refusal?: never } | { refusal: Refusal; message?: never };

async function readBody(request: IncomingMessage): Promise<Body> {
  const text = await readText(request);
  if (text === undefined) return { refusal: TOO_LARGE };
  const json = parseJson(text);
  if (!json.ok) return { refusal: { status: 400, message: json.failure.message } };
  return Array.isArray(json.value) ? { refusal: BATCH } : { message: json.value };
}

/** Undefined for a body that is too large. */
function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > MAX_MESSAGE_BYTES) return resolve(undefined);
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_MESSAGE_BYTES) return chunks.push(chunk);
      request.pause();
      return resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('close', () => reject(new Error('the client went away')));
  });
}
