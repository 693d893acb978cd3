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
export {
  type ApplyResult,
  createMemoryStore,
  type FindQuery,
  type GetQuery,
  type MemoryStoreOptions,
  type Page,
  type ProviderUpdate,
  type SkillKey,
  type Store,
  type StoredSkill,
  type StorePage,
  type StoreQuery,
} from './registry/index.ts';
export type { CacheMode, CacheStore } from './transport/index.ts';
export { VERSION } from './version.ts';
