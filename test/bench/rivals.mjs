// The tables of what takes no network: queries and validation, each beside the obvious way to do without this library.
import { totalmem } from 'node:os';
import { figure, MB, median } from './figures.mjs';
import { run } from './run.mjs';

const SIZES = [1000, 100_000, 1_000_000];

export async function measureQueries({ skills, rounds }) {
  const heapMb = Math.round(totalmem() / MB - 1024);
  const sizes = SIZES.filter((size) => size <= skills);
  const bySize = [];
  for (const size of sizes) {
    bySize.push(await run('ask-rivals.mjs', [size, rounds], [`--max-old-space-size=${heapMb}`]));
  }
  const times = (found, than) => median(found[than].map((us, round) => us / found.ours[round]));
  const largest = bySize.at(-1);
  return {
    title: `First page by type, ${sizes.at(-1).toLocaleString('en')} skills`,
    contestants: {
      columns: ['skillscout, µs', 'filter, µs', 'SQLite, µs', '× filter', '× SQLite'],
      entries: bySize.map((found, i) => ({
        name: `${sizes[i].toLocaleString('en')} skills in memory`,
        values: [
          ...['ours', 'filter', 'sqlite'].map((way) => median(found[way])),
          times(found, 'filter'),
          times(found, 'sqlite'),
        ],
      })),
    },
    figures: [
      figure('first page by type: times a full filter', times(largest, 'filter')),
      figure('first page by type: times plain SQLite', times(largest, 'sqlite')),
    ],
  };
}

export async function measureValidation({ rounds }) {
  const found = await run('validate.mjs', [rounds]);
  const times = (kind, than) => median(found[kind].ours.map((us, round) => us / found[kind][than][round]));
  return {
    title: 'Validation of descriptors',
    contestants: {
      columns: ['skillscout, µs', 'Ajv, µs', 'Ajv by default, µs'],
      entries: Object.entries(found).map(([name, { ours, ajv, lax }]) => ({
        name,
        values: [ours, ajv, lax].map(median),
      })),
    },
    figures: [
      figure('valid documents: speed, share of Ajv', 1 / times('valid', 'ajv')),
      figure('valid documents: speed, share of Ajv by default', 1 / times('valid', 'lax')),
      figure('invalid documents: times as slow as Ajv', times('invalid', 'ajv')),
    ],
  };
}
