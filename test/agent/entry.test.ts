import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
/** Types are always imported as such, and what is loaded later is no statement. */
const STATEMENT = /^(?:import|export) (?!type\b)(?:[\w\s*]*\{[^}]*\}|[\w\s*,]+) from ['"]([^'"\n]+)['"]/gm;

it('loads no runtime, no network and no store: the protocol’s pure core, and a hash', () => {
  const seen = new Set(['./agent/index.ts']);
  for (const file of seen) {
    if (!file.startsWith('.')) continue;
    for (const [, from = ''] of readFileSync(join(src, file), 'utf8').matchAll(STATEMENT)) {
      seen.add(from.startsWith('.') ? `./${join(dirname(file), from)}` : from);
    }
  }
  const parts = new Set([...seen].map((file) => (file.startsWith('.') ? file.split('/')[1] : file)));
  expect([...parts].sort()).toEqual([
    ...['@noble/hashes/sha2.js', 'abort.ts', 'agent', 'clock.ts', 'errors.ts', 'parse-url.ts', 'protocol'],
  ]);
});
