import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which part may import which. A part is a folder of src, a file at the root of src, or mocks. */
const ARROWS: Record<string, readonly string[]> = {
  errors: [],
  clock: ['abort'],
  abort: [],
  version: [],
  'parse-url': [],
  protocol: ['errors', 'parse-url'],
  transport: ['parse-url', 'errors', 'clock', 'abort'],
  crawl: ['parse-url', 'errors', 'clock', 'abort', 'protocol', 'transport'],
  registry: ['parse-url', 'errors', 'protocol'],
  sqlite: ['errors', 'clock', 'protocol', 'registry', 'transport'],
  invoke: ['parse-url', 'errors', 'clock', 'abort', 'protocol', 'transport'],
  client: [
    'parse-url',
    'errors',
    'clock',
    'abort',
    'version',
    'protocol',
    'transport',
    'crawl',
    'registry',
    'invoke',
  ],
  index: ['errors', 'clock', 'version', 'protocol', 'transport', 'crawl', 'registry', 'invoke', 'client'],
  agent: ['errors', 'clock', 'protocol', 'index'],
  adapters: ['agent'],
  mcp: ['errors', 'version', 'index', 'agent'],
  cli: ['errors', 'version', 'index', 'registry', 'sqlite', 'agent', 'mcp', 'mocks'],
  mocks: ['protocol'],
};

/** The arrows that one file alone may use, or that carry types alone. */
const MOCKS_IMPORTER = 'src/cli/commands/demo.ts';
const TYPE_ONLY: readonly (readonly [from: string, to: string])[] = [
  ['crawl', 'transport'],
  ['sqlite', 'transport'],
  ['invoke', 'transport'],
  ['agent', 'index'],
  ['mocks', 'protocol'],
];
/** Packages that one file alone may import. */
const SOLE_IMPORTERS: Record<string, string> = {
  msw: 'mocks/msw.ts',
  'fast-check': 'mocks/arbitraries.ts',
  undici: 'src/transport/ky-undici-node.ts',
  ky: 'src/transport/ky-hop.ts',
  '@photostructure/sqlite': 'src/sqlite/driver.ts',
};

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const files = [...sources('src'), ...sources('mocks')];
const imports = files.flatMap(importsOf);

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      found.push({ file, target: targetOf(file, specifier.text), typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

/** A path below the root for what is ours, the specifier itself for packages and built-ins. */
function targetOf(file: string, specifier: string): string {
  if (specifier === '#network') return 'src/transport/network-node.ts';
  if (!specifier.startsWith('.')) return specifier;
  return relative(root, resolve(root, dirname(file), specifier));
}

function partOf(path: string): string | undefined {
  const [top, second] = path.split('/');
  if (top === 'mocks') return 'mocks';
  return top === 'src' ? second?.replace(/\.ts$/, '') : undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const text = (file: string) => readFileSync(join(root, file), 'utf8');
/** The code without its comments, so that prose may name what code may not. */
const code = (file: string) => text(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const offenders = (pattern: RegExp, allowed: (file: string) => boolean) =>
  files.filter((file) => !allowed(file) && !file.includes('/generated/') && pattern.test(code(file)));

describe('import arrows', () => {
  it('knows every part', () => {
    expect([...new Set(files.map(partOf))].filter((part) => part === undefined || !(part in ARROWS))).toEqual(
      [],
    );
  });

  it('has no arrow outside the matrix', () => {
    const wrong = imports.filter(({ file, target }) => {
      const from = partOf(file);
      const to = partOf(target);
      if (from === undefined || to === undefined || from === to) return false;
      return !ARROWS[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  it('enters a folder by its index alone', () => {
    const wrong = imports.filter(({ file, target }) => {
      const to = partOf(target);
      if (to === undefined || partOf(file) === to || !/^(?:src\/[^/]+|mocks)\//.test(target)) return false;
      return !/^(?:src\/[^/]+|mocks)\/index\.ts$/.test(target);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps narrow arrows narrow', () => {
    const wrong = imports.filter(({ file, target, typeOnly }) => {
      const from = partOf(file) ?? '';
      const to = partOf(target) ?? '';
      if (from === 'cli' && to === 'mocks') return file !== MOCKS_IMPORTER;
      return !typeOnly && TYPE_ONLY.some((arrow) => arrow[0] === from && arrow[1] === to);
    });
    expect(wrong).toEqual([]);
  });

  it('imports narrow packages in one place', () => {
    const wrong = imports.filter(({ file, target, typeOnly }) => {
      const sole = SOLE_IMPORTERS[packageOf(target)];
      return sole !== undefined && sole !== file && !typeOnly;
    });
    expect(wrong).toEqual([]);
  });

  it('keeps Node built-ins out of what must be portable', () => {
    const portable = /^src\/(?!cli\/|mcp\/|transport\/[\w-]+-node\.ts|sqlite\/)/;
    expect(imports.filter(({ file, target }) => portable.test(file) && isBuiltin(target))).toEqual([]);
  });
});

describe('code that stands in one place', () => {
  it('parses URLs by what can be trusted', () => {
    expect(offenders(/\bURL\.canParse\b/, (file) => file.startsWith('mocks/'))).toEqual([]);
  });

  it('reads time and chance through the clock', () => {
    const time =
      /\bDate\.now\b|\bnew Date\(\)|\bsetTimeout\b|\bsetInterval\b|\bMath\.random\b|\bperformance\.now\b|AbortSignal\.timeout/;
    expect(offenders(time, (file) => file === 'src/clock.ts' || file.startsWith('mocks/'))).toEqual([]);
  });

  it('fetches in the transport', () => {
    expect(
      offenders(/(?<![.\w])fetch\(|globalThis\.fetch\(/, (file) => file.startsWith('src/transport/')),
    ).toEqual([]);
  });

  it('reads no body unbounded', () => {
    expect(
      offenders(/\.(?:json|text|arrayBuffer|blob|formData)\(\)/, (file) => file.startsWith('mocks/')),
    ).toEqual([]);
  });

  it('parses text from outside in the safe parser', () => {
    const own = /^src\/(?:protocol\/json\.ts|(?:registry|sqlite)\/[\w-]+\.ts|cli\/[\w/-]+\.ts)$/;
    expect(offenders(/\bJSON\.parse\(/, (file) => own.test(file) || file.startsWith('mocks/'))).toEqual([]);
  });

  it('prints in the command line alone', () => {
    expect(offenders(/\bconsole\./, (file) => file.startsWith('src/cli/'))).toEqual([]);
  });
});
