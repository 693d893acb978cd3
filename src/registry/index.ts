export { compareContent } from './compare.ts';
export { contentOf, toStored } from './document.ts';
export { passes, rankOf } from './matches.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { planProvider } from './plan-provider.ts';
export { type KnownSkill, planUpdate, type UpdatePlan } from './plan-update.ts';
export type { ChangesQuery, FindQuery, GetQuery, StatusQuery } from './query.ts';
export { createRegistry, type Page, type Registry, type SkillPage } from './registry.ts';
export type {
  ApplyResult,
  ChangePage,
  ChangePosition,
  ChangeQuery,
  FoundSkill,
  ProviderPage,
  ProviderPosition,
  ProviderQuery,
  ProviderUpdate,
  SkillKey,
  SkillPosition,
  Store,
  StoredChange,
  StoredEntry,
  StoredSkill,
  StorePage,
  StoreQuery,
} from './store.ts';
export { queryWords, tokenize } from './tokenize.ts';
export { filterGroups, PLACES, skillTokens, wordToken } from './tokens.ts';
export { type VersionSpan, versionKey } from './version-range.ts';
