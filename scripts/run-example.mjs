// Runs one example: `node scripts/run-example.mjs query-by-capability`. Needs `npm run build` first.
// From Node 22.18 on, `node examples/query-by-capability.ts` does the same.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [name = ''] = process.argv.slice(2);
const file = fileURLToPath(new URL(`../examples/${name}.ts`, import.meta.url));
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  console.error(`There is no example ${JSON.stringify(name)} in examples/.`);
  process.exit(2);
}
await runnerImport(file, { configFile: false, logLevel: 'error' });
