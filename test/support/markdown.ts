import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The code of every block in this language, in order. */
export function codeBlocks(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, code]) => code ?? '');
}

/** What stands between `<!-- name -->` and `<!-- /name -->`, each on a line of its own. */
export function marked(markdown: string, name: string): string | undefined {
  return markdown.match(new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)\\n?<!-- /${name} -->`))?.[1];
}

/** What the compiler says about these programs, each judged as a file of its own in `folder`. */
export function typeErrors(programs: string[], folder = 'examples'): string[] {
  const sources = new Map(programs.map((code, i) => [`${root}${folder}/block-${i}.ts`, code]));
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
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The relative links of a document, given by its path from the root, that lead nowhere. */
export function brokenLinks(markdown: string, path: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  const links = [...prose.matchAll(/\]\(((?!https?:|#)[^)#]+)[^)]*\)/g)].map(([, link]) => link ?? '');
  const folder = `${root}${dirname(path)}/`;
  return links.filter((link) => !ts.sys.fileExists(folder + link) && !ts.sys.directoryExists(folder + link));
}
