import type { Network, NetworkOptions } from './network.ts';

/**
 * The platform's own fetch, or another one: there is no hook into its connections, so only literal addresses are judged and
 * the options that shape connections are refused.
 */
export function createNetwork(options: NetworkOptions, fetch?: typeof globalThis.fetch): Network {
  for (const [option, name] of [
    [options.lookup, 'lookup'],
    [options.proxy, 'http.proxy'],
    [options.ca, 'http.ca'],
  ]) {
    if (option !== undefined) throw new TypeError(`${name}: only possible with the fetch of Node.js`);
  }
  return {
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    addressCheck: 'literal',
    prepare: async () => {},
    close: async () => {},
  };
}
