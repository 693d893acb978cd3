import { describe, expect, it } from 'vitest';
import {
  INVALID_DESCRIPTORS,
  INVALID_INDEXES,
  VALID_DESCRIPTORS,
  VALID_INDEXES,
} from '../../mocks/corpus.ts';
import { changed, validDescriptor, validEntry, validIndex } from '../../mocks/documents.ts';
import {
  findDuplicateIds,
  MAX_VIOLATIONS,
  type Violation,
  validateErrorEnvelope,
  validateInvocationRequest,
  validateInvocationResponse,
  validateProtocolVersion,
  validateSkillDescriptor,
  validateSkillIndex,
  validateSkillIndexEntry,
} from '../../src/protocol/index.ts';

const violationsOf = (result: { ok: true } | { ok: false; violations: Violation[] }) =>
  result.ok ? [] : result.violations;
const fieldsOf = (result: { ok: true } | { ok: false; violations: Violation[] }) =>
  violationsOf(result)
    .map(({ field }) => field)
    .sort();

describe('the corpus', () => {
  it.each(VALID_DESCRIPTORS)('accepts a descriptor with $why', ({ document }) => {
    expect(validateSkillDescriptor(document)).toEqual({ ok: true, value: document });
  });
  it.each(VALID_INDEXES)('accepts an index with $why', ({ document }) => {
    expect(validateSkillIndex(document)).toEqual({ ok: true, value: document });
  });
  it.each(INVALID_DESCRIPTORS)('names the fields of a descriptor with $why', ({ document, fields }) => {
    expect(fieldsOf(validateSkillDescriptor(document))).toEqual([...fields].sort());
  });
  it.each(INVALID_INDEXES)('names the fields of an index with $why', ({ document, fields }) => {
    expect(fieldsOf(validateSkillIndex(document))).toEqual([...fields].sort());
  });
});

describe('a violation', () => {
  const cases: [why: string, document: unknown, violation: Violation][] = [
    [
      'a missing member',
      changed(validDescriptor(), '/access'),
      {
        field: '/access',
        expected: 'one of public, restricted, private',
        actual: 'missing',
        message: '/access is missing; expected one of public, restricted, private.',
      },
    ],
    [
      'a wrong type',
      changed(validDescriptor(), '/provider/name', 7),
      {
        field: '/provider/name',
        expected: 'string',
        actual: 'number 7',
        message: '/provider/name is number 7; expected string.',
      },
    ],
    [
      'a value outside an enumeration',
      validDescriptor({ auth: changed({ type: 'none' }, '/type', 'Basic') as never }),
      {
        field: '/auth/type',
        expected: 'one of api_key, oauth2, custom, none',
        actual: '"Basic"',
        message: '/auth/type is "Basic"; expected one of api_key, oauth2, custom, none.',
      },
    ],
    [
      'a malformed version',
      validDescriptor({ protocol: { version: 'v1' } }),
      {
        field: '/protocol/version',
        expected: 'MAJOR.MINOR.PATCH, three non-negative integers',
        actual: '"v1"',
        message: '/protocol/version is "v1"; expected MAJOR.MINOR.PATCH, three non-negative integers.',
      },
    ],
    [
      'the whole document',
      [1, 2],
      {
        field: '',
        expected: 'object',
        actual: 'array of 2',
        message: 'The document is array of 2; expected object.',
      },
    ],
    [
      'a member whose name needs escapes',
      validDescriptor({
        auth: {
          type: 'oauth2',
          oauth2: { authorization_url: '', token_url: '', scopes: { 'a/b~c\u001b': null as never } },
        },
      }),
      {
        field: '/auth/oauth2/scopes/a~1b~0c\u001b',
        expected: 'string',
        actual: 'null',
        message: '/auth/oauth2/scopes/a~1b~0c\\u001b is null; expected string.',
      },
    ],
  ];
  it.each(cases)('describes %s', (_, document, violation) => {
    expect(violationsOf(validateSkillDescriptor(document))).toEqual([violation]);
  });

  it('shows a hostile value bounded and escaped', () => {
    const [violation] = violationsOf(
      validateSkillDescriptor(validDescriptor({ id: '\u001b[2J'.repeat(99) })),
    );
    expect(violation?.actual).toMatch(/^"\\u001b\[2J.*…"$/);
    expect(violation?.actual.length).toBeLessThanOrEqual(80);
  });
});

describe('own members', () => {
  it('does not take a required member from the prototype', () => {
    const { access, ...rest } = validDescriptor();
    const heir = Object.assign(Object.create({ access }), rest);
    expect(fieldsOf(validateSkillDescriptor(heir))).toEqual(['/access']);
  });

  it('does not judge an optional member of the prototype', () => {
    const heir = Object.assign(Object.create({ tags: 7 }), validDescriptor());
    expect(validateSkillDescriptor(heir).ok).toBe(true);
  });

  it('does not take skills from the prototype', () => {
    const { skills, ...rest } = validIndex();
    expect(fieldsOf(validateSkillIndex(Object.assign(Object.create({ skills }), rest)))).toEqual(['/skills']);
  });

  it('accepts cycles in members that the protocol does not name', () => {
    const descriptor = validDescriptor();
    descriptor.self = descriptor;
    expect(validateSkillDescriptor(descriptor).ok).toBe(true);
  });
});

