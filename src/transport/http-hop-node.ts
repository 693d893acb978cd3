import type { Agent, ClientRequest } from 'node:http';
import type { NetConnectOpts } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { type Abort, onAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { Alarms } from './alarms.ts';
import type { BoundedBody } from './body.ts';
import { ATTEMPT_TIMEOUT_MS, type Connecting, IDLE_TIMEOUT_MS, MAX_HEADER_BYTES } from './connecting-node.ts';
import { contentCodings } from './decode.ts';
import { isReset } from './failures.ts';
import type { Fields, Hop, HopAnswer, Message } from './hop.ts';
import { createTurns } from './turns-node.ts';
import { unpack } from './unpack-node.ts';

interface HttpHopOptions extends Connecting {
  clock: Clock;
  maxIdleSockets: number;
}

/** Where requests of one scheme are made. */
interface Door {
  module: typeof import('node:http') | typeof import('node:https');
  /** Uses a connection again. */
  kept: Agent;
  fresh: Agent;
}

/** {@link Hop} by `node:http` and `node:https`, each loaded with its first request. */
export function createHttpHop({ lookup, tls, timeoutMs, clock, maxIdleSockets }: HttpHopOptions) {
  const alarms = new Alarms(clock);
  const inTurn = createTurns(clock);
  const idle = { sockets: new Set<Duplex>(), most: maxIdleSockets };
  const doors = new Map<string, Door>();

  function open(scheme: string): Door {
    const isSecure = scheme === 'https:';
    const module = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
    const connecting = {
      ...tls,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    };
    const connected = isSecure ? 'secureConnect' : 'connect';
    const keeping = new module.Agent({ ...connecting, keepAlive: true });
    const door = {
      module,
      kept: keepingFew(connectingInTime(keeping, connected), idle),
      fresh: connectingInTime(new module.Agent(connecting), connected),
    };
    doors.set(scheme, door);
    return door;
  }

  /** Gives up a connection that is not there, as `event` tells, within the time limit. */
  function connectingInTime<A extends Agent>(agent: A, event: 'connect' | 'secureConnect'): A {
    const { createConnection } = agent;
    return Object.assign(agent, {
      createConnection(...given: Parameters<typeof createConnection>) {
        const socket = createConnection.apply(agent, given);
        const alarm = alarms.set(timeoutMs, () => socket?.destroy(TOO_SLOW));
        const clear = () => alarms.clear(alarm);
        socket?.once(event, clear).once('close', clear);
        return socket;
      },
    });
  }

  // A server may close a connection that it kept just when a request comes, and nobody can tell whether it read a POST.
  const hop: Hop = (message, abort) => send(message, abort, message.method === 'GET' ? 'kept' : 'fresh');

  async function send(message: Message, abort: Abort, connection: 'kept' | 'fresh'): Promise<HopAnswer> {
    abort.throwIfAborted();
    const { method, url, headers, body } = message;
    const { protocol, hostname, port, pathname, search } = url;
    const { module, [connection]: agent } = doors.get(protocol) ?? open(protocol);
    // Read at call time: interceptors replace the functions of the modules.
    const request = module.request({
      method,
      hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port,
      path: pathname + search,
      headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
      agent,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    // Beyond 1,000 Node would drop the rest without a word.
    request.maxHeadersCount = 0;
    return new Promise((resolve, reject) => {
      /** Tells whoever waits: for the head, then for the body, whose reader finds what comes in between. */
      let fail = (error: unknown) => {
        // RFC 9112, section 9.3.1
        if (request.reusedSocket && isReset(error) && !abort.aborted) resolve(send(message, abort, 'fresh'));
        else reject(error);
      };
      request.on('error', (error) => fail(error));
      onAbort(abort, () => {
        fail(abort.reason);
        request.destroy();
      });
      request.on('close', () => reject(CLOSED)); // matters where no head has come
      request.on('response', (response) => {
        let broken: unknown;
        fail = (error) => {
          // Nothing that follows the end breaks what has come whole.
          if (!response.complete) broken = error;
        };
        const { statusCode: status = 0 } = response;
        const fields = fieldsOf(response.rawHeaders);
        // As fetch has it. No decoder would take nothing for a whole body.
        const isEmpty = NULL_BODY.has(status) || fields['content-length'] === '0';
        // What has come whole leaves its socket to the next request.
        const discard = () => void (response.complete ? response.resume() : response.destroy());
        resolve({
          status,
          fields,
          read: (limit, onBytes) =>
            new Promise((resolve, reject) => {
              abort.throwIfAborted();
              if (broken !== undefined) throw broken;
              if (isEmpty) {
                discard();
                return resolve({ bytes: new Uint8Array(), complete: true });
              }
              fail = reject;
              const codings = contentCodings(fields['content-encoding']);
              const unpacked = codings.length === 0 ? response : unpack(response, codings);
              collect(unpacked, limit, onBytes, reject, (body) => {
                // Something may follow the end of what was packed.
                discard();
                // It is here: no time limit applies to when its turn comes.
                fail = () => {};
                inTurn(() => resolve(body));
              });
            }),
          discard,
        });
      });
      request.end(body);
    });
  }

  return {
    hop,
    prepare: () => undefined,
    close: async () => {
      for (const { kept, fresh } of doors.values()) {
        kept.destroy();
        fresh.destroy();
      }
    },
  };
}

/** Statuses whose answers have no body (Fetch standard, section 2.2.3). */
const NULL_BODY = new Set([204, 205, 304]);
const TOO_SLOW = Object.assign(new Error('the connection took too long'), { code: 'ETIMEDOUT' });
const CLOSED = Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });

/**
 * Bounds the sockets that an agent keeps, together with what else is in `idle`, and for how long: it ends those that nobody uses
 * when their own time limit rings. One that is an option of the agent would be taken off and set again for each request.
 */
function keepingFew<A extends Agent>(agent: A, idle: { sockets: Set<Duplex>; most: number }): A {
  const { createConnection, keepSocketAlive, reuseSocket } = agent;
  const { sockets, most } = idle;
  const limit = { timeout: IDLE_TIMEOUT_MS };
  // Takes the limit for one of the agent, which the socket has already, unless the server announced a shorter one.
  const limited = Object.create(agent, { options: { value: limit } });
  const mayStay = (socket: Duplex): unknown => keepSocketAlive.call(limited, socket);
  return Object.assign(agent, {
    createConnection(options: NetConnectOpts, ...more: unknown[]) {
      const socket = Reflect.apply(createConnection, agent, [{ ...options, ...limit }, ...more]);
      return socket?.once('close', () => sockets.delete(socket));
    },
    keepSocketAlive(socket: Duplex) {
      if (!mayStay(socket)) return false;
      sockets.add(socket);
      const [oldest] = sockets;
      if (sockets.size > most && oldest) {
        sockets.delete(oldest);
        oldest.destroy();
      }
      return true;
    },
    reuseSocket(socket: Duplex, request: ClientRequest) {
      sockets.delete(socket);
      reuseSocket.call(agent, socket, request);
    },
  });
}

function fieldsOf(raw: readonly string[]): Fields {
  const fields: Record<string, string> = Object.create(null);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const value = raw[i + 1] as string;
    fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
  }
  return fields;
}

function collect(
  body: Readable,
  limit: number,
  onBytes: (count: number) => void,
  reject: (error: unknown) => void,
  done: (body: BoundedBody) => void,
): void {
  const chunks: Buffer[] = [];
  let isDone = false;
  const end = (read: BoundedBody) => {
    isDone = true;
    done(read);
  };
  let length = 0;
  body.on('data', (chunk: Buffer) => {
    onBytes(chunk.length);
    chunks.push(chunk);
    length += chunk.length;
    if (length <= limit) return;
    if (!isDone) end({ bytes: Buffer.concat(chunks, limit), complete: false });
    body.destroy();
  });
  body.on('end', () => {
    const [only] = chunks;
    end({ bytes: chunks.length === 1 && only ? only : Buffer.concat(chunks, length), complete: true });
  });
  const breakOff = (error: unknown) => {
    if (!isDone) reject(error);
  };
  body.on('error', breakOff);
  body.on('close', () => breakOff(CLOSED));
}
