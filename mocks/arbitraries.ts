import * as fc from 'fast-check';
import type {
  AccessLevel,
  AuthConfig,
  AuthType,
  Caller,
  CapabilityType,
  CustomAuthConfig,
  InvocationContext,
  InvocationEndpoint,
  InvocationRequest,
  InvocationResponse,
  JsonValue,
  OAuth2Config,
  OutputDefinition,
  ParameterDefinition,
  ProtocolError,
  ProtocolVersion,
  Provider,
  RetryAdvice,
  SkillDescriptor,
  SkillIndex,
  SkillIndexEntry,
} from '../src/protocol/index.ts';
import type { ProviderOptions } from './provider.ts';

type KnownKeys<T> = keyof {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};
type OptionalKeys<T> = {
  [K in KnownKeys<T>]-?: Record<never, never> extends Pick<T, K> ? K : never;
}[KnownKeys<T>];
type Arbitraries<T, K extends keyof T> = {
  [P in K]-?: fc.Arbitrary<Exclude<T[P], undefined>>;
};

/** Arbitraries for some of the members of `T`; each one named replaces the usual one and makes the member present. */
export type Overrides<T> = Partial<Arbitraries<T, KnownKeys<T>>>;

const ODD_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'x-note'];
const ODD_TEXTS = [
  ...ODD_NAMES,
  '',
  '\u0000\u001b[2J',
  '\u202eright to left',
  '\ufeffbyte order mark',
  'e\u0301 and \u00e9',
  '\u{1f600}\u{10ffff}',
  '\u2028\u2029',
];

/** Any string without lone surrogates: such a string survives UTF-8. */
function text(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.string() },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  );
}

/** Any string of UTF-16 code units, lone surrogates among them. */
function codeUnits(): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }));
  return fc.array(unit, { maxLength: 8 }).map((units) => String.fromCharCode(...units));
}

/** `Object.fromEntries` defines members and never assigns them, so that `__proto__` becomes an own one. */
function object<T>(
  name: fc.Arbitrary<string>,
  value: fc.Arbitrary<T>,
  maxLength: number,
): fc.Arbitrary<Record<string, T>> {
  return fc
    .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength })
    .map((members) => Object.fromEntries(members));
}

/**
 * Any JSON value, at most four levels deep: with -0, numbers of every size, `__proto__` and `constructor` as own members,
 * control, astral and bidirectional characters. Strings are well-formed Unicode unless `loneSurrogates` is set.
 */
export function jsonValue(options: { loneSurrogates?: boolean } = {}): fc.Arbitrary<JsonValue> {
  const string = options.loneSurrogates ? fc.oneof(text(), codeUnits()) : text();
  const number = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(-0, 2 ** 53, 5e-324, Number.MAX_VALUE),
  );
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, false, true),
      number,
      string,
      fc.array(tie('value'), { maxLength: 4 }),
      object(fc.oneof(string, fc.constantFrom(...ODD_NAMES)), tie('value'), 4),
    ),
  })).value;
}

/** A structure of the protocol: its own members, and some that the protocol does not name. */
function structure<T>(
  required: Arbitraries<T, Exclude<KnownKeys<T>, OptionalKeys<T>>>,
  optional: Arbitraries<T, OptionalKeys<T>>,
): fc.Arbitrary<T> {
  const names = new Set([...Object.keys(required), ...Object.keys(optional)]);
  const unknownName = fc.oneof(text(), fc.constantFrom(...ODD_NAMES)).filter((name) => !names.has(name));
  const known = fc.record<Record<string, unknown>>(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required), noNullPrototype: true },
  );
  return fc
    .tuple(
      fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: object(unknownName, jsonValue(), 2) },
      ),
      known,
    )
    .map(([unknown, members]) => ({ ...unknown, ...members }) as T);
}

const capabilityType = () => fc.constantFrom<CapabilityType>('plugin', 'api', 'knowledge', 'task');
const accessLevel = () => fc.constantFrom<AccessLevel>('public', 'restricted', 'private');
const label = () => fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);

/** An absolute https URL; host names may be international. */
function httpsUrl(): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.webUrl({
        validSchemes: ['https'],
        withQueryParameters: true,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('https://b\u00fccher.example/skills', 'https://a.example:8443/'),
    },
  );
}

function executionUrl(): fc.Arbitrary<string> {
  return fc.oneof(
    httpsUrl(),
    label().map((path) => `https://api.example/${path}/{execution_id}`),
  );
}