describe('patterned strings of 100 KB', () => {
  // A pattern that backtracks without bound would not come back from these.
  const hostile = ['1', '1.', '-', '1.1.1-0.', '1.1.1-a-', '1.1.1+a.', '\u{1f600}', '\ud800'].map((piece) =>
    piece.repeat(100_000 / piece.length),
  );
  it.each(['/id', '/version', '/protocol/version'])('are judged at %s', (pointer) => {
    for (const text of [...hostile, ...hostile.map((piece) => `1.1.1-${piece}!`)]) {
      expect(fieldsOf(validateSkillDescriptor(changed(validDescriptor(), pointer, text)))).toEqual([pointer]);
    }
  });
});

describe('validateSkillIndex', () => {
  it('counts what a flood of bad entries breaks, but keeps no flood', () => {
    const skills = Array.from({ length: 100_000 }, () => ({}));
    const result = validateSkillIndex({ ...validIndex(), skills });
    expect(result).toMatchObject({ ok: false, violationCount: 700_000 });
    expect(violationsOf(result)).toHaveLength(MAX_VIOLATIONS);
    expect(violationsOf(result)[7]?.field).toBe('/skills/1/id');
  });

  it('reports every entry that shares an id, with the positions', () => {
    const skills = ['a', 'b', 'a', '__proto__', '__proto__'].map((id) => validEntry({ id }));
    const violations = violationsOf(validateSkillIndex(validIndex({ skills })));
    expect(violations.map(({ field }) => field)).toEqual([
      '/skills/0/id',
      '/skills/2/id',
      '/skills/3/id',
      '/skills/4/id',
    ]);
    expect(violations[1]).toEqual({
      field: '/skills/2/id',
      expected: 'an id of its own, not one shared by entries 0 and 2',
      actual: '"a"',
      message: '/skills/2/id is "a"; expected an id of its own, not one shared by entries 0 and 2.',
    });
  });

  it('names ten positions at most', () => {
    const skills = Array.from({ length: 5000 }, () => validEntry());
    const result = validateSkillIndex(validIndex({ skills }));
    expect(result).toMatchObject({ ok: false, violationCount: 5000 });
    expect(violationsOf(result)[0]?.expected).toMatch(/entries 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 4990 more$/);
  });
});

describe('findDuplicateIds', () => {
  it('finds what occurs more than once, names of Object.prototype included', () => {
    const entries = [
      { id: 'a' },
      { id: '__proto__' },
      { id: 'constructor' },
      null,
      { id: 7 },
      { id: 7 },
      { id: 'a' },
      JSON.parse('{"id":"__proto__"}'),
      Object.create({ id: 'constructor' }),
    ];
    expect([...findDuplicateIds(entries)]).toEqual([
      ['a', [0, 6]],
      ['__proto__', [1, 7]],
    ]);
  });

  it('tells apart what only looks alike', () => {
    expect(findDuplicateIds([{ id: 'é' }, { id: 'e\u0301' }, { id: 'É' }]).size).toBe(0);
  });
});

describe('the other documents', () => {
  const request = { caller: { id: 'c', type: 'service' }, skill_id: 's', inputs: {} };
  const response = { execution_id: 'e', status: 'accepted', skill_id: 's', timestamps: {} };
  const envelope = { error: { code: 'X', message: 'y', retry: { suggested_delay_ms: 5 } } };

  it('accepts minimal ones', () => {
    expect(validateInvocationRequest(request)).toEqual({ ok: true, value: request });
    expect(validateInvocationResponse(response)).toEqual({ ok: true, value: response });
    expect(validateErrorEnvelope(envelope)).toEqual({ ok: true, value: envelope });
    expect(validateProtocolVersion({ version: '0.0.0' })).toEqual({ ok: true, value: { version: '0.0.0' } });
    expect(validateSkillIndexEntry(validEntry()).ok).toBe(true);
  });

  it('names what is wrong with each', () => {
    expect(
      fieldsOf(validateInvocationRequest({ ...request, inputs: [], context: { priority: null } })),
    ).toEqual(['/context/priority', '/inputs']);
    expect(
      violationsOf(validateInvocationRequest({ ...request, context: { priority: true } })),
    ).toMatchObject([{ expected: 'string or number', actual: 'boolean true' }]);
    expect(fieldsOf(validateInvocationResponse({ ...response, timestamps: { accepted: 5 } }))).toEqual([
      '/timestamps/accepted',
    ]);
    expect(fieldsOf(validateErrorEnvelope({ error: { retry: { max_attempts: '3' } } }))).toEqual([
      '/error/code',
      '/error/message',
      '/error/retry/max_attempts',
    ]);
    expect(fieldsOf(validateSkillIndexEntry(null))).toEqual(['']);
  });
});
