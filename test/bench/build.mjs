// The product is measured as it is shipped; what the measurements need from inside of it is built here: how the client
// prepares a record for a store, and the tokens of a record.
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export const buildInternals = () =>
  build({
    config: false,
    logLevel: 'error',
    entry: [path('../../src/registry/document.ts'), path('../../src/registry/tokens.ts')],
    outDir: path('dist'),
    format: 'esm',
    target: 'node20',
    dts: false,
    fixedExtension: false,
  });
