// Compiles src/protocol/schema.ts to validators that need nothing at run time.
// `npm run generate` writes them; `npm run check:generated` exits 1 when the committed files are not what would be written.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { runnerImport } from 'vite';

const path = (name) => fileURLToPath(new URL(`../src/protocol/${name}`, import.meta.url));

const VALIDATORS = {
  protocolVersion: 'protocolVersionSchema',
  skillIndexShell: 'skillIndexShellSchema',
  skillIndexEntry: 'skillIndexEntrySchema',
  skillDescriptor: 'skillDescriptorSchema',
  invocationRequest: 'invocationRequestSchema',
  invocationResponse: 'invocationResponseSchema',
  errorEnvelope: 'errorEnvelopeSchema',
};

const DECLARATIONS = `export interface SchemaError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
}
export interface SchemaValidator {
  (data: unknown): boolean;
  /** What the last call found. */
  errors?: SchemaError[] | null;
}
${Object.keys(VALIDATORS)
  .map((name) => `export declare const ${name}: SchemaValidator;\n`)
  .join('')}`;

async function generate() {
  const { module: schemas } = await runnerImport(path('schema.ts'), {
    configFile: false,
    envDir: false,
    logLevel: 'error',
  });
  const ajv = new Ajv2020({
    schemas: Object.values(VALIDATORS).map((name) => schemas[name]),
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    ownProperties: true,
    messages: false,
    code: { source: true, esm: true, lines: true },
  });
  const ids = Object.fromEntries(
    Object.entries(VALIDATORS).map(([name, schema]) => [name, schemas[schema].$id]),
  );
  const code = standaloneCode.default(ajv, ids);
  if (/\brequire\(|\bimport\b/.test(code))
    throw new Error('the validators would import something at run time');
  const banner = '// Compiled from schema.ts by `npm run generate`. Do not edit.\n';
  return {
    'generated/validators.js': `${banner}${code.trim()}\n`,
    'generated/validators.d.ts': `${banner}${DECLARATIONS}`,
  };
}

const check = process.argv.includes('--check');
const stale = [];
for (const [name, content] of Object.entries(await generate())) {
  const committed = await readFile(path(name), 'utf8').catch(() => '');
  if (committed === content) continue;
  stale.push(name);
  if (!check) await writeFile(path(name), content);
}
if (check && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run generate\`.`);
  process.exitCode = 1;
}
