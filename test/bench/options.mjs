import { parseArgs } from 'node:util';

/** In the order in which they are printed. */
export const TABLES = [
  'cold',
  'warm',
  'hanging',
  'names',
  'queries',
  'validation',
  'start',
  'sqlite',
  'memory',
  'crawl',
  'growth',
  'concurrency',
  'profile',
];
/** Measured only where they are named: they take long, or tell nothing that has a goal. */
const ON_DEMAND = ['growth', 'concurrency', 'profile'];

const DEFAULTS = { providers: 1000, rounds: 5, skills: 100_000, domains: 2000 };
/** To see that everything works; the figures say nothing. */
const QUICK = { providers: 30, rounds: 1, skills: 1000, domains: 1000 };

/** Reads the command line. Throws where something stands there that is no option of ours. */
export function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      providers: { type: 'string' },
      rounds: { type: 'string' },
      skills: { type: 'string' },
      domains: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: TABLES.filter((table) => !ON_DEMAND.includes(table)) },
      json: { type: 'boolean', default: false },
      /** Writes the tables into docs/performance.md. */
      record: { type: 'boolean', default: false },
    },
  });
  const { only, json, record, quick, ...given } = values;
  const unknown = only.find((table) => !TABLES.includes(table));
  if (unknown !== undefined) throw new TypeError(`--only: expected one of ${TABLES.join(', ')}`);
  const sizes = Object.entries(quick ? QUICK : DEFAULTS).map(([name, size]) => [
    name,
    countOf(name, given[name] ?? size),
  ]);
  return { only, json, record, ...Object.fromEntries(sizes) };
}

function countOf(name, text) {
  const count = Number(text);
  const least = QUICK[name];
  if (!Number.isSafeInteger(count) || count < least) {
    throw new TypeError(`--${name}: expected at least ${least}`);
  }
  return count;
}
