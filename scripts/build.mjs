// Builds dist/ as package.json's `tsdown` member says. Through the API: the command greets Node 20 with a warning.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'tsdown';

// Finding and opening a file takes a starting process longer than compiling it: what every start needs is in few of them.
const chunk = (name, paths) => ({ name, test: (id) => paths.test(id) && !id.endsWith('.d.ts') });
const groups = [
  chunk(
    'core',
    /\/src\/(?:protocol\/|transport\/(?:failures|decode)\.|(?:abort|errors|parse-url|version)\.)/,
  ),
  chunk('shell', /\/src\/cli\/(?:options|query-flags|run|shell|program|text|usage-error)\./),
];

await build({ logLevel: 'error', outputOptions: { codeSplitting: { groups } } });

// `AsyncDisposable` of the public types must be known to consumers whose `lib` does not name it; the bundler of types
// drops the directive.
const types = new URL('../dist/index.d.ts', import.meta.url);
writeFileSync(types, `/// <reference lib="esnext.disposable" />\n${readFileSync(types, 'utf8')}`);
