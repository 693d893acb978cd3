import { describe, expect, it, test } from 'vitest';
import { checkSchema } from '../../src/invoke/check-schema.ts';
import { Steps } from '../../src/invoke/steps.ts';

const LIMIT = 10_000;

function judge(schema: unknown, value: unknown) {
  const steps = new Steps(LIMIT);
  const { faults, ignored, finished } = checkSchema(schema, value, steps);
  return { fields: faults.map(({ path }) => path.join('/')), ignored, finished, steps: steps.taken };
}

/** So many members, and how often somebody listed them. */
function listable(count: number, first: Record<string, unknown>) {
  const members = { ...first, ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 0])) };
  const seen = { lists: 0 };
  const ownKeys = (target: object) => {
    seen.lists += 1;
    return Reflect.ownKeys(target);
  };
  return { seen, value: new Proxy(members, { ownKeys }) };
}

describe('checkSchema', () => {
  test.each<[schema: unknown, good: unknown, bad: unknown]>([
    [{ type: 'integer' }, 3, 3.5],
    [{ type: ['string', 'null'] }, null, 0],
    [{ type: 'object' }, {}, []],
    [{ enum: [{ a: [1, -0] }] }, { a: [1, 0] }, { a: [1] }],
    [{ const: 'a' }, 'a', 'b'],
    [{ minimum: 1, maximum: 2 }, 1, 3],
    [{ exclusiveMinimum: 1 }, 1.1, 1],
    [{ exclusiveMaximum: 1 }, 0.9, 1],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [{ minLength: 2 }, '😀😀', '😀'],
    [{ maxLength: 1 }, '😀', 'ab'],
    [{ minItems: 1 }, [0], []],
    [{ maxItems: 1 }, [0], [0, 0]],
    [
      { uniqueItems: true },
      [{ a: 1 }, { a: 2 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1], ['a', 'b']],
    [{ minProperties: 1 }, { a: 1 }, {}],
    [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    [{ required: ['toString'] }, { toString: 1 }, {}],
    [{ properties: { a: { type: 'number' } } }, { a: 1, b: 'x' }, { a: 'x' }],
    [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 1, 3],
    [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, 5, 4],
    [{ oneOf: [{ minimum: 1 }, { minimum: 5 }] }, 2, 6],
    [{ not: { type: 'string' } }, 1, 'a'],
    [JSON.parse('{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"number"}}'), 'a', ''],
    [{ $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'null' } } }, null, 1],
    [
      { properties: { next: { $ref: '#' } }, required: ['id'] },
      { id: 1, next: { id: 2 } },
      { id: 1, next: {} },
    ],
    [true, 1, undefined],
    [JSON.parse('{"properties":{"__proto__":{"type":"number"}}}'), {}, JSON.parse('{"__proto__":"x"}')],
  ])('%j takes %j, not %j', (schema, good, bad) => {
    expect(judge(schema, good)).toMatchObject({ fields: [], ignored: [], finished: true });
    if (bad !== undefined) expect(judge(schema, bad).fields).toHaveLength(1);
  });

  it('says where each fault is', () => {
    const schema = {
      properties: { list: { items: { type: 'number' } } },
      required: ['name'],
      additionalProperties: false,
    };
    const { fields } = judge(schema, { list: [1, 'a', 2, 'b'], other: 1 });
    expect(fields).toEqual(['list/1', 'list/3', 'name', 'other']);
  });

  test.each<[schema: unknown, value: unknown, ignored: string[]]>([
    [{ pattern: '^(a+)+$' }, `${'a'.repeat(50)}!`, ['pattern']],
    [
      { patternProperties: { '^(a+)+$': false }, additionalProperties: false },
      { aaa: 1 },
      ['patternProperties'],
    ],
    [{ not: { pattern: 'x' } }, 'a', ['pattern']],
    [{ oneOf: [{ pattern: 'x' }, { type: 'string' }] }, 'a', ['pattern']],
    [JSON.parse('{"if":{"pattern":"x"},"then":false}'), 'a', ['pattern']],
    [{ $ref: 'https://evil.example/schema' }, 'a', ['$ref']],
    [{ $ref: '#/nowhere' }, 'a', ['$ref']],
    [{ $ref: '#/%zz' }, 'a', ['$ref']],
    [{ $dynamicRef: '#x', 'x-own': 1 }, 'a', ['$dynamicRef', 'x-own']],
    [{ properties: { a: { $id: 'urn:x', type: 'number' } } }, { a: 'x' }, ['$id']],
    [
      { minimum: '5', required: 'a', items: [false], enum: 1, type: 'file' },
      1,
      ['minimum', 'required', 'items', 'enum', 'type'],
    ],
    ['string', 1, ['schema']],
    [{ constructor: 1, toString: 1 }, 'a', ['constructor', 'toString']],
  ])('refuses nothing by what it does not check: %j', (schema, value, ignored) => {
    expect(judge(schema, value)).toMatchObject({ fields: [], ignored, finished: true });
  });

  const links = (keyword: 'allOf' | 'anyOf' | 'oneOf', count: number) => ({
    $ref: '#/$defs/0',
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, n) => {
        const next = n + 1 < count ? { $ref: `#/$defs/${n + 1}` } : { type: 'number' };
        return [n, { [keyword]: [next, next] }];
      }),
    ),
  });
  test.each<[string, unknown, unknown]>([
    ['thirty links of allOf and $ref', links('allOf', 30), 'a'],
    ['thirty links of anyOf and $ref', links('anyOf', 30), 'a'],
    ['thirty links of oneOf and $ref', links('oneOf', 30), 1],
    ['a reference to itself', { $ref: '#' }, 1],
    ['references in a circle', { anyOf: [{ not: { $ref: '#' } }, { not: { $ref: '#' } }] }, 1],
    ['an enum of a hundred thousand', { enum: Array.from({ length: 1e5 }, (_, n) => n) }, -1],
    ['long texts, measured again and again', { allOf: Array(1e4).fill({ minLength: 1 }) }, 'a'.repeat(1e5)],
    [
      'long texts, compared again and again',
      { allOf: Array(1e4).fill({ const: 'a'.repeat(1e5) }) },
      `${'a'.repeat(1e5)}`,
    ],
  ])('gives up on %s after so many steps', (_, schema, value) => {
    const { fields, finished, steps } = judge(schema, value);
    expect({ fields, finished }).toEqual({ fields: [], finished: false });
    // The step that is too much may be a long one, but is no loop.
    expect(steps).toBeLessThan(2 * LIMIT);
  });

  it.each([
    ['schema', { allOf: [{ $ref: '#' }] }],
    ['value', {}],
  ])('lists the many members of a %s once, not with every step', (which, first) => {
    const { seen, value } = listable(LIMIT, first);
    const choices = { enum: Array(1000).fill({}) };
    expect((which === 'schema' ? judge(value, 1) : judge(choices, value)).finished).toBe(false);
    expect(seen.lists).toBe(1);
  });
});