/** ISO 8601: a date, or a time in UTC or with an offset. */
function timestamp(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.date({
        min: new Date('1970-01-01'),
        max: new Date('2100-01-01'),
        noInvalidDate: true,
      }),
      fc.constantFrom('date', 'utc', 'offset'),
    )
    .map(([date, form]) => {
      const iso = date.toISOString();
      return form === 'date' ? iso.slice(0, 10) : form === 'utc' ? iso : iso.replace('Z', '+05:30');
    });
}

/**
 * A legal skill id: reverse-domain and bare names, names of `Object.prototype`, look-alikes, dot segments, slashes,
 * any Unicode but control characters and lone surrogates, and the longest one of 512 characters.
 */
export function skillId(): fc.Arbitrary<string> {
  const version = fc.integer({ min: 1, max: 9 });
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(label(), label(), version).map(([a, b, n]) => `com.${a}.${b}-v${n}`),
    },
    { weight: 3, arbitrary: label() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...ODD_NAMES,
        '.',
        '..',
        'a/b?c#d',
        '%2e%2e',
        ' ',
        '\u0430pi',
        '\u202eapi',
        '\u{1f600}',
        'x'.repeat(512),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: 'binary', minLength: 1 })
        .map((id) => id.replace(/\p{Cc}/gu, ''))
        .filter((id) => id !== ''),
    },
  );
}

const versionNumber = () =>
  fc.oneof({ weight: 9, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.maxSafeNat() });

/** `MAJOR.MINOR.PATCH` (property 9), with this MAJOR or any. */
export function protocolSemVer(major?: number): fc.Arbitrary<string> {
  return fc
    .tuple(major === undefined ? versionNumber() : fc.constant(major), versionNumber(), versionNumber())
    .map((numbers) => numbers.join('.'));
}

/** Semantic version 2.0.0 with or without pre-release and build. */
export function semVer(): fc.Arbitrary<string> {
  const preRelease = fc.oneof(
    fc.nat(99).map(String),
    fc.stringMatching(/^[0-9]{0,2}[A-Za-z-][0-9A-Za-z-]{0,5}$/),
  );
  const build = fc.stringMatching(/^[0-9A-Za-z-]{1,8}$/);
  const suffix = (mark: string, part: fc.Arbitrary<string>) =>
    fc.array(part, { maxLength: 3 }).map((parts) => (parts.length === 0 ? '' : mark + parts.join('.')));
  return fc
    .tuple(protocolSemVer(), suffix('-', preRelease), suffix('+', build))
    .map((parts) => parts.join(''));
}

/** The `protocol` member, with this MAJOR or any. */
export function protocolVersion(major?: number): fc.Arbitrary<ProtocolVersion> {
  return structure<ProtocolVersion>({ version: protocolSemVer(major) }, { changelog_url: httpsUrl() });
}

/** The `provider` member of an index or a descriptor. */
export function provider(): fc.Arbitrary<Provider> {
  return structure<Provider>({ name: text() }, { url: httpsUrl() });
}

function endpoint(): fc.Arbitrary<InvocationEndpoint> {
  return structure<InvocationEndpoint>(
    { url: httpsUrl() },
    {
      method: fc.constantFrom('POST', 'PUT', 'GET'),
      content_type: fc.constantFrom('application/json', 'application/json; charset=utf-8'),
      status_url: executionUrl(),
      result_url: executionUrl(),
    },
  );
}

/** One of a skill's `inputs`, or of the parameters of custom authentication. */
export function parameterDefinition(): fc.Arbitrary<ParameterDefinition> {
  return structure<ParameterDefinition>(
    { name: text() },
    {
      type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'file'),
      description: text(),
      required: fc.boolean(),
      default: jsonValue(),
      enum: fc.array(jsonValue(), { maxLength: 3 }),
      schema: jsonValue(),
    },
  );
}

/** A skill's `output`. */
export function outputDefinition(): fc.Arbitrary<OutputDefinition> {
  return structure<OutputDefinition>(
    {},
    {
      type: fc.constantFrom('string', 'object', 'array'),
      description: text(),
      content_type: fc.constantFrom('application/json', 'text/plain', 'image/png'),
      schema: jsonValue(),
    },
  );
}

/** A skill's `auth`, of any type, with or without the members that go with it. */
export function authConfig(): fc.Arbitrary<AuthConfig> {
  return structure<AuthConfig>(
    { type: fc.constantFrom<AuthType>('api_key', 'oauth2', 'custom', 'none') },
    {
      description: text(),
      header: fc.constantFrom('X-API-Key', 'Authorization'),
      oauth2: structure<OAuth2Config>(
        {
          authorization_url: httpsUrl(),
          token_url: httpsUrl(),
          scopes: object(text(), text(), 3),
        },
        {},
      ),
      custom: structure<CustomAuthConfig>(
        {
          instructions: text(),
          parameters: fc.array(parameterDefinition(), { maxLength: 2 }),
        },
        {},
      ),
    },
  );
}

