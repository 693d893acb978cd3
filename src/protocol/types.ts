/**
 * The protocol's documents as TypeScript types (protocol sections 2, 3, 5 and 6).
 *
 * Members the protocol does not name are legal at every level: a 1.0 consumer reads a 1.9 document. Each structure says so
 * with an index signature. A `string` that carries a lexical rule beyond "any string" has a named alias, since TypeScript
 * cannot express the rule itself; `schema.ts` holds the rule under the same name.
 */

/** Any JSON value (RFC 8259). */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [member: string]: JsonValue };

/** 1 to 512 Unicode characters, well-formed, none of them a control character. */
export type SkillId = string;
/** Semantic version 2.0.0, at most 256 characters; pre-release and build are allowed. */
export type SemVer = string;
/** Exactly `MAJOR.MINOR.PATCH`: three non-negative integers without leading zeros (property 9). */
export type ProtocolSemVer = string;

/** Kinds of capability (property 2). */
export type CapabilityType = 'plugin' | 'api' | 'knowledge' | 'task';
/** Who may see and use a skill (property 2). */
export type AccessLevel = 'public' | 'restricted' | 'private';
/** How an endpoint authenticates its callers (property 2). */
export type AuthType = 'api_key' | 'oauth2' | 'custom' | 'none';

export interface ProtocolVersion {
  version: ProtocolSemVer;
  changelog_url?: string;
  [member: string]: unknown;
}

export interface Provider {
  name: string;
  url?: string;
  [member: string]: unknown;
}

/** One line of a {@link SkillIndex}. */
export interface SkillIndexEntry {
  id: SkillId;
  name: string;
  capability_type: CapabilityType;
  description: string;
  descriptor_url: string;
  access: AccessLevel;
  version: SemVer;
  [member: string]: unknown;
}

/** The document at `/.well-known/skill-sharing`. */
export interface SkillIndex {
  protocol: ProtocolVersion;
  provider: Provider;
  skills: SkillIndexEntry[];
  [member: string]: unknown;
}

export interface InvocationEndpoint {
  /** Absolute URI that takes the InvocationRequest. */
  url: string;
  /** Default `POST`. */
  method?: string;
  content_type?: string;
  /** May hold `{execution_id}`; otherwise the id is appended after a slash. */
  status_url?: string;
  /** May hold `{execution_id}`; otherwise the id is appended after a slash. */
  result_url?: string;
  [member: string]: unknown;
}

export interface ParameterDefinition {
  name: string;
  type?: string;
  description?: string;
  required?: boolean;
  default?: JsonValue;
  enum?: JsonValue[];
  /** A JSON Schema from the publisher: hostile input, never compiled here. */
  schema?: JsonValue;
  [member: string]: unknown;
}

export interface OutputDefinition {
  type?: string;
  description?: string;
  content_type?: string;
  /** A JSON Schema from the publisher: hostile input, never compiled here. */
  schema?: JsonValue;
  [member: string]: unknown;
}

export interface OAuth2Config {
  authorization_url: string;
  token_url: string;
  /** Scope name to description. */
  scopes: Record<string, string>;
  [member: string]: unknown;
}

export interface CustomAuthConfig {
  instructions: string;
  parameters: ParameterDefinition[];
  [member: string]: unknown;
}

export interface AuthConfig {
  type: AuthType;
  description?: string;
  /** For `api_key`: the request header that carries the key. */
  header?: string;
  /** For `oauth2`. */
  oauth2?: OAuth2Config;
  /** For `custom`. */
  custom?: CustomAuthConfig;
  [member: string]: unknown;
}

/** Everything a consumer needs to know about one skill (properties 1 and 2). */
export interface SkillDescriptor {
  protocol: ProtocolVersion;
  id: SkillId;
  name: string;
  /** The skill's own version; it plays no part in protocol compatibility. */
  version: SemVer;
  capability_type: CapabilityType;
  description: string;
  provider: Provider;
  endpoint: InvocationEndpoint;
  inputs: ParameterDefinition[];
  output: OutputDefinition;
  auth: AuthConfig;
  access: AccessLevel;
  tags?: string[];
  documentation_url?: string;
  /** ISO 8601. */
  created_at?: string;
  /** ISO 8601. */
  updated_at?: string;
  [member: string]: unknown;
}

export interface Caller {
  id: string;
  /** `ifay`, `service` and `user` are in use; others are legal. */
  type: string;
  credentials?: JsonValue;
  [member: string]: unknown;
}

export interface InvocationContext {
  trace_id?: string;
  priority?: string | number;
  timeout_ms?: number;
  [member: string]: unknown;
}

/** What is sent to an endpoint (property 8). */
export interface InvocationRequest {
  caller: Caller;
  skill_id: SkillId;
  inputs: Record<string, JsonValue>;
  context?: InvocationContext;
  [member: string]: unknown;
}

export interface RetryAdvice {
  suggested_delay_ms?: number;
  max_attempts?: number;
  [member: string]: unknown;
}

export interface ProtocolError {
  code: string;
  message: string;
  details?: JsonValue;
  retry?: RetryAdvice;
  [member: string]: unknown;
}

/** What an endpoint answers (property 8). */
export interface InvocationResponse {
  execution_id: string;
  /** `accepted`, `running`, `completed`, `failed` and `cancelled` are in use; others are legal. */
  status: string;
  skill_id: SkillId;
  /** Name of the moment to ISO 8601 time. */
  timestamps: Record<string, string>;
  output?: JsonValue;
  error?: ProtocolError;
  [member: string]: unknown;
}

/** The body of every error answer (protocol section 6). */
export interface ErrorEnvelope {
  error: ProtocolError;
  [member: string]: unknown;
}
