// Builds dist/ as package.json's `tsdown` member says. Through the API: the command greets Node 20 with a warning.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsdown';

// Finding and opening a file takes a starting process longer than compiling it: what every start needs is in few of them.
const chunk = (name, paths) => ({ name, test: (id) => paths.test(id) && !id.endsWith('.d.ts') });
const groups = [
  chunk(
    'core',
    /\/src\/(?:protocol\/|registry\/(?:compare|document|matches|plan|rivals|token)|transport\/(?:decode|failures)\.|(?:abort|clock|errors|parse-url|version)\.)/,
  ),
  chunk(
    'parts',
    /\/(?:lru-cache|p-limit|yocto-queue)\/|\/src\/registry\/|\/src\/transport\/(?:alarms|ky-hop|network-portable|resolver-rules)\./,
  ),
  chunk('client', /\/src\/(?:index\.|(?:client|crawl|invoke|transport)\/(?!.*-node\.))/),
  chunk('sqlite', /\/src\/sqlite\/(?!writer-thread)/),
  chunk('shell', /\/commander\/|\/src\/cli\/(?:options|query-flags|shell|text|usage-error)\./),
  chunk('commands', /\/src\/cli\/(?!main|run|program|commands\/|inspection|render-inspection|sarif)/),
];

// The bundler's own helpers import a module that they do not use. A text with a character beyond Latin-1 is decoded several times
// as slowly, and takes twice the memory.
const lean = {
  name: 'lean',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (!file.fileName.endsWith('.js')) continue;
      file.code = file.code.replace(/^import "node:module";$/m, '').replace(/[^\0-\x7f]/g, escaped);
    }
  },
};
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

// Commander starts other programs for subcommands that are files of their own, of which there are none. What else it has of
// Node is taken without `require`, which would have to be made first.
const builtinsOfCommander = {
  name: 'built-ins-of-commander',
  resolveId: (id, importer) =>
    id.startsWith('node:') && importer?.includes('/node_modules/commander/') ? `\0${id}` : undefined,
  load(id) {
    if (id === '\0node:child_process') return 'module.exports = {};';
    if (id.startsWith('\0node:')) return `module.exports = process.getBuiltinModule('${id.slice(1)}');`;
  },
};

// A table of numbers is read several times as fast by JSON.parse as by the compiler. That of hashes is made here, by the code of tldts,
// which makes it whenever it is loaded: half of what loading takes.
const tablesOfTldts = {
  name: 'tables-of-tldts',
  transform(code, id) {
    const [, folder, file] = /^(.*\/tldts\/dist\/es6\/src\/)(data\/trie|suffix-trie)\.js$/.exec(id) ?? [];
    if (file === 'data/trie') return code.replace(/\[[\d, ]+\]/g, asJson);
    if (file !== 'suffix-trie') return undefined;
    const derive = code.slice(
      code.indexOf('const numberOfNodes'),
      code.indexOf('// Result of the last `walk`'),
    );
    const trie = readFileSync(`${folder}data/trie.js`, 'utf8').replaceAll('export ', '');
    const hashes = new Function(`${trie}\n${derive}\nreturn edgeHash;`)();
    return code
      .replace(/let hash = 5381;\s*for \(let i = end - 1;[^}]*\}\s*edgeHash\[edge\] = hash >>> 0;/, '')
      .replace(
        'new Uint32Array(numberOfEdges);\nconst wildcardEdge',
        `new Uint32Array(${asJson(`[${hashes}]`)});\nconst wildcardEdge`,
      );
  },
};
const asJson = (list) => `JSON.parse('${list.replaceAll(' ', '')}')`;

// Only for entries that expire by themselves, of which there are none; asking for `performance` loads node:perf_hooks.
const clockOfLruCache = {
  name: 'clock-of-lru-cache',
  transform: (code, id) =>
    id.includes('/node_modules/lru-cache/')
      ? code.replace('typeof performance', 'typeof undefined')
      : undefined,
};

// What is bundled keeps its licence.
const licences = {
  name: 'licences',
  generateBundle(_options, files) {
    const modules = Object.values(files).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
    const texts = [...folders].sort().map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      return `${folder.replace(/^.*\/node_modules\//, '')}\n\n${readFileSync(join(folder, file), 'utf8')}`;
    });
    texts.push(
      'The Public Suffix List (publicsuffix.org), as tldts has it, is under the MPL 2.0 (mozilla.org/MPL/2.0).\n',
    );
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join(`\n${'-'.repeat(80)}\n`) });
  },
};

await build({
  logLevel: 'error',
  plugins: [builtinsOfCommander, tablesOfTldts, clockOfLruCache, lean, licences],
  // For all that is bundled; of that only lru-cache has builds of several kinds: the one for Node tells a diagnostics channel what
  // it does.
  inputOptions: {
    resolve: { conditionNames: ['browser', 'import', 'default'], mainFields: ['module', 'main'] },
    // The longest text of tldts would be written out wherever it is used.
    optimization: { inlineConst: false },
  },
  outputOptions: { codeSplitting: { groups } },
});

// `AsyncDisposable` of the public types must be known to consumers whose `lib` does not name it; the bundler of types
// drops the directive.
const types = new URL('../dist/index.d.ts', import.meta.url);
writeFileSync(types, `/// <reference lib="esnext.disposable" />\n${readFileSync(types, 'utf8')}`);
