// One contestant at one piece of work, in a process of its own.
import { createHash } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { percentile, sum } from '../figures.mjs';
import { hostsOf, WARM_UP_FROM } from './hosts.mjs';

/** Milliseconds; the histogram counts them as part of each delay. */
const RESOLUTION = 5;
const PASSES = 3;
const MOST_PLACES = 20;

const {
  work,
  peer: name,
  port,
  providers,
  warmUps = Math.ceil(providers / 5),
  ...rest
} = JSON.parse(process.argv[2]);
const { open } = await import(`../peers/${name}.mjs`);
const works = { cold, warm, hanging, names, growth, profile };
process.send(await works[work](rest));

async function cold({ concurrency }) {
  await warmUp('site');
  const hosts = hostsOf('site', providers, port);
  const peer = await open({ concurrency });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const measured = await timed(() => peer.crawl(hosts));
  delay.disable();
  const maxRss = peakRss();
  await check(peer, hosts);
  return { ...measured, maxRss, delayP99: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION) };
}

async function warm({ dir }) {
  await warmUp('site', { dir: `${dir}/first` });
  const hosts = hostsOf('site', providers, port);
  const peer = await open({ dir: `${dir}/second` });
  const cold = await timed(() => peer.crawl(hosts));
  const fresh = await passes(() => peer.crawl(hosts));
  const revalidated = await passes(() => peer.crawl(hosts, { refresh: true }));
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (...args) => {
    parsed++;
    return parse(...args);
  };
  await peer.crawl(hosts, { refresh: true });
  JSON.parse = parse;
  const maxRss = peakRss();
  await check(peer, hosts);
  return { cold, fresh, revalidated: { ...revalidated, parsed }, maxRss };
}

async function hanging({ order, timeoutMs }) {
  await warmUp('site');
  const hosts = order.map((hangs, i) => hostsOf(hangs ? 'hang' : 'site', 1, port, i)[0]);
  const good = hosts.filter((_, i) => !order[i]);
  const alone = await open({ timeoutMs });
  const { ms: goodMs } = await timed(() => alone.crawl(good));
  await alone.close();
  const peer = await open({ timeoutMs });
  const measured = await timed(() => peer.crawl(hosts), hosts.length - good.length);
  await check(peer, good);
  return { ...measured, goodMs };
}

async function names() {
  await warmUp('none');
  const peer = await open({});
  return timed(() => peer.crawl(hostsOf('none', providers, port)), providers);
}

async function growth({ dir }) {
  await warmUp('site', { dir: `${dir}/first` });
  const peer = await open({ dir: `${dir}/second` });
  const rss = [];
  const sampling = setInterval(() => rss.push(process.memoryUsage.rss()), 200);
  const measured = await timed(() => peer.crawl(hostsOf('site', providers, port)));
  clearInterval(sampling);
  await peer.close();
  return { ...measured, rss, maxRss: peakRss() };
}

async function profile() {
  await warmUp('site');
  const hosts = hostsOf('site', providers, port);
  const peer = await open({});
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await timed(() => peer.crawl(hosts));
  const { profile } = await session.post('Profiler.stop');
  await check(peer, hosts);
  return sharesOf(profile);
}

/** The shares of what took most, by file, package or module of Node; idle time does not count. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map();
  for (const [i, id] of samples.entries()) {
    const name = names.get(id);
    if (name !== '(idle)') times.set(name, (times.get(name) ?? 0) + timeDeltas[i]);
  }
  const total = sum([...times.values()]);
  const most = [...times].sort(([, a], [, b]) => b - a).slice(0, MOST_PLACES);
  return Object.fromEntries(most.map(([name, time]) => [name, time / total]));
}

function placeOf({ functionName, url }) {
  if (url.startsWith('node:')) return url;
  const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (packageName) return packageName;
  const [, file] = /([^/]+?)(?:-[\w-]{8})?\.m?js$/.exec(url) ?? [];
  if (file) return `skillscout: ${file}`;
  return functionName.startsWith('(') ? functionName : `native: ${functionName}`;
}

/** The same work for other providers, by an instance that is thrown away. */
async function warmUp(kind, options = {}) {
  const peer = await open(options);
  await timed(() => peer.crawl(hostsOf(kind, warmUps, port, WARM_UP_FROM)), kind === 'none' ? warmUps : 0);
  await peer.close();
}

/** Milliseconds of wall and processor time that a crawl takes in which so many providers must fail. */
async function timed(crawl, expectedFailures = 0) {
  const unused = process.cpuUsage();
  const start = performance.now();
  const failures = await crawl();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(unused);
  if (failures.length !== expectedFailures) {
    throw new Error(`${name}: ${failures.length} providers failed, the first by ${failures[0]}`);
  }
  return { ms, cpuMs: (user + system) / 1000 };
}

/** The median of some passes, and what the server saw of them all. */
async function passes(crawl) {
  await counts();
  const found = [];
  for (let pass = 0; pass < PASSES; pass++) found.push(await timed(crawl));
  const median = (of) => percentile(found.map(of), 0.5);
  return { ms: median(({ ms }) => ms), cpuMs: median(({ cpuMs }) => cpuMs), ...(await counts()) };
}

async function counts() {
  return (await fetch(`http://127.0.0.1:${port}/counts`)).json();
}

function peakRss() {
  return process.resourceUsage().maxRSS * 1024;
}

/** Throws unless the contestant has every descriptor of these hosts, whole. */
async function check(peer, hosts) {
  const { bodiesOf } = await import('./providers.mjs');
  const wanted = hosts.flatMap((host) => {
    const [label] = host.split('.');
    return bodiesOf(label, Number(label.slice(5)), host).descriptors();
  });
  const found = [];
  for await (const descriptor of peer.descriptors()) found.push(JSON.stringify(descriptor));
  if (digest(found) === digest(wanted)) return;
  throw new Error(`${name} has ${found.length} descriptors, not the ${wanted.length} that are served`);
}

function digest(texts) {
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex');
}
