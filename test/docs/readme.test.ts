import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ERROR_CODES, VERSION } from '../../src/index.ts';
import { HOME } from '../../src/version.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');

describe('README', () => {
  it('has the table of codes that errors.ts gives', () => {
    const rows = Object.entries(ERROR_CODES).map(
      ([code, { retryable, meaning }]) => `| \`${code}\` | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
    );
    const table = ['| code | again | meaning |', '| --- | --- | --- |', ...rows].join('\n');
    expect(readme.match(/<!-- codes -->\n([\s\S]*?)\n?<!-- \/codes -->/)?.[1]).toBe(table);
  });

  it('has library examples that compile', () => {
    const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
    expect(blocks.length).toBeGreaterThanOrEqual(5);
    const sources = new Map(blocks.map((code, i) => [`${root}examples/readme-${i}.ts`, code]));
    const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const host = ts.createCompilerHost(options);
    const { readFile, fileExists } = host;
    host.readFile = (file) => sources.get(file) ?? readFile(file);
    host.fileExists = (file) => sources.has(file) || fileExists(file);
    const program = ts.createProgram([...sources.keys()], options, host);
    const diagnostics = [...sources.keys()].flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    });
    expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual(
      [],
    );
  });

  it('links to nothing that is not there', () => {
    const links = [...readme.matchAll(/\]\(((?!https?:)[^)]+)\)/g)].map(([, path]) => path ?? '');
    expect(
      links.filter((path) => !ts.sys.fileExists(root + path) && !ts.sys.directoryExists(root + path)),
    ).toEqual([]);
  });
});

it('is one version everywhere', () => {
  expect(VERSION).toBe(packageJson.version);
  expect(HOME).toBe(packageJson.homepage);
});
