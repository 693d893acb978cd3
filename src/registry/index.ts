export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { FindQuery, GetQuery } from './query.ts';
export { createRegistry, type Page, type Registry } from './registry.ts';
export type {
  ApplyResult,
  ProviderUpdate,
  SkillKey,
  Store,
  StoredSkill,
  StorePage,
  StoreQuery,
} from './store.ts';
export { tokenize } from './tokenize.ts';
