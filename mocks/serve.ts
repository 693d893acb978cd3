import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectionReset, type MockSite } from './site.ts';

/** A site behind a real socket. */
export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly port: number;
  /**
   * Stands in for `dns.lookup` and resolves every name to 127.0.0.1, so that `http://weather-12.example:<port>` comes here
   * and the site sees that host.
   */
  readonly lookup: LookupFunction;
  /** How many sockets are open now. */
  connections(): number;
  /** Stops listening and breaks every connection; what still runs sees its `request.signal` abort. */
  close(): Promise<void>;
}

/**
 * Serves `site` over HTTP on a free port of 127.0.0.1. Bodies are streamed with backpressure; when the client goes away,
 * `request.signal` aborts and the body is cancelled. A thrown {@link ConnectionReset} or a body that errors breaks the
 * connection; anything else that a site throws is a mistake in the site and answers 500 with its stack.
 */
export async function serve(site: MockSite): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => void answer(site, incoming, outgoing));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    lookup: (_hostname, options, callback) => {
      if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    },
    connections: () => sockets.size,
    async close() {
      if (!server.listening) return;
      // The server calls itself closed before its sockets do.
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

async function answer(site: MockSite, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const client = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.abort(new Error('The client went away.'));
  });
  try {
    const response = await site(toRequest(incoming, client.signal));
    outgoing.writeHead(response.status, [...response.headers].flat());
    await send(response, outgoing, client.signal);
  } catch (error) {
    if (client.signal.aborted) return;
    if (outgoing.headersSent) return void outgoing.destroy();
    if (error instanceof ConnectionReset) return void incoming.socket.resetAndDestroy();
    outgoing.writeHead(500, { 'content-type': 'text/plain' });
    outgoing.end(error instanceof Error ? error.stack : String(error));
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  const init: RequestInit & { duplex?: 'half' } = { method, headers, signal };
  if (method !== 'GET' && method !== 'HEAD') {
    init.body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    init.duplex = 'half';
  }
  return new Request(`http://${incoming.headers.host}${url}`, init);
}

async function send(response: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  if (response.body) {
    const reader = response.body.getReader();
    signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}), { once: true });
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await write(outgoing, part.value);
    }
  }
  outgoing.end();
}

/** Settles when the bytes have left this process, which is the backpressure. */
function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
