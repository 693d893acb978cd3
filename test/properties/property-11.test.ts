import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as protocol from '../../src/protocol/index.ts';
import { documentsOf, propertyNames } from './property-11/from-schema.ts';
import { aliasOf, instancesOf, MEMBER_NAMES, partsOf } from './property-11/from-types.ts';
import { createTypeChecker } from './property-11/type-checker.ts';

type JsonSchema = protocol.JsonSchema;

const SCHEMAS: Record<string, JsonSchema> = {
  SkillIndex: protocol.skillIndexSchema,
  SkillDescriptor: protocol.skillDescriptorSchema,
  InvocationRequest: protocol.invocationRequestSchema,
  InvocationResponse: protocol.invocationResponseSchema,
  ErrorEnvelope: protocol.errorEnvelopeSchema,
  SkillIndexEntry: protocol.skillIndexEntrySchema,
  ProtocolVersion: protocol.protocolVersionSchema,
  Provider: protocol.providerSchema,
  InvocationEndpoint: protocol.invocationEndpointSchema,
  ParameterDefinition: protocol.parameterDefinitionSchema,
  OutputDefinition: protocol.outputDefinitionSchema,
  AuthConfig: protocol.authConfigSchema,
};

const ajv = new Ajv2020({ ownProperties: true, allowUnionTypes: true });
const kinds = Object.entries(SCHEMAS).map(([name, schema]) => ({
  name,
  schema,
  accepts: ajv.compile(schema),
}));
const names = [...new Set([...MEMBER_NAMES, ...Object.values(SCHEMAS).flatMap(propertyNames)])];

/** What TypeScript can express as well. Every other keyword is a lexical rule and needs a named type. */
const STRUCTURAL = /^(?:\$schema|\$id|description|type|enum|properties|required|items|additionalProperties)$/;

/** Places where only one side names a member or has a lexical rule. */
function disagreements(type: Parameters<typeof partsOf>[0], schema: JsonSchema, path: string): string[] {
  const alias = typeof type === 'string' ? undefined : aliasOf(type);
  const rules = Object.keys(schema).filter((keyword) => !STRUCTURAL.test(keyword));
  const found = [];
  if (alias !== undefined && rules.length === 0)
    found.push(`${path} is a ${alias}, but the schema has no rule`);
  if (alias === undefined && rules.length > 0) found.push(`${path} has a rule (${rules}), but no named type`);
  const types = partsOf(type);
  const schemas: Record<string, JsonSchema | undefined> = {
    ...schema.properties,
    ...(schema.items && { '[]': schema.items }),
    ...(schema.additionalProperties && { '{}': schema.additionalProperties }),
  };
  for (const step of new Set([...types.keys(), ...Object.keys(schemas)])) {
    const [partType, partSchema] = [types.get(step), schemas[step]];
    if (partType && partSchema) found.push(...disagreements(partType, partSchema, `${path}/${step}`));
    else found.push(`${path}/${step} is named only by the ${partSchema ? 'schema' : 'types'}`);
  }
  return found;
}

// Seen to fail when types.ts makes `access` optional, lets `name` be a number or drops a member of CapabilityType; when the
// schema drops an enumerated value, requires an optional member, forgets to require one, forgets a member that the types
// name, restricts unknown members, or puts a pattern on a plain string; and when SemVer loses its pattern.
test('Feature: skill-sharing-protocol, Property 11: the TypeScript types and the JSON Schema accept the same documents', () => {
  expect(kinds.flatMap(({ name, schema }) => disagreements(name, schema, name))).toEqual([]);

  for (const { name, accepts } of kinds) {
    fc.assert(
      fc.property(instancesOf(name, names), (instance) => {
        expect(accepts(instance) ? [] : accepts.errors).toEqual([]);
      }),
      { numRuns: 100 },
    );
  }

  const check = createTypeChecker();
  expect(check('SkillIndex', {})).not.toEqual([]);
  const typed = fc.oneof(
    ...kinds.map(({ name, schema, accepts }) =>
      documentsOf(schema, names, accepts).map((document) => ({ name, document })),
    ),
  );
  fc.assert(
    fc.property(typed, ({ name, document }) => {
      expect(check(name, document)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
