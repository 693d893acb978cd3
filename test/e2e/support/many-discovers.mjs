// A process of its own, with --expose-gc: 10,000 looks at ten domains under one signal that outlives them all.
import { getEventListeners } from 'node:events';
import { createClient } from '../../../dist/index.js';
import { createProvider, FAULTS, validDescriptor } from '../../../dist/testing.js';

const CALLS = 10_000;
const WARM = 2_000;
const AT_ONCE = 20;

const provider = createProvider({ domain: 'good.example', name: 'Good', skills: [validDescriptor()] });
const sites = new Map([
  ...Array.from({ length: 8 }, (_, n) => [`good-${n}.example`, provider.handle]),
  ['absent.example', FAULTS['index-404'].make()],
  ['page.example', FAULTS['index-html'].make()],
]);
const domains = [...sites.keys()];
const client = createClient({
  fetch: async (input, init) => {
    const request = new Request(input, init);
    return sites.get(new URL(request.url).host)(request);
  },
});
const { signal } = new AbortController();
const listeners = () => getEventListeners(signal, 'abort').length;

let most = 0;
let between = 0;
let warm = 0;
const heap = async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
};
const statuses = {};
for (let done = 0; done < CALLS; done += AT_ONCE) {
  if (done === WARM) warm = await heap();
  const looks = Array.from({ length: AT_ONCE }, (_, n) =>
    client.discover(domains[n % domains.length], { signal, cacheMode: 'refresh' }),
  );
  most = Math.max(most, listeners());
  for (const { status } of await Promise.all(looks)) statuses[status] = (statuses[status] ?? 0) + 1;
  between = Math.max(between, listeners());
  provider.requests.length = 0;
}
const grown = (await heap()) - warm;
await client.close();
process.stdout.write(JSON.stringify({ statuses, listeners: { most, between, end: listeners() }, grown }));
