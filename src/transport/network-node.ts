import { X509Certificate } from 'node:crypto';
import { lookup as dnsLookup } from 'node:dns';
import { type LookupFunction, Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { Agent, ProxyAgent } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { AddressRefusedError, NameResolutionError } from './failures.ts';
import type { Lookup, Network, NetworkOptions } from './network.ts';

const LIMITS = {
  connections: 16,
  maxHeaderSize: 16_384,
  // A provider's requests follow each other closely; after that its sockets only stand in the way of the next ones.
  keepAliveTimeout: 1000,
  // The time limit of the whole chain is the transport's own.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Longest wait for one address before the next one is tried as well (RFC 8305); Node's own 250 ms fail on distant hosts. */
const ATTEMPT_TIMEOUT_MS = 1000;

/**
 * Node's global fetch with a dispatcher of ours, given per request. Every address that a name resolves to is judged inside
 * the connector, and only what was judged is dialled, so a name that changes its address meanwhile gains nothing.
 * Behind a proxy the names are resolved over there, and nothing can be judged here.
 */
export function createNetwork(options: NetworkOptions): Network {
  const { proxy, lookup = dnsLookup, judgeAddress } = options;
  const secureContext = options.ca === undefined ? undefined : trustAlso(options.ca);
  const tls = secureContext ? { secureContext } : {};
  const connecting = new Set<Socket>();
  let dispatcher: Promise<Agent | ProxyAgent> | undefined;

  // Loading undici takes longer than everything else together: only for the first request.
  async function open(): Promise<Agent | ProxyAgent> {
    const { Agent, ProxyAgent, buildConnector } = await import('undici');
    const timeout = options.connectTimeoutMs;
    if (proxy !== undefined)
      return new ProxyAgent({ ...LIMITS, uri: proxy, requestTls: tls, proxyTls: { ...tls, timeout } });
    const connect = buildConnector({
      ...tls,
      timeout,
      lookup: guardedLookup(lookup, judgeAddress),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    });
    return new Agent({
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
  }

  return {
    // Read at call time: interceptors replace the global fetch.
    prepare: () => {
      dispatcher ??= open();
      return dispatcher;
    },
    fetch: async (input, init) => {
      dispatcher ??= open();
      const withDispatcher = { ...init, dispatcher: await dispatcher };
      return globalThis.fetch(input, withDispatcher);
    },
    addressCheck: proxy === undefined ? 'dialled' : 'proxy',
    close: async () => {
      await (await dispatcher)?.destroy();
      for (const socket of connecting) socket.destroy();
    },
  };
}

function trustAlso(ca: string) {
  try {
    new X509Certificate(ca);
  } catch {
    throw new TypeError('http.ca: expected certificates in PEM form');
  }
  return createSecureContext({ ca: [...rootCertificates, ca] });
}

/** Resolves all addresses, and fails when the policy refuses any one of them. */
function guardedLookup(lookup: Lookup, judgeAddress: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family = 4) => {
      if (error) return callback(new NameResolutionError(hostname, { cause: error }), []);
      const addresses = typeof found === 'string' ? [{ address: found, family }] : found;
      const isList = Array.isArray(addresses) && addresses.every((each) => typeof each?.address === 'string');
      const [first] = isList ? addresses : [];
      if (first === undefined) return callback(new NameResolutionError(`${hostname} has no address`), []);
      for (const { address } of addresses) {
        const reason = judgeAddress(address);
        if (reason !== undefined) {
          const message = `${hostname} is not opened: it resolves to ${address}, which is ${reason}`;
          return callback(new AddressRefusedError(message), []);
        }
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
