// A process of its own that interrupts a crawl of silent hosts, with `abort` or `close`, and says what is left. That it ends at
// all means that nothing keeps it alive.
import { getEventListeners } from 'node:events';
import { createClient, systemClock } from '../../../dist/index.js';
import { serve } from '../../../dist/testing.js';

const how = process.argv[2];
const unhandled = [];
process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));

const server = await serve(() => new Promise(() => {}));
let sleeping = 0;
const clock = {
  ...systemClock,
  sleep: async (ms, signal) => {
    sleeping += 1;
    try {
      await systemClock.sleep(ms, signal);
    } finally {
      sleeping -= 1;
    }
  },
};
const client = createClient({
  clock,
  lookup: server.lookup,
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
});
const controller = new AbortController();
const { signal } = controller;
const turn = () => new Promise((resolve) => setImmediate(resolve));

const domains = Array.from({ length: 200 }, (_, n) => `http://silent-${n}.example:${server.port}`);
const crawl = client.crawlAll(domains, { signal }).then(
  () => 'ended',
  (error) => error.code ?? error.message,
);
while (server.connections() < 64) await turn();
const during = { sockets: server.connections(), listeners: getEventListeners(signal, 'abort').length };
const slept = sleeping;

if (how === 'abort') controller.abort(new Error('enough'));
else await client.close();
const result = await crawl;
const after = { sleeping, listeners: getEventListeners(signal, 'abort').length };
await client.close();
while (server.connections() > 0) await turn();
await server.close();
await turn();
const resources = process.getActiveResourcesInfo().filter((name) => /Timeout|TCP/.test(name));
process.stdout.write(
  JSON.stringify({ during: { ...during, sleeping: slept }, result, after, resources, unhandled }),
);
