import { guardedLookup } from './guarded-lookup-node.ts';
import type { Hop } from './hop.ts';
import { createHttpHop } from './http-hop-node.ts';
import { createKyHopOverUndici } from './ky-undici-node.ts';
import type { Network, NetworkOptions } from './network.ts';
import { createResolver } from './resolver-node.ts';

/**
 * Connections of Node's own: by `node:http` and `node:https`, or by ky over the global fetch. Every address that a name resolves
 * to is judged inside the connector. Behind a proxy, which takes fetch, the names are resolved over there, and nothing can be
 * judged here.
 */
export function createNetwork(options: NetworkOptions): Network {
  const { proxy, ca, transport = proxy === undefined ? 'node' : 'ky', clock, maxIdleSockets } = options;
  if (transport === 'node' && proxy !== undefined) {
    throw new TypeError("transport: 'node' goes through no http.proxy");
  }
  const waiting = new Map<string, number>();
  const { lookup, close: closeResolver } = options.lookup
    ? { lookup: options.lookup, close: () => {} }
    : createResolver({ clock, isWanted: (name) => waiting.has(name) });
  const connecting = {
    lookup: guardedLookup(lookup, options.judgeAddress),
    timeoutMs: options.connectTimeoutMs,
    tls: ca === undefined ? {} : { secureContext: trustAlso(ca) },
  };
  const { hop, prepare, close } =
    transport === 'node'
      ? createHttpHop({ ...connecting, clock, maxIdleSockets })
      : createKyHopOverUndici({ ...connecting, proxy });
  return {
    hop: counted(hop, waiting),
    prepare,
    close: async () => {
      closeResolver();
      await close();
    },
    addressCheck: proxy === undefined ? 'dialled' : 'proxy',
  };
}

/** Keeps in `waiting` how many requests to each name wait for an answer: connectors do not tell a lookup that its request was aborted. */
function counted(hop: Hop, waiting: Map<string, number>): Hop {
  return (message, abort) => {
    const { hostname } = message.url;
    waiting.set(hostname, (waiting.get(hostname) ?? 0) + 1);
    const end = () => {
      const others = (waiting.get(hostname) ?? 0) - 1;
      if (others > 0) waiting.set(hostname, others);
      else waiting.delete(hostname);
    };
    const answer = hop(message, abort);
    answer.then(end, end);
    return answer;
  };
}

// The modules are not imported: reading the platform's certificates takes its time, and few name one of their own.
function trustAlso(ca: string) {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const { createSecureContext, rootCertificates } = process.getBuiltinModule('node:tls');
  try {
    new X509Certificate(ca);
  } catch {
    throw new TypeError('http.ca: expected certificates in PEM form');
  }
  return createSecureContext({ ca: [...rootCertificates, ca] });
}
