import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkInputs } from '../../src/invoke/check-inputs.ts';
import { Steps } from '../../src/invoke/steps.ts';
import { canonicalJson, type JsonValue, type ParameterDefinition } from '../../src/protocol/index.ts';

const fieldsOf = (definitions: ParameterDefinition[], inputs: Record<string, unknown>) =>
  checkInputs(definitions, inputs).violations.map(({ field }) => field);

const own = (name: string, value: JsonValue): Record<string, JsonValue> =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

describe('checkInputs', () => {
  test.each<[string, ParameterDefinition[], Record<string, unknown>, string[]]>([
    ['nothing wrong', [{ name: 'a', type: 'string', required: true }], { a: '' }, []],
    ['a missing input', [{ name: 'a', required: true }], {}, ['/a']],
    ['an input of another type', [{ name: 'a', type: 'integer' }], { a: 1.5 }, ['/a']],
    ['a value that is none of the choices', [{ name: 'a', enum: [1, null] }], { a: 2 }, ['/a']],
    ['a name that nobody defined', [{ name: 'a' }], { b: 1 }, ['/b']],
    ['a name of every object', [{ name: 'a' }], { toString: 1 }, ['/toString']],
    ['a required name of every object', [{ name: 'toString', required: true }], {}, ['/toString']],
    ['a required __proto__', [{ name: '__proto__', required: true }], {}, ['/__proto__']],
    [
      'two definitions of one name, both',
      [
        { name: 'a', type: 'string' },
        { name: 'a', enum: ['x'] },
      ],
      { a: 'y' },
      ['/a'],
    ],
    ['what a schema refuses', [{ name: 'a', schema: { items: { minimum: 3 } } }], { a: [3, 2] }, ['/a/1']],
  ])('finds %s', (_, definitions, inputs, fields) => {
    expect(fieldsOf(definitions, inputs)).toEqual(fields);
  });

  it('says once what a definition and its schema say alike', () => {
    const definitions = [{ name: 'a', type: 'integer', schema: { type: 'integer' } }];
    expect(fieldsOf(definitions, { a: 'x' })).toEqual(['/a']);
  });

  it('says which parameters there are', () => {
    const expected = (definitions: ParameterDefinition[]) =>
      checkInputs(definitions, { b: 1 }).violations.map((violation) => violation.expected);
    expect(expected([{ name: 'a' }])).toEqual(['no parameters but these: a']);
    expect(expected([])).toEqual(['no parameters']);
  });

  it('takes a __proto__ of its own', () => {
    const definitions = [{ name: '__proto__', type: 'string', default: 'd' }];
    expect(checkInputs(definitions, own('__proto__', 'x'))).toEqual({
      inputs: own('__proto__', 'x'),
      violations: [],
      warnings: [],
    });
    expect(JSON.stringify(checkInputs(definitions, {}).inputs)).toBe('{"__proto__":"d"}');
  });

  it('fills in defaults that the definition takes', () => {
    const definitions = [
      { name: 'a', type: 'string', required: true, default: 'x' },
      { name: 'b', type: 'string', default: null },
      { name: 'c', enum: [1], default: 2 },
      { name: 'd', default: 'unused' },
    ];
    expect(checkInputs(definitions, { d: 'given' }).inputs).toEqual({ a: 'x', d: 'given' });
  });

  it('names what it does not check', () => {
    const definitions = [
      { name: 'a', type: 'file' },
      { name: 'b', schema: { pattern: '^(a+)+$', format: 'uri' } },
      { name: 'c', schema: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
      { name: 'd', schema: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
    ];
    const steps = new Steps(1000);
    const { violations, warnings } = checkInputs(
      definitions,
      { a: 1, b: `${'a'.repeat(99)}!`, c: 1, d: 1 },
      steps,
    );
    expect(violations).toEqual([]);
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ['SCHEMA_NOT_CHECKED', '/inputs/0/type'],
      ['SCHEMA_NOT_CHECKED', '/inputs/1/schema'],
      ['SCHEMA_NOT_CHECKED', '/inputs/2/schema'],
      ['SCHEMA_NOT_CHECKED', '/inputs/3/schema'],
    ]);
    // All schemas of one skill share their steps.
    expect(steps.taken).toBeLessThan(1100);
  });

  it('gives up on choices that take very long to compare', () => {
    let lists = 0;
    const ownKeys = (target: Record<string, JsonValue>) => {
      lists += 1;
      return Reflect.ownKeys(target);
    };
    const members: Record<string, JsonValue> = Object.fromEntries(
      Array.from({ length: 2000 }, (_, n) => [n, 0]),
    );
    const large = new Proxy(members, { ownKeys });
    const choices = Array.from({ length: 1000 }, () => ({}));
    const definitions: ParameterDefinition[] = [
      { name: 'a', enum: choices, default: large },
      { name: 'b', enum: choices },
    ];
    const { inputs, violations, warnings } = checkInputs(definitions, { b: 1 });
    expect({ inputs, violations }).toEqual({ inputs: { b: 1 }, violations: [] });
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ['SCHEMA_NOT_CHECKED', '/inputs/1/enum'],
    ]);
    expect(lists).toBeLessThan(60);
  });

  it('repeats no text of strangers that steers a terminal', () => {
    const name = '\u001b[2J\u202e';
    const { violations } = checkInputs([{ name, enum: [`${name}.`] }], { [name]: name, x: name });
    expect(violations).toHaveLength(2);
    for (const { message, expected, actual } of violations) {
      expect(`${message}${expected}${actual}`).not.toMatch(/\p{C}/u);
    }
  });

  it('accepts exactly what a naive check accepts', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor');
    const value = fc.oneof(
      fc.constantFrom<JsonValue>(0, 1, 1.5, 'x', '', true, null),
      fc.constantFrom<JsonValue>([], [1], {}, { x: 1 }),
    );
    const definition = fc.record(
      {
        name,
        type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'file'),
        required: fc.boolean(),
        enum: fc.array(value, { maxLength: 3 }),
      },
      { requiredKeys: ['name'] },
    );
    const inputs = fc
      .array(fc.tuple(name, value), { maxLength: 4 })
      .map((pairs) => Object.fromEntries(pairs));
    fc.assert(
      fc.property(fc.array(definition, { maxLength: 4 }), inputs, (definitions, given) => {
        expect(fieldsOf(definitions, given).length === 0).toBe(naivelyAccepted(definitions, given));
      }),
      { numRuns: 500 },
    );
  });
});

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

function naivelyAccepted(definitions: ParameterDefinition[], given: Record<string, unknown>): boolean {
  const members = new Map(Object.entries(given));
  for (const name of members.keys())
    if (!definitions.some((definition) => definition.name === name)) return false;
  for (const { name, type, required, enum: choices } of definitions) {
    if (!members.has(name)) {
      if (required) return false;
      continue;
    }
    const value = members.get(name);
    const kinds = [kindOf(value), ...(Number.isInteger(value) ? ['integer'] : [])];
    if (type !== undefined && type !== 'file' && !kinds.includes(type)) return false;
    if (choices && !choices.some((choice) => canonicalJson(choice) === canonicalJson(value))) return false;
  }
  return true;
}
