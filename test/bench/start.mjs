// Whole processes, from their start to their end, less what an empty one takes.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { figure, median } from './figures.mjs';
import { withServer } from './run.mjs';
import { crawl } from './stores.mjs';

/** For each round of the other tables: processes are short and their times vary much. */
const STARTS_IN_A_ROUND = 3;

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export async function measureStart({ domains, rounds, dir }) {
  const warm = join(dir, 'start-warm.db');
  const cold = join(dir, 'start-cold.db');
  await crawl(domains, warm);
  return withServer('contest/load.mjs', async (port) => {
    const host = `127.0.0.1:${port}`;
    const cli = path('../../dist/cli/main.js');
    const open = ['--allow-http', '--allow-private', '--quiet'];
    const programs = {
      "import 'skillscout'": [path('../../dist/index.js')],
      'skillscout find, warm database': [cli, 'find', '--type', 'api', '--db', warm],
      'skillscout crawl of one provider': [cli, 'crawl', `http://${host}`, ...open, '--db', cold],
      'the plain client, one provider': [path('contest/once.mjs'), 'plain', host],
      'bare node:http, one provider': [path('contest/once.mjs'), 'node-http', host],
    };
    const empty = [path('contest/empty.mjs')];
    const bare = [];
    const over = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
    for (const args of [empty, ...Object.values(programs)]) await timeOf(args);
    for (let i = 0; i < rounds * STARTS_IN_A_ROUND; i++) {
      const ms = await timeOf(empty);
      bare.push(ms);
      for (const [name, args] of Object.entries(programs)) {
        for (const end of ['', '-wal', '-shm']) await rm(cold + end, { force: true });
        over[name].push((await timeOf(args)) - ms);
      }
    }
    return {
      title: 'Start-up',
      figures: [
        figure('an empty Node process', median(bare), 'ms'),
        ...Object.entries(over).map(([name, times]) =>
          figure(`${name}: over bare Node`, median(times), 'ms'),
        ),
      ],
    };
  });
}

async function timeOf(args) {
  const start = performance.now();
  await promisify(execFile)(process.execPath, args);
  return performance.now() - start;
}
