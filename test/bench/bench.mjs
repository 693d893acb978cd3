// Measures what docs/performance.md promises and prints it in tables. Ends with 1 where a goal was missed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildInternals } from './build.mjs';
import {
  measureCold,
  measureConcurrency,
  measureGrowth,
  measureHanging,
  measureProfile,
  measureWarm,
} from './contests.mjs';
import { renderTable } from './figures.mjs';
import { measureNames } from './names.mjs';
import { parseOptions } from './options.mjs';
import { measureQueries, measureValidation } from './rivals.mjs';
import { measureStart } from './start.mjs';
import { measureCrawl, measureMemory, measureSqlite } from './stores.mjs';

const measure = {
  cold: measureCold,
  warm: measureWarm,
  hanging: measureHanging,
  names: measureNames,
  queries: measureQueries,
  validation: measureValidation,
  start: measureStart,
  sqlite: measureSqlite,
  memory: measureMemory,
  crawl: measureCrawl,
  growth: measureGrowth,
  concurrency: measureConcurrency,
  profile: measureProfile,
};

const folder = fileURLToPath(new URL('.', import.meta.url));
const document = join(folder, '../../docs/performance.md');

const args = process.argv.slice(2);
const { only, json, record, ...sizes } = readOptions(args);
const machine = [
  `${cpus()[0].model}, ${availableParallelism()} threads, ${Math.round(totalmem() / 2 ** 30)} GB`,
  `Node ${process.version}`,
  `load before the start ${loadavg()[0].toFixed(1)}`,
].join('; ');
const dir = await mkdtemp(join(tmpdir(), 'skillscout-bench-'));
const tables = [];
try {
  installPeers();
  await buildInternals();
  const peers = await peerVersions();
  if (!json) console.log(`${machine}\n${peers}`);
  if (record) await write('peers', peers);
  for (const name of only) {
    const table = await measure[name]({ ...sizes, dir });
    tables.push(table);
    if (!json) console.log(`\n${renderTable(table)}`);
    if (record) await write(name, `${machine}:\n\n\`\`\`text\n${renderTable(table)}\n\`\`\``);
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
if (json) console.log(JSON.stringify({ machine, tables }, null, 2));
if (tables.some(({ figures }) => figures.some(({ met }) => met === false))) process.exitCode = 1;

/** Puts a text between the document's marks of this name. */
async function write(name, text) {
  const before = await readFile(document, 'utf8');
  const marks = new RegExp(`(?<=<!-- ${name} -->\n)[\\s\\S]*?(?=\n<!-- /${name} -->)`);
  if (!marks.test(before)) throw new Error(`docs/performance.md has no place for ${name}`);
  await writeFile(
    document,
    before.replace(marks, () => text),
  );
}

function installPeers() {
  if (existsSync(join(folder, 'node_modules'))) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: 'inherit' });
}

async function peerVersions() {
  const read = async (path) => JSON.parse(await readFile(join(folder, path), 'utf8'));
  const names = Object.keys((await read('package.json')).dependencies);
  const packages = await Promise.all(names.map((name) => read(`node_modules/${name}/package.json`)));
  return packages.map(({ name, version }) => `${name} ${version}`).join(', ');
}

function readOptions(given) {
  try {
    return parseOptions(given);
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}
