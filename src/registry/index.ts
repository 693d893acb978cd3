export { compareContent } from './compare.ts';
export { lookKey, MAX_KEY_LENGTH, recordToStored, toStored } from './document.ts';
export {
  changedMembers,
  createLock,
  type Lock,
  type LockedSkill,
  LockIndex,
  lockSkill,
  parseLock,
  requireLock,
  serializeLock,
} from './lock.ts';
export { type Candidate, passes, rankOf } from './matches.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { planProvider } from './plan-provider.ts';
export { type KnownSkill, planUpdate, type UpdatePlan } from './plan-update.ts';
export type { ChangesQuery, FindQuery, GetQuery, StatusQuery } from './query.ts';
export { createRegistry, type Page, type Registry, type SkillPage } from './registry.ts';
export {
  readSnapshotLine,
  SNAPSHOT_VERSION,
  snapshotEnd,
  snapshotHead,
  snapshotSkill,
} from './snapshot.ts';
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
  Rivals,
  SkillKey,
  SkillPosition,
  Store,
  StoredChange,
  StoredEntry,
  StoredSkill,
  StorePage,
  StoreQuery,
} from './store.ts';
export { MAX_RIVALS } from './store.ts';
export { queryWords, tokenize } from './tokenize.ts';
export {
  FACET_TOKENS,
  filterGroups,
  ownGroups,
  ownTokens,
  PLACES,
  skillTokens,
  skillWords,
  wordToken,
} from './tokens.ts';
export { type VersionSpan, versionKey } from './version-range.ts';
