import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import ts from 'typescript';
import { jsonValue, protocolSemVer, semVer, skillId } from '../../../mocks/arbitraries.ts';

export const TYPES_FILE = fileURLToPath(new URL('../../../src/protocol/types.ts', import.meta.url));

/** The named strings whose rule TypeScript cannot express. */
const ALIASES: Record<string, fc.Arbitrary<string>> = {
  SkillId: skillId(),
  SemVer: semVer(),
  ProtocolSemVer: protocolSemVer(),
};

const declarations = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();
const source = ts.createSourceFile(
  TYPES_FILE,
  readFileSync(TYPES_FILE, 'utf8'),
  ts.ScriptTarget.Latest,
  true,
);
for (const statement of source.statements) {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    declarations.set(statement.name.text, statement);
  }
}

/** The names of all members of all interfaces. */
export const MEMBER_NAMES = [
  ...new Set([...declarations.values()].flatMap((declaration) => [...membersOf(declaration).keys()])),
];

/** Instances of a type, built from nothing but its declaration. `strayNames` are tried as members it does not name. */
export function instancesOf(name: string, strayNames: string[]): fc.Arbitrary<unknown> {
  const declaration = declarationOf(name);
  return ts.isInterfaceDeclaration(declaration)
    ? fromInterface(declaration, strayNames)
    : fromType(declaration.type, strayNames);
}

/** Which lexical alias a type is, if it is one. */
export function aliasOf(type: ts.TypeNode | undefined): string | undefined {
  if (!type || !ts.isTypeReferenceNode(type)) return undefined;
  const name = type.typeName.getText();
  const declaration = declarations.get(name);
  const isString =
    declaration &&
    ts.isTypeAliasDeclaration(declaration) &&
    declaration.type.kind === ts.SyntaxKind.StringKeyword;
  return isString ? name : undefined;
}

/** The parts of a type: its named members, its elements (`[]`), the values of a record (`{}`). */
export function partsOf(type: ts.TypeNode | string | undefined): Map<string, ts.TypeNode | undefined> {
  if (typeof type === 'string') return partsOfDeclared(type);
  if (type && ts.isArrayTypeNode(type)) return new Map([['[]', type.elementType]]);
  if (!type || !ts.isTypeReferenceNode(type)) return new Map();
  const name = type.typeName.getText();
  return name === 'Record' ? new Map([['{}', type.typeArguments?.[1]]]) : partsOfDeclared(name);
}

function partsOfDeclared(name: string): Map<string, ts.TypeNode | undefined> {
  const declaration = declarationOf(name);
  return ts.isInterfaceDeclaration(declaration)
    ? new Map([...membersOf(declaration)].map(([member, { type }]) => [member, type]))
    : partsOf(declaration.type);
}

function declarationOf(name: string) {
  const declaration = declarations.get(name);
  if (!declaration) throw new Error(`types.ts declares no ${name}`);
  return declaration;
}

function membersOf(declaration: ts.Declaration): Map<string, ts.PropertySignature> {
  const members = ts.isInterfaceDeclaration(declaration)
    ? declaration.members.filter(ts.isPropertySignature)
    : [];
  return new Map(members.map((member) => [(member.name as ts.Identifier).text, member]));
}

function fromInterface(declaration: ts.InterfaceDeclaration, strayNames: string[]): fc.Arbitrary<unknown> {
  const members = membersOf(declaration);
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, { type }] of members) model[name] = fromType(type, strayNames);
  const requiredKeys = [...members].filter(([, { questionToken }]) => !questionToken).map(([name]) => name);
  const named = fc.record(model, { requiredKeys, noNullPrototype: true });
  const index = declaration.members.find(ts.isIndexSignatureDeclaration);
  if (!index) return named;
  const strayName = fc
    .oneof(fc.constantFrom(...strayNames, '__proto__'), fc.string())
    .filter((name) => !members.has(name));
  const strays = fc.array(fc.tuple(strayName, fromType(index.type, strayNames)), { maxLength: 2 });
  return fc.tuple(strays, named).map(([extra, own]) => ({ ...Object.fromEntries(extra), ...own }));
}

function fromType(type: ts.TypeNode | undefined, strayNames: string[]): fc.Arbitrary<unknown> {
  if (!type) throw new Error('types.ts has a member without a type');
  if (ts.isUnionTypeNode(type)) return fc.oneof(...type.types.map((part) => fromType(part, strayNames)));
  if (ts.isArrayTypeNode(type)) return fc.array(fromType(type.elementType, strayNames), { maxLength: 3 });
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return fc.constant(type.literal.text);
  if (ts.isTypeReferenceNode(type)) return fromReference(type, strayNames);
  switch (type.kind) {
    case ts.SyntaxKind.StringKeyword:
      return fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
    case ts.SyntaxKind.NumberKeyword:
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case ts.SyntaxKind.BooleanKeyword:
      return fc.boolean();
    case ts.SyntaxKind.UnknownKeyword:
      return jsonValue();
    default:
      throw new Error(`types.ts uses a type that is not understood here: ${type.getText()}`);
  }
}

function fromReference(type: ts.TypeReferenceNode, strayNames: string[]): fc.Arbitrary<unknown> {
  const name = type.typeName.getText();
  if (name === 'JsonValue') return jsonValue();
  if (name === 'Record') {
    return fc.dictionary(fc.string(), fromType(type.typeArguments?.[1], strayNames), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  const alias = aliasOf(type);
  if (alias === undefined) return instancesOf(name, strayNames);
  const arbitrary = ALIASES[alias];
  if (!arbitrary) throw new Error(`there is no arbitrary for the alias ${alias}`);
  return arbitrary;
}
