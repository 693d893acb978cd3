// Builds dist/ as package.json's `tsdown` member says. Through the API: the command greets Node 20 with a warning.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'tsdown';

await build({ logLevel: 'error' });

// `AsyncDisposable` of the public types must be known to consumers whose `lib` does not name it; the bundler of types
// drops the directive.
const types = new URL('../dist/index.d.ts', import.meta.url);
writeFileSync(types, `/// <reference lib="esnext.disposable" />\n${readFileSync(types, 'utf8')}`);
