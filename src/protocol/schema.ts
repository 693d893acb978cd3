/**
 * The protocol's documents as JSON Schema, draft 2020-12: the same structures as `types.ts`, member for member.
 *
 * They hold structure, enumerations, required members and the lexical rules of {@link SkillId}, {@link SemVer} and
 * {@link ProtocolSemVer}, and nothing else: members that are not named are legal, and URLs and dates are judged by code
 * (`url.ts`, `lint.ts`). The validators in `generated/` are compiled from this file by `npm run generate`.
 */

/** The few keywords that the protocol's schemas use. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
}

const NUMBER = '(?:0|[1-9][0-9]*)';
const PRERELEASE = '(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)';
const BUILD = '[0-9A-Za-z-]+';

/**
 * The rules of the named string types, each under its type's name.
 * Lengths stand in the patterns, because `maxLength` would make the compiled validators import their compiler.
 */
export const LEXICAL_RULES = {
  SkillId: {
    type: 'string',
    pattern: '^[^\\p{Cc}\\p{Cs}]{1,512}$',
    description: '1 to 512 Unicode characters without control characters',
  },
  SemVer: {
    type: 'string',
    pattern:
      `^(?=.{5,256}$)${NUMBER}\\.${NUMBER}\\.${NUMBER}` +
      `(?:-${PRERELEASE}(?:\\.${PRERELEASE})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`,
    description: 'a semantic version such as 1.2.3 or 1.2.3-beta.1, at most 256 characters',
  },
  ProtocolSemVer: {
    type: 'string',
    pattern: `^${NUMBER}\\.${NUMBER}\\.${NUMBER}$`,
    description: 'MAJOR.MINOR.PATCH, three non-negative integers',
  },
} satisfies Record<string, JsonSchema>;

const { SkillId: skillId, SemVer: semVer, ProtocolSemVer: protocolSemVer } = LEXICAL_RULES;
const anything: JsonSchema = {};
const string: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'number' };
const capabilityType: JsonSchema = {
  enum: ['plugin', 'api', 'knowledge', 'task'],
};
const accessLevel: JsonSchema = { enum: ['public', 'restricted', 'private'] };
const authType: JsonSchema = { enum: ['api_key', 'oauth2', 'custom', 'none'] };

const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const dictionary = (values: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties: values,
});
const structure = (
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const published = (name: string, schema: JsonSchema): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `urn:skill-sharing:1:${name}`,
  ...schema,
});

const protocolVersion = structure({ version: protocolSemVer }, { changelog_url: string });
const provider = structure({ name: string }, { url: string });
const invocationEndpoint = structure(
  { url: string },
  {
    method: string,
    content_type: string,
    status_url: string,
    result_url: string,
  },
);
const parameterDefinition = structure(
  { name: string },
  {
    type: string,
    description: string,
    required: { type: 'boolean' },
    default: anything,
    enum: list(anything),
    schema: anything,
  },
);
const outputDefinition = structure(
  {},
  { type: string, description: string, content_type: string, schema: anything },
);
const authConfig = structure(
  { type: authType },
  {
    description: string,
    header: string,
    oauth2: structure({
      authorization_url: string,
      token_url: string,
      scopes: dictionary(string),
    }),
    custom: structure({
      instructions: string,
      parameters: list(parameterDefinition),
    }),
  },
);
const protocolError = structure(
  { code: string, message: string },
  {
    details: anything,
    retry: structure({}, { suggested_delay_ms: number, max_attempts: number }),
  },
);
const skillIndexEntry = structure({
  id: skillId,
  name: string,
  capability_type: capabilityType,
  description: string,
  descriptor_url: string,
  access: accessLevel,
  version: semVer,
});

export const protocolVersionSchema = published('protocol-version', protocolVersion);
export const providerSchema = published('provider', provider);
export const invocationEndpointSchema = published('invocation-endpoint', invocationEndpoint);
export const parameterDefinitionSchema = published('parameter-definition', parameterDefinition);
export const outputDefinitionSchema = published('output-definition', outputDefinition);
export const authConfigSchema = published('auth-config', authConfig);
export const skillIndexEntrySchema = published('skill-index-entry', skillIndexEntry);

/** The document at `/.well-known/skill-sharing`. That no two entries share an id is beyond JSON Schema: see `validateSkillIndex`. */
export const skillIndexSchema = published(
  'skill-index',
  structure({
    protocol: protocolVersion,
    provider,
    skills: list(skillIndexEntry),
  }),
);

/** A skill index with whatever entries: those are judged one by one. Not published. */
export const skillIndexShellSchema = published(
  'skill-index-shell',
  structure({ protocol: protocolVersion, provider, skills: list(anything) }),
);

export const skillDescriptorSchema = published(
  'skill-descriptor',
  structure(
    {
      protocol: protocolVersion,
      id: skillId,
      name: string,
      version: semVer,
      capability_type: capabilityType,
      description: string,
      provider,
      endpoint: invocationEndpoint,
      inputs: list(parameterDefinition),
      output: outputDefinition,
      auth: authConfig,
      access: accessLevel,
    },
    {
      tags: list(string),
      documentation_url: string,
      created_at: string,
      updated_at: string,
    },
  ),
);

export const invocationRequestSchema = published(
  'invocation-request',
  structure(
    {
      caller: structure({ id: string, type: string }, { credentials: anything }),
      skill_id: skillId,
      inputs: dictionary(anything),
    },
    {
      context: structure(
        {},
        {
          trace_id: string,
          priority: { type: ['string', 'number'] },
          timeout_ms: number,
        },
      ),
    },
  ),
);

export const invocationResponseSchema = published(
  'invocation-response',
  structure(
    {
      execution_id: string,
      status: string,
      skill_id: skillId,
      timestamps: dictionary(string),
    },
    { output: anything, error: protocolError },
  ),
);

export const errorEnvelopeSchema = published('error-envelope', structure({ error: protocolError }));
