import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { ATTEMPT_TIMEOUT_MS, type Connecting, IDLE_TIMEOUT_MS, MAX_HEADER_BYTES } from './connecting-node.ts';
import type { Hop } from './hop.ts';
import { createKyHop, loadKy } from './ky-hop.ts';

const LIMITS = {
  connections: 16,
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: IDLE_TIMEOUT_MS,
  // The time limit of the whole chain is the transport's own.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** {@link Hop} by ky over Node's global fetch with a dispatcher of ours, given per request. */
export function createKyHopOverUndici(options: Connecting & { proxy: string | undefined }) {
  const { tls, timeoutMs: timeout, lookup, proxy } = options;
  const connecting = new Set<Socket>();
  let dispatcher: Dispatcher | undefined;
  let opening: Promise<Dispatcher> | undefined;

  // Loading undici takes longer than everything else together: only for the first request.
  async function open(): Promise<Dispatcher> {
    const { Agent, ProxyAgent, buildConnector } = await import('undici');
    const { Socket } = await import('node:net');
    if (proxy !== undefined) {
      dispatcher = new ProxyAgent({ ...LIMITS, uri: proxy, requestTls: tls, proxyTls: { ...tls, timeout } });
      return dispatcher;
    }
    const connect = buildConnector({
      ...tls,
      timeout,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    });
    dispatcher = new Agent({
      ...LIMITS,
      connect: (target, callback) => {
        // undici forgets a socket that is still connecting when it is destroyed; its return value is the only handle.
        const socket: unknown = connect(target, (...result) => {
          if (socket instanceof Socket) connecting.delete(socket);
          callback(...result);
        });
        if (socket instanceof Socket) connecting.add(socket);
      },
    });
    return dispatcher;
  }

  const opened = () => {
    opening ??= open();
    return opening;
  };
  const hop: Hop = createKyHop(async (input, init) => {
    const withDispatcher = { ...init, dispatcher: dispatcher ?? (await opened()) };
    // Read at call time: interceptors replace the global fetch.
    return globalThis.fetch(input, withDispatcher);
  });
  return {
    hop,
    prepare: () => {
      const loading = loadKy();
      return dispatcher && !loading ? undefined : Promise.all([loading, opened()]);
    },
    close: async () => {
      await (await opening)?.destroy();
      for (const socket of connecting) socket.destroy();
    },
  };
}
