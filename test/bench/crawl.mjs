// Crawls the domains that stand in the lines of the standard input, into a SQLite file or, without one, into memory.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createClient, createMemoryStore } from '../../dist/index.js';
import { openSqliteStore } from '../../dist/sqlite.js';
import { progress } from './figures.mjs';

/** Milliseconds; the histogram counts them as part of each delay. */
const RESOLUTION = 5;

const [count, file] = process.argv.slice(2);
const store = file ? await openSqliteStore({ path: file }) : createMemoryStore();
const client = createClient({
  store,
  lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  unsafe: { allowHttp: true, allowPrivateAddresses: true },
});

const sampleEvery = Math.max(1, Math.floor(count / 200));
const rss = [];
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
delay.enable();
const idle = performance.eventLoopUtilization();
const unused = process.cpuUsage();
const start = performance.now();
let providers = 0;
let skills = 0;
for await (const event of client.crawl(createInterface({ input: process.stdin }))) {
  if (event.type === 'skill') skills++;
  if (event.type !== 'provider' || ++providers % sampleEvery > 0) continue;
  rss.push(process.memoryUsage.rss());
  progress(`${providers} of ${count} domains crawled`);
}
progress('');
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(unused);
const { utilization } = performance.eventLoopUtilization(idle);
delay.disable();
await client.close();
await store.close();
const delayAt = (share) => Math.max(0, delay.percentile(share * 100) / 1e6 - RESOLUTION);
process.send({
  providers,
  skills,
  seconds,
  rss,
  maxRss: process.resourceUsage().maxRSS * 1024,
  utilization,
  cpuMs: (user + system) / 1000,
  delays: { p50: delayAt(0.5), p99: delayAt(0.99), max: delayAt(1) },
});
