export {
  type Client,
  type ClientOptions,
  type Credential,
  type Credentials,
  createClient,
  type RequestOptions,
} from './client/index.ts';
export { type Clock, systemClock } from './clock.ts';
export type { DescriptorOrigins, Domains } from './crawl/index.ts';
export { ERROR_CODES, type ErrorCode, type Failure, isSkillscoutError, SkillscoutError } from './errors.ts';
export * from './protocol/index.ts';
export { createMemoryStore, type FindQuery, type GetQuery, type Page, type Store } from './registry/index.ts';
export type { CacheMode, CacheStore } from './transport/index.ts';
export { VERSION } from './version.ts';
