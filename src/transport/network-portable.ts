import { createKyHop, loadKy } from './ky-hop.ts';
import type { Network, NetworkOptions } from './network.ts';

/**
 * The platform's own fetch, or another one: there is no hook into its connections, so only literal addresses are judged and
 * the options that shape connections are refused.
 */
export function createNetwork(options: NetworkOptions, fetch?: typeof globalThis.fetch): Network {
  if (options.transport === 'node') {
    throw new TypeError("transport: 'node' is only possible in Node.js, and without another fetch");
  }
  for (const [option, name] of [
    [options.lookup, 'lookup'],
    [options.proxy, 'http.proxy'],
    [options.ca, 'http.ca'],
  ]) {
    if (option !== undefined) throw new TypeError(`${name}: only possible with the fetch of Node.js`);
  }
  return {
    hop: createKyHop(fetch ?? ((input, init) => globalThis.fetch(input, init))),
    addressCheck: 'literal',
    prepare: loadKy,
    close: async () => {},
  };
}
