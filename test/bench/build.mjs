// The product is measured as it is shipped. What the measurements need from inside of it is built here: how the client
// prepares a record for a store, the tokens of a record, cursors to pages that nobody has come to yet, a connection
// with the writer's settings, and the schemas.
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export const buildInternals = () =>
  build({
    config: false,
    logLevel: 'error',
    entry: [
      'protocol/schema',
      'registry/document',
      'registry/tokens',
      'registry/query',
      'registry/cursor',
      'sqlite/classes',
      'sqlite/driver',
      'sqlite/file',
    ].map((name) => path(`../../src/${name}.ts`)),
    outDir: path('dist'),
    format: 'esm',
    target: 'node20',
    dts: false,
    fixedExtension: false,
  });
