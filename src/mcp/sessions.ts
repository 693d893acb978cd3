import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Clock } from '../index.ts';

interface Session {
  server: Server;
  transport: StreamableHTTPServerTransport;
  isInitialized: boolean;
  /** Requests under way, the stream for notices among them. */
  open: number;
  /** When the last of them ended; milliseconds since the epoch. */
  usedAt: number;
}

export interface SessionsOptions {
  createServer: () => Server;
  /** At once. For one more, the one idle longest is closed. */
  most: number;
  /** How long one without any request stays. */
  idleMs: number;
  clock: Pick<Clock, 'now'>;
}

/** The clients of a server: each has a session of its own, since notices go to those that listen. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Opens a session and gives its id; undefined where there are too many that are in use. */
  async open(): Promise<string | undefined> {
    if (this.#sessions.size >= this.#options.most) {
      const [longest] = this.#idle().sort((a, b) => a.usedAt - b.usedAt);
      if (longest === undefined) return undefined;
      await longest.server.close();
    }
    const id = randomUUID();
    const server = this.#options.createServer();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const usedAt = this.#options.clock.now();
    const session: Session = { server, transport, isInitialized: false, open: 0, usedAt };
    server.oninitialized = () => {
      session.isInitialized = true;
    };
    server.onclose = () => void this.#sessions.delete(id);
    this.#sessions.set(id, session);
    await server.connect(transport);
    return id;
  }

  /** Lets a session answer. One that does not even begin is closed. */
  async answer(id: string, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new TypeError('id: expected that of an open session');
    session.open += 1;
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = this.#options.clock.now();
    });
    await session.transport.handleRequest(request, response, body);
    if (session.transport.sessionId === undefined) await session.server.close();
  }

  /** Tells every client that listens. */
  notify(): void {
    for (const { server, isInitialized } of this.#sessions.values()) {
      // Who cannot be told is gone.
      if (isInitialized) server.sendResourceListChanged().catch(() => {});
    }
  }

  async closeIdle(): Promise<void> {
    const since = this.#options.clock.now() - this.#options.idleMs;
    await closeAll(this.#idle().filter(({ usedAt }) => usedAt <= since));
  }

  close(): Promise<void> {
    return closeAll([...this.#sessions.values()]);
  }

  #idle(): Session[] {
    return [...this.#sessions.values()].filter(({ open }) => open === 0);
  }
}

async function closeAll(sessions: readonly Session[]): Promise<void> {
  await Promise.all(sessions.map(({ server }) => server.close()));
}
