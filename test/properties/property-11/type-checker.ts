import ts from 'typescript';
import { TYPES_FILE } from './from-types.ts';

const CHECKED_FILE = TYPES_FILE.replace(/types\.ts$/, 'property-11-document.ts');

/**
 * What the TypeScript compiler says about JSON documents given as an argument of a type. One language service for all of
 * them: only the document is parsed and checked anew.
 */
export function createTypeChecker(): (typeName: string, document: unknown) => string[] {
  let content = '';
  let version = 0;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
      lib: ['lib.es5.d.ts'],
    }),
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [CHECKED_FILE],
    getScriptVersion: (file) => (file === CHECKED_FILE ? String(version) : '0'),
    getScriptSnapshot: (file) => {
      const text = file === CHECKED_FILE ? content : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (file) => file === CHECKED_FILE || ts.sys.fileExists(file),
    readFile: (file) => (file === CHECKED_FILE ? content : ts.sys.readFile(file)),
  };
  const service = ts.createLanguageService(host);

  return (typeName, document) => {
    version += 1;
    content =
      `import type { ${typeName} } from './types.ts';\n` +
      `declare function accept(document: ${typeName}): void;\n` +
      `accept(${literal(document)});\n`;
    return [
      ...service.getSyntacticDiagnostics(CHECKED_FILE),
      ...service.getSemanticDiagnostics(CHECKED_FILE),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
}

/** JSON is an expression of TypeScript, once the characters are escaped that its scanner takes for line ends. */
function literal(document: unknown): string {
  return JSON.stringify(document).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
