import dns from 'node:dns';
import { createClient } from '../../../dist/index.js';

/** All options have their defaults but for what loopback needs. */
export function open({ timeoutMs = 10_000, ownResolver = false, transport, store, concurrency }) {
  const client = createClient({
    lookup: ownResolver ? undefined : dns.lookup,
    transport,
    store,
    concurrency,
    http: { timeoutMs },
    unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  });

  return {
    async crawl(hosts, { refresh = false } = {}) {
      const domains = hosts.map((host) => `http://${host}`);
      const { providers, codes } = await client.crawlAll(domains, { cacheMode: refresh ? 'refresh' : 'use' });
      const [code] = Object.keys({ ...codes.providers, ...codes.skills });
      return Array(providers.total - providers.ok).fill(code);
    },
    async *descriptors() {
      let cursor;
      do {
        const page = await client.find({ include: 'descriptor', limit: 1000, cursor });
        for (const { descriptor } of page.records) yield descriptor;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
    close: () => client.close(),
  };
}