/** A valid descriptor that a 1.x consumer accepts. */
export function skillDescriptor(overrides: Overrides<SkillDescriptor> = {}): fc.Arbitrary<SkillDescriptor> {
  const descriptor = structure<SkillDescriptor>(
    {
      protocol: protocolVersion(1),
      id: skillId(),
      name: text(),
      version: semVer(),
      capability_type: capabilityType(),
      description: text(),
      provider: provider(),
      endpoint: endpoint(),
      inputs: fc.array(parameterDefinition(), { maxLength: 3 }),
      output: outputDefinition(),
      auth: authConfig(),
      access: accessLevel(),
    },
    {
      tags: fc.array(text(), { maxLength: 4 }),
      documentation_url: httpsUrl(),
      created_at: timestamp(),
      updated_at: timestamp(),
    },
  );
  return fc
    .tuple(descriptor, fc.record<Partial<SkillDescriptor>>(overrides, { noNullPrototype: true }))
    .map(([usual, chosen]) => ({ ...usual, ...chosen }));
}

/** One valid line of an index. */
export function skillIndexEntry(): fc.Arbitrary<SkillIndexEntry> {
  return structure<SkillIndexEntry>(
    {
      id: skillId(),
      name: text(),
      capability_type: capabilityType(),
      description: text(),
      descriptor_url: httpsUrl(),
      access: accessLevel(),
      version: semVer(),
    },
    {},
  );
}

/** A valid index that a 1.x consumer accepts; its ids are distinct (property 5). */
export function skillIndex(): fc.Arbitrary<SkillIndex> {
  return structure<SkillIndex>(
    {
      protocol: protocolVersion(1),
      provider: provider(),
      skills: fc.uniqueArray(skillIndexEntry(), {
        selector: (entry) => entry.id,
        maxLength: 6,
      }),
    },
    {},
  );
}

/** A valid request to an endpoint (property 8). */
export function invocationRequest(): fc.Arbitrary<InvocationRequest> {
  return structure<InvocationRequest>(
    {
      caller: structure<Caller>(
        {
          id: text(),
          type: fc.oneof(fc.constantFrom('ifay', 'service', 'user'), text()),
        },
        { credentials: jsonValue() },
      ),
      skill_id: skillId(),
      inputs: object(fc.oneof(text(), fc.constantFrom(...ODD_NAMES)), jsonValue(), 4),
    },
    {
      context: structure<InvocationContext>(
        {},
        {
          trace_id: text(),
          priority: fc.oneof(fc.constantFrom('low', 'high'), fc.integer()),
          timeout_ms: fc.nat(),
        },
      ),
    },
  );
}

/** A valid answer of an endpoint (property 8). */
export function invocationResponse(): fc.Arbitrary<InvocationResponse> {
  return structure<InvocationResponse>(
    {
      execution_id: text(),
      status: fc.oneof(fc.constantFrom('accepted', 'running', 'completed', 'failed', 'cancelled'), text()),
      skill_id: skillId(),
      timestamps: object(fc.oneof(label(), fc.constantFrom(...ODD_NAMES)), timestamp(), 3),
    },
    {
      output: jsonValue(),
      error: structure<ProtocolError>(
        { code: text(), message: text() },
        {
          details: jsonValue(),
          retry: structure<RetryAdvice>({}, { suggested_delay_ms: fc.nat(), max_attempts: fc.nat(10) }),
        },
      ),
    },
  );
}

/**
 * What `createProvider` needs for a provider with up to six skills of distinct ids, of every access and capability type,
 * with a token that opens its private ones. By default every second skill or so speaks another MAJOR protocol version;
 * give `skillDescriptor()` for a provider whose skills a 1.x consumer accepts.
 */
export function mockProvider(
  skill: fc.Arbitrary<SkillDescriptor> = skillDescriptor({
    protocol: fc.oneof(protocolVersion(1), protocolVersion()),
  }),
): fc.Arbitrary<ProviderOptions & { token: string }> {
  return fc.record(
    {
      domain: fc.nat(9999).map((n) => `provider-${n}.example`),
      name: text(),
      skills: fc.uniqueArray(skill, { selector: ({ id }) => id, maxLength: 6 }),
      token: fc.stringMatching(/^[A-Za-z0-9]{8,16}$/),
    },
    { noNullPrototype: true },
  );
}
