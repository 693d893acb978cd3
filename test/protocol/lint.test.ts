import { describe, expect, it } from 'vitest';
import { completeDescriptor, validDescriptor, validEntry, validIndex } from '../../mocks/documents.ts';
import {
  lintDescriptor,
  lintIndex,
  MAX_VIOLATIONS,
  type SkillDescriptor,
  type Warning,
} from '../../src/protocol/index.ts';

const brief = (warnings: Warning[]) => warnings.map(({ code, field }) => `${code} ${field}`);
const lint = (overrides: Partial<SkillDescriptor>) => brief(lintDescriptor(validDescriptor(overrides)));

it('has nothing to say about a good document', () => {
  expect(lintDescriptor(completeDescriptor())).toEqual([]);
  expect(lintIndex(validIndex())).toEqual([]);
});

it('says what is wrong and where', () => {
  expect(lintDescriptor(validDescriptor({ created_at: 'yesterday' }))).toEqual([
    {
      code: 'INVALID_DATE',
      message: '/created_at is not an ISO 8601 date or time.',
      field: '/created_at',
    },
  ]);
});

describe('lintDescriptor', () => {
  it('finds blank text', () => {
    expect(lint({ name: ' ', description: '', provider: { name: '\n' } })).toEqual([
      'EMPTY_TEXT /name',
      'EMPTY_TEXT /description',
      'EMPTY_TEXT /provider/name',
    ]);
  });

  it('finds deceptive text', () => {
    expect(
      lint({
        name: 'a\u202eb',
        description: 'a\u001b[2J',
        provider: { name: 'a\u200bb' },
        tags: ['fine', 'a\u{e0041}'],
      }),
    ).toEqual([
      'UNSAFE_TEXT /name',
      'UNSAFE_TEXT /description',
      'UNSAFE_TEXT /provider/name',
      'UNSAFE_TEXT /tags/1',
    ]);
  });

  it('finds URLs that cannot be followed', () => {
    expect(
      lint({
        protocol: { version: '1.0.0', changelog_url: 'CHANGES' },
        provider: { name: 'x', url: 'javascript:alert(1)' },
        documentation_url: '',
        endpoint: {
          url: '/run',
          status_url: 'https://x.example/{execution_id}',
          result_url: '{execution_id}',
        },
        auth: { type: 'oauth2', oauth2: { authorization_url: 'a', token_url: 'b', scopes: {} } },
      }),
    ).toEqual([
      'INVALID_URL /protocol/changelog_url',
      'INVALID_URL /provider/url',
      'INVALID_URL /documentation_url',
      'INVALID_URL /endpoint/url',
      'INVALID_URL /endpoint/result_url',
      'INVALID_URL /auth/oauth2/authorization_url',
      'INVALID_URL /auth/oauth2/token_url',
    ]);
    const status_url = 'https://{execution_id}.example.com/';
    expect(lint({ endpoint: { url: 'https://x.example', status_url } })).toEqual([]);
  });

  it.each([
    '2025-01-31',
    '2024-02-29',
    '2000-02-29',
    '2025-01-31T23:59',
    '2025-01-31T23:59:60Z',
    '2025-01-31T00:00:00.123456Z',
    '2025-01-31T00:00:00,5+05:30',
    '2025-01-31T00:00:00-08',
  ])('takes %s for a date', (created_at) => expect(lint({ created_at })).toEqual([]));

  it.each([
    '',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-01-31 12:00:00',
    '2025-01-31T24:00',
    '2025-01-31T12:60Z',
    '31.01.2025',
    '1738281600',
    '2025-01-31T12:00:00Z\n',
  ])('does not take %j for a date', (updated_at) => {
    expect(lint({ updated_at })).toEqual(['INVALID_DATE /updated_at']);
  });

  it('misses the details of the authentication', () => {
    expect(lint({ auth: { type: 'oauth2' } })).toEqual(['AUTH_DETAILS_MISSING /auth/oauth2']);
    expect(lint({ auth: { type: 'custom' } })).toEqual(['AUTH_DETAILS_MISSING /auth/custom']);
    expect(lint({ auth: { type: 'api_key' } })).toEqual([]);
  });

  it('finds parameters of one name', () => {
    const parameters = ['a', '__proto__', 'a', 'b', '__proto__'].map((name) => ({ name }));
    expect(
      lint({ inputs: parameters, auth: { type: 'custom', custom: { instructions: 'x', parameters } } }),
    ).toEqual([
      'DUPLICATE_PARAMETER /inputs/2/name',
      'DUPLICATE_PARAMETER /inputs/4/name',
      'DUPLICATE_PARAMETER /auth/custom/parameters/2/name',
      'DUPLICATE_PARAMETER /auth/custom/parameters/4/name',
    ]);
  });

  it('does not go on without end', () => {
    expect(lint({ tags: Array.from({ length: 1000 }, () => '\u202e') })).toHaveLength(MAX_VIOLATIONS);
  });
});

it('lints an index and its entries', () => {
  const skills = [validEntry(), validEntry({ name: '', description: '\u0007', descriptor_url: 'a.json' })];
  expect(brief(lintIndex(validIndex({ skills, provider: { name: '\u202e', url: 'x' } })))).toEqual([
    'EMPTY_TEXT /skills/1/name',
    'UNSAFE_TEXT /provider/name',
    'UNSAFE_TEXT /skills/1/description',
    'INVALID_URL /provider/url',
    'INVALID_URL /skills/1/descriptor_url',
  ]);
});
