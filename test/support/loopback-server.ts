import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface LoopbackServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  origin: string;
  port: number;
  /** Every request so far. */
  requests: { url: string; headers: IncomingMessage['headers'] }[];
  /** Connections ever taken, and those still open. */
  connections: number;
  readonly openSockets: number;
  /** Most connections that were open at once. */
  mostOpen: number;
  /** Resolves once there have been `count` requests. */
  received(count: number): Promise<void>;
  /** Resolves once no connection is open. */
  idle(): Promise<void>;
}

/** A real server on a free port of 127.0.0.1, with TLS where a key pair is given. */
export async function serve(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: { key: string; cert: string },
): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const listener: RequestListener = (request, response) => {
    server.requests.push({ url: request.url ?? '', headers: request.headers });
    notify();
    handler(request, response);
  };
  const notify = () => {
    for (const check of waiting) check();
  };
  const until = (reached: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (reached()) resolve();
      };
      waiting.push(check);
      check();
    });
  const node = tls ? createTlsServer(tls, listener) : createServer(listener);
  node.on('connection', (socket: Socket) => {
    sockets.add(socket);
    server.connections += 1;
    server.mostOpen = Math.max(server.mostOpen, sockets.size);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      notify();
    });
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port } = node.address() as AddressInfo;
  const server: LoopbackServer = {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests: [],
    connections: 0,
    mostOpen: 0,
    get openSockets() {
      return sockets.size;
    },
    received: (count) => until(() => server.requests.length >= count),
    idle: () => until(() => sockets.size === 0),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      node.close();
      await once(node, 'close');
    },
  };
  return server;
}
