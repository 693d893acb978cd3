// Measures what docs/performance.md promises and prints it in tables. Ends with 1 where a goal was missed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buildInternals } from './build.mjs';
import { figure, percentile, renderTable, spread, sum } from './figures.mjs';
import { parseOptions } from './options.mjs';

const MB = 2 ** 20;
/** Processes that open the file, one after another. */
const OPENINGS = 11;
/** Of a crawl into memory, to tell what SQLite adds. */
const COMPARED_DOMAINS = 2000;

const { skills, domains, only, json } = parseOptions(process.argv.slice(2));
const machine = [
  `${cpus()[0].model}, ${availableParallelism()} threads, ${Math.round(totalmem() / 2 ** 30)} GB`,
  `Node ${process.version}`,
  `load before the start ${loadavg()[0].toFixed(1)}`,
].join('; ');
const measure = { sqlite: measureSqlite, memory: measureMemory, crawl: measureCrawl };
const dir = await mkdtemp(join(tmpdir(), 'skillscout-bench-'));
const tables = [];
try {
  await buildInternals();
  if (!json) console.log(machine);
  for (const name of only) {
    const table = await measure[name]();
    tables.push(table);
    if (!json) console.log(`\n${renderTable(table.title, table.figures)}`);
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
if (json) console.log(JSON.stringify({ machine, tables }, null, 2));
if (tables.some(({ figures }) => figures.some(({ met }) => met === false))) process.exitCode = 1;

async function measureSqlite() {
  const file = join(dir, 'skills.db');
  const written = await run('write.mjs', [file, skills]);
  const size = await sizeOf(file);
  const asked = await run('ask.mjs', [file, skills]);
  const openings = [];
  for (let i = 0; i < OPENINGS; i++) openings.push(await run('first-answer.mjs', [file]));
  const median = (name) =>
    percentile(
      openings.map((opening) => opening[name]),
      0.5,
    );
  return {
    title: `SQLite, ${skills.toLocaleString('en')} skills`,
    figures: [
      figure('write speed', written.perSecond, 'skills/s'),
      figure('write speed, first tenth', written.firstTenth, 'skills/s'),
      figure('write speed, last tenth', written.lastTenth, 'skills/s'),
      figure('bare insert of the same rows', written.barePerSecond, 'skills/s'),
      figure('write speed: share of a bare insert', written.ofBare),
      figure('write speed: share of one plain table', written.ofPlain),
      figure('providers in a transaction', written.perTransaction),
      figure('closing', written.closeMs, 'ms'),
      ...spread('find by type and access', asked.byFilter),
      ...spread('the same from the cache of answers', asked.cached),
      ...textFigures(asked.byText),
      figure('opening the file to the first answer', median('answerMs'), 'ms'),
      figure('before that: starting Node', median('startMs'), 'ms'),
      figure('before that: loading the library', median('loadMs'), 'ms'),
      figure('file', size / MB, 'MB'),
      figure('file, for each skill', size / skills, 'bytes'),
      figure('resident memory after all questions', asked.rss / MB, 'MB'),
    ],
  };
}

async function measureMemory() {
  const heapMb = Math.round(totalmem() / MB - 1024);
  const found = await run('memory.mjs', [skills], ['--expose-gc', `--max-old-space-size=${heapMb}`]);
  return {
    title: `In memory, ${skills.toLocaleString('en')} skills`,
    figures: [
      figure('write speed', found.perSecond, 'skills/s'),
      ...spread('first page by type and access', found.first),
      ...spread('the same from the cache of answers', found.cached),
      ...spread('any page by type and access', found.byFilter),
      ...textFigures(found.byText),
      figure('heap for each skill', found.bytesPerSkill, 'bytes'),
      figure('for each skill in a full store of 256 MiB', found.boundedBytesPerSkill, 'bytes'),
      figure('heap of a full store: share of maxBytes', found.boundedShare),
      figure('resident memory after all questions', found.rss / MB, 'MB'),
    ],
  };
}

async function measureCrawl() {
  const file = join(dir, 'crawl.db');
  const { rss, maxRss, delays, providers, skills, seconds, utilization, cpuMs } = await crawl(domains, file);
  const inMemory = await crawl(COMPARED_DOMAINS);
  const tenth = Math.ceil(rss.length / 10);
  const second = mean(rss.slice(tenth, 2 * tenth));
  const last = mean(rss.slice(-tenth));
  return {
    title: `Crawl of ${domains.toLocaleString('en')} domains into SQLite`,
    figures: [
      figure('domains', providers / seconds, 'per second'),
      figure('skills', skills / seconds, 'per second'),
      figure('skills in all', skills),
      figure('processor time for each domain', cpuMs / providers, 'ms'),
      figure('resident memory, most', maxRss / MB, 'MB'),
      figure('resident memory, second tenth', second / MB, 'MB'),
      figure('resident memory, growth after a tenth', (last - second) / MB, 'MB'),
      figure('event loop busy', utilization * 100, '%'),
      figure('event-loop delay, p50', delays.p50, 'ms'),
      figure('event-loop delay, p99', delays.p99, 'ms'),
      figure('event-loop delay, longest', delays.max, 'ms'),
      figure('the same into memory, p50', inMemory.delays.p50, 'ms'),
      figure('the same into memory, p99', inMemory.delays.p99, 'ms'),
      figure('file', (await sizeOf(file)) / MB, 'MB'),
    ],
  };
}

/** Crawls so many domains into the file, or into memory where there is none. */
async function crawl(count, file = '') {
  const internet = fork(new URL('internet.mjs', import.meta.url));
  const [port] = await once(internet, 'message');
  const hosts = Array.from({ length: count }, (_, n) => `http://site-${n}.example:${port}\n`);
  const crawled = await run('crawl.mjs', [count, file], [], Readable.from(hosts));
  internet.disconnect();
  return crawled;
}

function mean(values) {
  return sum(values) / values.length;
}

function textFigures(byText) {
  return [
    ...spread('text with a type filter', Object.values(byText).flat()),
    ...Object.entries(byText).flatMap(([kind, times]) => spread(`text: ${kind}`, times)),
  ];
}

async function sizeOf(file) {
  return (await stat(file)).size;
}

/** What a script reports that is run in a process of its own. */
async function run(script, args, execArgv = [], input) {
  const child = fork(new URL(script, import.meta.url), args, {
    execArgv,
    stdio: [input ? 'pipe' : 'ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (input) input.pipe(child.stdin);
  const messages = [];
  child.on('message', (message) => messages.push(message));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return messages[0];
}
