import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { JsonSchema } from '../../src/protocol/index.ts';
import * as protocol from '../../src/protocol/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const schemas = Object.entries(protocol).filter(([name]) => name.endsWith('Schema')) as [
  string,
  JsonSchema,
][];

it('publishes a schema for every document and structure of the protocol', () => {
  expect(schemas.map(([name]) => name).sort()).toEqual([
    'authConfigSchema',
    'errorEnvelopeSchema',
    'invocationEndpointSchema',
    'invocationRequestSchema',
    'invocationResponseSchema',
    'outputDefinitionSchema',
    'parameterDefinitionSchema',
    'protocolVersionSchema',
    'providerSchema',
    'skillDescriptorSchema',
    'skillIndexEntrySchema',
    'skillIndexSchema',
  ]);
});

it.each(schemas)('%s is a self-contained 2020-12 schema with a name of its own', (_, schema) => {
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(schema.$id).toMatch(/^urn:skill-sharing:1:[a-z-]+$/);
  expect(JSON.stringify(schema)).not.toMatch(/"(?:\$ref|format|minLength|maxLength)":/);
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  expect(ajv.validateSchema(schema)).toBe(true);
  expect(() => ajv.compile(schema)).not.toThrow();
});

it('gives no two schemas the same $id', () => {
  expect(new Set(schemas.map(([, schema]) => schema.$id)).size).toBe(schemas.length);
});

it('has compiled validators that are up to date and import nothing', async () => {
  await promisify(execFile)(process.execPath, ['scripts/generate-validators.mjs', '--check'], { cwd: root });
  const code = await readFile(`${root}/src/protocol/generated/validators.js`, 'utf8');
  expect(code).not.toMatch(/\brequire\(|\bimport\b/);
});
