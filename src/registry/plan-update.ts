import type { ProviderUpdate, StoredSkill } from './store.ts';

/** What {@link planUpdate} needs to know of a record that the store has. */
export type KnownSkill = Pick<StoredSkill, 'id' | 'access' | 'view' | 'fetchedAt'>;

/** What a store has to do for one update. */
export interface UpdatePlan {
  /** To write, in place of whatever has the same id. */
  put: StoredSkill[];
  /** Ids of records to keep as stale: their `freshUntil` becomes at most the update's `at`. */
  expire: string[];
  /** Ids of records to remove. */
  remove: string[];
}

/**
 * Decides what an update does to the records that a store has of its domain.
 *
 * An accepted skill replaces whatever record has its id. Other records are touched only when the update's view could have
 * shown them: it is theirs, or they are not private. Of those, what a good index does not list, or withdraws, is removed;
 * what it lists but did not yield becomes stale, and so does everything when no good index was read. An index without a
 * single private skill may come from a credential that is no longer honoured: it makes private records stale and removes none.
 *
 * A slow old answer changes nothing newer: a record fetched later than the incoming one stays as it is, and one fetched
 * after the update's `at` is neither removed nor made stale.
 */
export function planUpdate(existing: Iterable<KnownSkill>, update: ProviderUpdate): UpdatePlan {
  const accepted = new Map(update.skills.map((skill) => [skill.id, skill]));
  const listed = update.listed && new Set(update.listed);
  const withdrawn = new Set(update.withdrawn);
  const showsPrivate = update.skills.some(({ access }) => access === 'private');
  const expire: string[] = [];
  const remove: string[] = [];

  for (const known of existing) {
    const replacement = accepted.get(known.id);
    if (replacement) {
      if (known.fetchedAt > replacement.fetchedAt) accepted.delete(known.id);
      continue;
    }
    const couldShow = known.view === update.view || known.access !== 'private';
    if (!couldShow || known.fetchedAt > update.at) continue;
    const isShown = known.access !== 'private' || showsPrivate;
    const gone = withdrawn.has(known.id) || (isShown && listed !== undefined && !listed.has(known.id));
    (gone ? remove : expire).push(known.id);
  }
  return { put: [...accepted.values()], expire, remove };
}
