// The tables of the stores: SQLite, memory, and a crawl into SQLite.
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { figure, MB, median, spread, tenths } from './figures.mjs';
import { run, withServer } from './run.mjs';

/** Processes that open the file, one after another. */
const OPENINGS = 11;
/** Of a crawl into memory, to tell what SQLite adds. */
const COMPARED_DOMAINS = 2000;

export async function measureSqlite({ skills, dir }) {
  const file = join(dir, 'skills.db');
  const written = await run('write.mjs', [file, skills]);
  const size = await sizeOf(file);
  const asked = await run('ask.mjs', [file, skills]);
  const openings = [];
  for (let i = 0; i < OPENINGS; i++) openings.push(await run('first-answer.mjs', [file]));
  const ofOpenings = (name) => median(openings.map((opening) => opening[name]));
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
      ...spread('the first 400 of them in a new process', asked.first),
      ...spread('the same from the cache of answers', asked.cached),
      ...textFigures(asked.byText),
      figure('opening the file to the first answer', ofOpenings('answerMs'), 'ms'),
      figure('before that: starting Node', ofOpenings('startMs'), 'ms'),
      figure('before that: loading the library', ofOpenings('loadMs'), 'ms'),
      figure('file', size / MB, 'MB'),
      figure('file, for each skill', size / skills, 'bytes'),
      figure('resident memory after all questions', asked.rss / MB, 'MB'),
    ],
  };
}

export async function measureMemory({ skills }) {
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

export async function measureCrawl({ domains, dir }) {
  const file = join(dir, 'crawl.db');
  const { rss, maxRss, delays, providers, skills, seconds, utilization, cpuMs } = await crawl(domains, file);
  const inMemory = await crawl(Math.min(domains, COMPARED_DOMAINS));
  const { second, last } = tenths(rss);
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
export function crawl(count, file = '') {
  return withServer('internet.mjs', (port) => {
    const hosts = Array.from({ length: count }, (_, n) => `http://site-${n}.example:${port}\n`);
    return run('crawl.mjs', [count, file], [], Readable.from(hosts));
  });
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
