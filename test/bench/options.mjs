import { parseArgs } from 'node:util';

export const TABLES = ['sqlite', 'memory', 'crawl'];

/** Reads the command line. Throws where something stands there that is no option of ours. */
export function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      skills: { type: 'string', default: '200000' },
      domains: { type: 'string', default: '5000' },
      only: { type: 'string', multiple: true, default: TABLES },
      json: { type: 'boolean', default: false },
    },
  });
  const unknown = values.only.find((table) => !TABLES.includes(table));
  if (unknown !== undefined) throw new TypeError(`--only: expected one of ${TABLES.join(', ')}`);
  return { ...values, skills: countOf('skills', values.skills), domains: countOf('domains', values.domains) };
}

function countOf(name, text) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1000) throw new TypeError(`--${name}: expected at least 1000`);
  return count;
}
