import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer, type Served } from './server.ts';
import { GRACE_MS, MAX_MESSAGE_BYTES, whenAborted } from './serving.ts';
import { watchRevision } from './watch.ts';

export interface StdioOptions {
  stdin: Readable;
  /** Gets nothing but messages. */
  stdout: Writable;
  /** Ends the serving: what is not answered a second later is dropped. */
  signal: AbortSignal;
  /** What came in and is no message, and what could not be sent. */
  onError: (error: Error) => void;
}

/**
 * Serves one client over two streams, a message a line, until `stdin` ends and everything is answered, or the signal aborts.
 * A message of more than 4 MiB ends it as well. Rejects where the store fails.
 */
export async function serveStdio(served: Served, options: StdioOptions): Promise<void> {
  const { stdin, stdout, signal, onError } = options;
  const transport = new AccountableTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const server = createMcpServer(served);
  const end = new AbortController();
  const stop = () => end.abort();
  for (const event of ['end', 'close', 'error']) stdin.once(event, stop);
  whenAborted(signal, stop);
  server.onclose = stop;
  server.onerror = onError;
  let isInitialized = false;
  server.oninitialized = () => {
    isInitialized = true;
  };
  await server.connect(transport);
  const over = new AbortController();
  try {
    await watchRevision(served, end.signal, (hasChanged) => {
      if (hasChanged && isInitialized) server.sendResourceListChanged().catch(onError);
    });
    const isTooLate = new Promise<void>((resolve) => {
      whenAborted(signal, () => served.clock.sleep(GRACE_MS, over.signal).then(resolve, resolve));
    });
    await Promise.race([transport.answered(), isTooLate]);
  } finally {
    over.abort();
    await server.close();
  }
}

/** Knows which requests are not answered yet. */
class AccountableTransport extends StdioServerTransport {
  readonly #open = new Set<RequestId>();
  #onAnswered = () => {};

  /** Called before the listener of whoever connects. */
  override onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message)) return;
    if ('id' in message) this.#open.add(message.id);
    // What is cancelled gets no answer.
    if (message.method === 'notifications/cancelled') this.#close(message.params?.requestId as RequestId);
  };

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && message.id !== undefined) this.#close(message.id);
  }

  /** By itself as well, at a message that is too large. */
  override async close(): Promise<void> {
    await super.close();
    this.#open.clear();
    this.#onAnswered();
  }

  /** Resolves once every request is answered, or none can be any more. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswered = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  #close(id: RequestId): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onAnswered();
  }
}
