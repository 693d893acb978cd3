export { canonicalJson } from './canonical.ts';
export { CLAIM_CODES, claimWarnings } from './claims.ts';
export { contentHash, contentOf } from './content.ts';
export {
  type IndexReading,
  judgeEntry,
  parse,
  parseIndex,
  type Reading,
  type ReadOptions,
  serialize,
} from './documents.ts';
export { type ParsedDomain, parseDomain, wellKnownUrl } from './domain.ts';
export type { InvocationOutcome } from './invocation-outcome.ts';
export {
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_STRING_LENGTH,
  type JsonLimits,
  type ParsedJson,
  parseJson,
} from './json.ts';
export { jsonPointer, ownMember, valueAt } from './json-pointer.ts';
export { lintDescriptor, lintIndex, unsafeTextWarnings } from './lint.ts';
export * from './outcomes.ts';
export { createReport, type ReportBuilder } from './report.ts';
export {
  authConfigSchema,
  errorEnvelopeSchema,
  invocationEndpointSchema,
  invocationRequestSchema,
  invocationResponseSchema,
  type JsonSchema,
  outputDefinitionSchema,
  parameterDefinitionSchema,
  protocolVersionSchema,
  providerSchema,
  skillDescriptorSchema,
  skillIndexEntrySchema,
  skillIndexSchema,
} from './schema.ts';
export { loadSkeleton, mixesScripts, skeleton } from './skeleton.ts';
export { cleanText, excerpt, hasUnsafeText, neutralize, show } from './text.ts';
export type * from './types.ts';
export {
  isSameSite,
  type ParsedUrl,
  parseHttpUrl,
  withoutQuery,
} from './url.ts';
export {
  findDuplicateIds,
  type Validation,
  validateErrorEnvelope,
  validateInvocationRequest,
  validateInvocationResponse,
  validateProtocolVersion,
  validateSkillDescriptor,
  validateSkillIndex,
  validateSkillIndexEntry,
} from './validate.ts';
export {
  checkVersion,
  PROTOCOL_VERSION,
  type VersionJudgement,
} from './version.ts';
