// The product is measured as it is shipped. What the measurements need from inside of it is built here: how the client
// prepares a record for a store, the tokens of a record, and cursors to pages that nobody has come to yet.
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export const buildInternals = () =>
  build({
    config: false,
    logLevel: 'error',
    entry: ['document', 'tokens', 'query', 'cursor'].map((name) => path(`../../src/registry/${name}.ts`)),
    outDir: path('dist'),
    format: 'esm',
    target: 'node20',
    dts: false,
    fixedExtension: false,
  });
