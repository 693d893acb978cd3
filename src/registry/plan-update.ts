import type { AccessLevel, ChangeKind } from '../protocol/index.ts';
import type { ProviderUpdate, StoredEntry, StoredSkill } from './store.ts';

/** What {@link planUpdate} needs to know of a record that the store has. */
export interface KnownSkill
  extends Pick<StoredEntry, 'id' | 'access' | 'view' | 'fetchedAt' | 'freshUntil' | 'unreachableSince'>,
    Pick<StoredSkill, 'contentHash'> {
  /** When it was removed, for one that is only remembered. */
  goneSince?: number;
}

/** What a store has to do for one update, in this order. */
export interface UpdatePlan {
  /** To write, in place of whatever has the same id. */
  put: PlannedSkill[];
  /** To keep otherwise as they are. */
  age: Array<Pick<StoredEntry, 'id' | 'freshUntil'> & { unreachableSince: number }>;
  /** Ids of records that are no longer given out, but remembered as gone since the update's `at`. */
  remove: string[];
  /** Ids of gone records to forget. */
  forget: string[];
  /** What became of which skill. `members` of `changed` are the store's to add: it has the old content. */
  changes: Array<{ kind: ChangeKind; id: string; isPrivate: boolean }>;
}

export interface PlannedSkill {
  skill: StoredSkill;
  /** Whether only `entry` differs from what the store has, in members that are no content. */
  isSameContent: boolean;
}

/** How far the clock of whoever stored a time may have been ahead of ours: an hour. */
const MAX_AHEAD_MS = 3_600_000;

/** A stored time as a look that ended at `at` has to take it: one that a clock far ahead gave is older than all others. */
export function credible(time: number, at: number): number {
  return time > at + MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : time;
}

/**
 * Decides what an update does to the records that a store has of its domain.
 *
 * An accepted skill replaces whatever record has its id. Other records are touched only when the update's view could have
 * shown them: it is theirs, or they are not private. Of those, what a good index does not list, or withdraws, is removed;
 * what it lists but did not yield becomes stale and unreachable, and so does everything when no good index was read; after
 * too long it is removed as well. An index without a single private skill may come from a credential that is no longer
 * honoured: it makes private records stale and removes none.
 *
 * A time that lies further ahead of the look than {@link MAX_AHEAD_MS} is of a clock that was wrong, and newer than nothing.
 * A slow old answer changes nothing newer: a record fetched later than the incoming one stays as it is, and one fetched
 * after the look is not made stale. What an index does not list is removed, and what it lists comes back, only where the index
 * itself is newer: it may be a copy.
 */
