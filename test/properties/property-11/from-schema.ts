import * as fc from 'fast-check';
import { jsonValue, protocolSemVer, semVer, skillId } from '../../../mocks/arbitraries.ts';
import type { JsonSchema } from '../../../src/protocol/index.ts';

/** Every name under `properties`, at any depth. */
export function propertyNames(schema: JsonSchema): string[] {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    schema.items ?? {},
    schema.additionalProperties ?? {},
  ];
  return [
    ...Object.keys(schema.properties ?? {}),
    ...parts.filter((part) => Object.keys(part).length > 0).flatMap(propertyNames),
  ];
}

/**
 * Documents that a schema accepts: drawn along the schema, some of them with members spoiled, added or removed at random
 * and kept where the schema still accepts them. `strayNames` are tried as members that the schema does not name.
 */
export function documentsOf(
  schema: JsonSchema,
  strayNames: string[],
  accepts: (document: unknown) => boolean,
): fc.Arbitrary<unknown> {
  const conforming = fromSchema(schema, strayNames);
  const mutated = fc
    .tuple(conforming, fc.nat(), fc.option(jsonValue(), { nil: undefined }))
    .map(([document, where, value]) => mutate(document, where, value));
  return fc.oneof(conforming, mutated).filter(accepts);
}

function fromSchema(schema: JsonSchema, strayNames: string[]): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === undefined) return jsonValue();
  return fc.oneof(...[schema.type].flat().map((type) => fromSchemaOfType(type, schema, strayNames)));
}

function fromSchemaOfType(type: string, schema: JsonSchema, strayNames: string[]): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fromPattern(schema.pattern);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, strayNames), { maxLength: 3 });
    case 'object':
      return fromObjectSchema(schema, strayNames);
    default:
      throw new Error(`the schema uses a type that is not understood here: ${type}`);
  }
}

function fromPattern(pattern = ''): fc.Arbitrary<string> {
  const expression = new RegExp(pattern, 'u');
  return fc.oneof(fc.string(), skillId(), semVer(), protocolSemVer()).filter((text) => expression.test(text));
}

function fromObjectSchema(schema: JsonSchema, strayNames: string[]): fc.Arbitrary<unknown> {
  const properties = schema.properties ?? {};
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, fromSchema(member, strayNames)]),
  );
  const named = fc.record(model, { requiredKeys: schema.required ?? [], noNullPrototype: true });
  const strayName = fc
    .oneof(fc.constantFrom(...strayNames, '__proto__'), fc.string())
    .filter((name) => !Object.hasOwn(properties, name));
  const stray = fromSchema(schema.additionalProperties ?? {}, strayNames);
  const strays = fc.array(fc.tuple(strayName, stray), { maxLength: 3 });
  return fc.tuple(strays, named).map(([extra, own]) => ({ ...Object.fromEntries(extra), ...own }));
}

/** A copy in which one member, the `where`-th, has another value or, where that is undefined, is gone. */
function mutate(document: unknown, where: number, value: unknown): unknown {
  let members = 0;
  count(document);
  let target = members === 0 ? -1 : where % members;
  return copy(document);

  function count(part: unknown): void {
    if (typeof part !== 'object' || part === null) return;
    for (const member of Object.values(part)) {
      members += 1;
      count(member);
    }
  }

  function copy(part: unknown): unknown {
    if (typeof part !== 'object' || part === null) return part;
    const entries = Object.entries(part).flatMap(([name, member]): [string, unknown][] => {
      target -= 1;
      if (target !== -1) return [[name, copy(member)]];
      return value === undefined ? [] : [[name, value]];
    });
    return Array.isArray(part) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
  }
}
