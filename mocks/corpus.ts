import {
  changed,
  completeDescriptor,
  HOSTILE_TEXT,
  validDescriptor,
  validEntry,
  validIndex,
  withUnknownMembers,
} from './documents.ts';

/** A document that every 1.x consumer must accept. */
export interface ValidDocument {
  /** What is special about it. */
  why: string;
  document: unknown;
}

/** A document that breaks the schema. */
export interface InvalidDocument extends ValidDocument {
  /** JSON Pointers (RFC 6901) to all members that are missing or wrong, and to no others. */
  fields: readonly string[];
}

const UNUSUAL_IDS = [
  'x',
  '__proto__',
  'constructor',
  '..',
  'a/b?c#d',
  '\u0430pi',
  '\u{1f600}',
  'x'.repeat(512),
];

/** Valid descriptors, each with one thing that a careless consumer trips over. */
export const VALID_DESCRIPTORS: readonly ValidDocument[] = [
  { why: 'the twelve required members', document: validDescriptor() },
  { why: 'every member the protocol names', document: completeDescriptor() },
  {
    why: 'a later minor version',
    document: validDescriptor({ protocol: { version: '1.9.0' } }),
  },
  {
    why: 'unknown members at every level',
    document: withUnknownMembers(completeDescriptor()),
  },
  {
    why: 'a pre-release with build',
    document: validDescriptor({ version: '2.0.0-rc.1+build.5' }),
  },
  {
    why: 'nothing in, nothing out',
    document: validDescriptor({ inputs: [], output: {}, tags: [] }),
  },
  {
    why: 'hostile text',
    document: validDescriptor({
      name: HOSTILE_TEXT,
      description: HOSTILE_TEXT,
    }),
  },
  {
    why: 'empty texts',
    document: validDescriptor({ name: '', description: '' }),
  },
  ...UNUSUAL_IDS.map((id) => ({
    why: `id ${id.slice(0, 20)}`,
    document: validDescriptor({ id }),
  })),
];

/** Valid indexes. */
export const VALID_INDEXES: readonly ValidDocument[] = [
  { why: 'one entry', document: validIndex() },
  { why: 'no entries', document: validIndex({ skills: [] }) },
  {
    why: 'a later minor version',
    document: validIndex({ protocol: { version: '1.9.0' } }),
  },
  {
    why: 'unknown members at every level',
    document: withUnknownMembers(validIndex()),
  },
  {
    why: 'unusual ids',
    document: validIndex({
      skills: UNUSUAL_IDS.map((id) => validEntry({ id })),
    }),
  },
];

/** Descriptors that break the schema: every required member missing once, every kind of wrong value. */
export const INVALID_DESCRIPTORS: readonly InvalidDocument[] = [
  ...without(completeDescriptor(), [
    ...Object.keys(validDescriptor()).map((member) => `/${member}`),
    '/protocol/version',
    '/provider/name',
    '/endpoint/url',
    '/inputs/1/name',
    '/auth/type',
    '/auth/oauth2/authorization_url',
    '/auth/oauth2/token_url',
    '/auth/oauth2/scopes',
    '/auth/custom/instructions',
    '/auth/custom/parameters',
    '/auth/custom/parameters/0/name',
  ]),
  ...instead(completeDescriptor(), {
    '/protocol': ['1.0.0', null],
    '/protocol/version': ['', '1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-beta', '1.0.0.0', ' 1.0.0', '-1.0.0', 1],
    '/id': ['', 7, '\u0007', '\ud800', 'x'.repeat(513)],
    '/name': [null, ['Translate']],
    '/version': ['1.0', 'v1.0.0', '1.0.0-01', '1.0.0+', 1],
    '/capability_type': ['tool', 'API', '', null],
    '/provider': ['Example'],
    '/endpoint/status_url': [false],
    '/inputs': [{}, null],
    '/inputs/1': ['text'],
    '/inputs/1/required': ['yes'],
    '/inputs/1/enum': ['formal'],
    '/output': [[], 'string'],
    '/auth/type': ['basic', 'OAuth2'],
    '/auth/oauth2/scopes': [['translate']],
    '/auth/oauth2/scopes/translate': [1],
    '/access': ['secret', 'Public'],
    '/tags': ['language'],
    '/tags/1': [2],
    '/created_at': [1740819600],
  }),
  {
    why: 'several members at once',
    document: changed(
      changed(changed(validDescriptor(), '/access'), '/auth/type', 'basic'),
      '/inputs/0/name',
    ),
    fields: ['/access', '/auth/type', '/inputs/0/name'],
  },
  {
    why: 'a required member only in __proto__',
    document: {
      ...JSON.parse('{"__proto__":{"access":"public"}}'),
      ...changed(validDescriptor(), '/access'),
    },
    fields: ['/access'],
  },
  { why: 'null', document: null, fields: [''] },
  { why: 'an array', document: [validDescriptor()], fields: [''] },
  { why: 'a text', document: 'com.example.translate-v1', fields: [''] },
];

/** Indexes that break the schema. */
export const INVALID_INDEXES: readonly InvalidDocument[] = [
  ...without(validIndex(), [
    '/protocol',
    '/protocol/version',
    '/provider',
    '/provider/name',
    '/skills',
    ...Object.keys(validEntry()).map((member) => `/skills/0/${member}`),
  ]),
  ...instead(validIndex(), {
    '/protocol/version': ['1.0', '1.0.0-beta'],
    '/provider/url': [null],
    '/skills': [{}, null],
    '/skills/0': [null, 'com.example.translate-v1'],
    '/skills/0/id': ['', 7, '\ud800'],
    '/skills/0/capability_type': ['tool'],
    '/skills/0/access': ['PUBLIC'],
    '/skills/0/version': ['1'],
    '/skills/0/descriptor_url': [null],
  }),
  {
    why: 'one entry of fifty lacks a member',
    document: changed(
      validIndex({
        skills: Array.from({ length: 50 }, (_, n) => validEntry({ id: `skill-${n}` })),
      }),
      '/skills/6/access',
    ),
    fields: ['/skills/6/access'],
  },
  {
    why: 'two entries of one id',
    document: validIndex({ skills: ['a', 'b', 'a'].map((id) => validEntry({ id })) }),
    fields: ['/skills/0/id', '/skills/2/id'],
  },
  { why: 'an array', document: [validEntry()], fields: [''] },
];

function without(document: unknown, pointers: readonly string[]): InvalidDocument[] {
  return pointers.map((pointer) => ({
    why: `${pointer} is missing`,
    document: changed(document, pointer),
    fields: [pointer],
  }));
}

function instead(document: unknown, values: Record<string, readonly unknown[]>): InvalidDocument[] {
  return Object.entries(values).flatMap(([pointer, wrong]) =>
    wrong.map((value) => ({
      why: `${pointer} is ${JSON.stringify(value).slice(0, 30)}`,
      document: changed(document, pointer, value),
      fields: [pointer],
    })),
  );
}