export function planUpdate(existing: Iterable<KnownSkill>, update: ProviderUpdate): UpdatePlan {
  if (update.isImport) return planImport(existing, update);
  const { at, indexAt = at, view, forgetBefore } = update;
  const accepted = new Map(update.skills.map((skill) => [skill.entry.id, skill]));
  const standIns = new Set(update.standIns);
  const listed = update.listed && new Set(update.listed);
  const withdrawn = new Set(update.withdrawn);
  const spared = new Set(update.spared);
  const showsPrivate = update.skills.some(({ entry }) => entry.access === 'private');
  const plan: UpdatePlan = { put: [], age: [], remove: [], forget: [], changes: [] };
  const known = new Map<string, KnownSkill>();
  if (update.wasRefused) return plan;

  for (const record of existing) {
    const { id, access, freshUntil } = record;
    const fetchedAt = credible(record.fetchedAt, at);
    const { goneSince } = record;
    const unreachableSince = Math.min(record.unreachableSince ?? at, at);
    const isPrivate = access === 'private';
    const replacement = accepted.get(id);
    if (replacement) {
      if (fetchedAt > replacement.entry.fetchedAt || credible(goneSince ?? 0, at) > indexAt)
        accepted.delete(id);
      else known.set(id, record);
      continue;
    }
    if (goneSince !== undefined) {
      if (goneSince < forgetBefore) plan.forget.push(id);
      continue;
    }
    // Nobody has seen an imported record: whose view it names is a stranger's word.
    const isImported = fetchedAt === 0;
    const couldShow = isImported || record.view === view || !(isPrivate || isTurnedAway(update));
    // Where nothing was seen, the clock that is wrong may be the one of this look.
    const isLater = (listed ? fetchedAt : record.fetchedAt) > at;
    if (!couldShow || isLater || spared.has(id)) continue;
    const isShown = isImported || !isPrivate || showsPrivate;
    const isUnlisted = isShown && listed !== undefined && !listed.has(id);
    if (isUnlisted && fetchedAt > indexAt) continue;
    const isGone =
      withdrawn.has(id) || isUnlisted || Math.max(unreachableSince, record.fetchedAt) < forgetBefore;
    if (isGone) {
      plan.remove.push(id);
      plan.changes.push({ kind: 'removed', id, isPrivate });
    } else if (record.unreachableSince === undefined || freshUntil > at) {
      plan.age.push({ id, freshUntil: Math.min(freshUntil, at), unreachableSince });
      if (record.unreachableSince === undefined) plan.changes.push({ kind: 'unreachable', id, isPrivate });
    }
  }

  for (const skill of accepted.values()) {
    const { id, access } = skill.entry;
    const before = known.get(id);
    const isLost = before?.unreachableSince !== undefined;
    const isGone = before?.goneSince !== undefined;
    const isStandIn = standIns.has(id);
    const isSameContent = !isGone && before?.contentHash === skill.contentHash;
    // The differences of one that was private until now tell what it was.
    const wasPrivate = (kind: ChangeKind) => kind === 'changed' && before?.access === 'private';
    const add = (kind: ChangeKind) =>
      plan.changes.push({ kind, id, isPrivate: access === 'private' || wasPrivate(kind) });
    plan.put.push({ skill: isStandIn ? unconfirmed(skill, before, at) : skill, isSameContent });
    if (before === undefined) add('added');
    else if (isGone || (isLost && !isStandIn)) add('back');
    if (before && !isGone && !isSameContent) add('changed');
    if (before && !isGone && before.access !== access)
      plan.changes.push(...crossings(id, before.access, access));
    if (isStandIn && !isLost) add('unreachable');
  }
  return plan;
}

/** What comes from an import is added where it is not known; whatever is known was seen at its publisher, or imported before. */
function planImport(existing: Iterable<KnownSkill>, { skills }: ProviderUpdate): UpdatePlan {
  const known = new Map([...existing].map((record) => [record.id, record]));
  const added = skills.filter(({ entry }) => {
    const before = known.get(entry.id);
    return before === undefined || before.goneSince !== undefined;
  });
  return {
    put: added.map((skill) => ({ skill, isSameContent: false })),
    age: [],
    remove: [],
    forget: [],
    changes: added.map(({ entry: { id, access } }) => ({
      kind: 'added',
      id,
      isPrivate: access === 'private',
    })),
  };
}

/** Whoever may not see private skills sees one come and go as its publisher makes it public or private. */
function crossings(id: string, before: AccessLevel, after: AccessLevel): UpdatePlan['changes'] {
  if (before !== 'private' && after === 'private') return [{ kind: 'removed', id, isPrivate: false }];
  if (before === 'private' && after !== 'private') return [{ kind: 'added', id, isPrivate: false }];
  return [];
}

/** The answer was about who asked: it says nothing of what others were shown. */
function isTurnedAway({ code }: ProviderUpdate): boolean {
  return code === 'AUTH_REQUIRED' || code === 'PERMISSION_DENIED' || code === 'PAYMENT_REQUIRED';
}

function unconfirmed(skill: StoredSkill, before: KnownSkill | undefined, at: number): StoredSkill {
  const { entry } = skill;
  const unreachableSince = Math.min(before?.unreachableSince ?? at, at);
  return { ...skill, entry: { ...entry, freshUntil: Math.min(entry.freshUntil, at), unreachableSince } };
}
