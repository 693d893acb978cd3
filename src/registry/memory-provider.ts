import type { ProviderStatus } from '../protocol/index.ts';
import { contentOf } from '../protocol/index.ts';
import { compareContent } from './compare.ts';
import { planProvider } from './plan-provider.ts';
import { type KnownSkill, planUpdate, type UpdatePlan } from './plan-update.ts';
import type { ProviderUpdate, StoredChange, StoredSkill } from './store.ts';
import { textBytes } from './text-bytes.ts';
import { skillTokens } from './tokens.ts';

/** What the objects of one skill, and of one provider, take besides their texts; measured. */
const SKILL_BYTES = 400;
const PROVIDER_BYTES = 400;

/** A skill as a memory store keeps it. Of one that is gone the descriptor has been let go. */
export interface KeptSkill {
  readonly number: number;
  readonly skill: StoredSkill;
  readonly goneSince?: number;
  readonly bytes: number;
}

export interface KeptProvider {
  readonly status: ProviderStatus;
  /** By id, with those that are gone. */
  readonly skills: ReadonlyMap<string, KeptSkill>;
  readonly bytes: number;
}

/** What a look makes of a provider. */
export interface PlannedLook {
  provider: KeptProvider;
  changes: StoredChange[];
  stored: number;
  removed: number;
  /** Tokens that are new to a skill, and those that it has no more. */
  reindexed: Array<{ number: number; added: string[]; dropped: string[] }>;
}

/** Computes all that a look changes and does nothing yet. `newNumber` gives a number to a skill that was not known. */
export function planLook(
  before: KeptProvider | undefined,
  update: ProviderUpdate,
  newNumber: () => number,
): PlannedLook {
  const skills = new Map(before?.skills);
  const plan = planUpdate(Array.from(skills.values(), toKnown), update);
  const changes = changesOf(plan, update, skills);
  const reindexed: PlannedLook['reindexed'] = [];

  for (const { skill, isSameContent } of plan.put) {
    const { id } = skill.entry;
    const old = skills.get(id);
    const number = old?.number ?? newNumber();
    if (!isSameContent || old?.skill.isFlagged !== skill.isFlagged) {
      reindexed.push({ number, ...tokenDifference(old, skill) });
    }
    skills.set(id, isSameContent && old ? confirm(old, skill) : keep(number, skill));
  }
  for (const { id, freshUntil, unreachableSince } of plan.age) {
    const { number, skill } = skills.get(id) as KeptSkill;
    skills.set(id, keep(number, { ...skill, entry: { ...skill.entry, freshUntil, unreachableSince } }));
  }
  for (const id of plan.remove) {
    const old = skills.get(id) as KeptSkill;
    reindexed.push({ number: old.number, ...tokenDifference(old, undefined) });
    skills.set(id, keep(old.number, { ...old.skill, descriptor: '' }, update.at));
  }
  for (const id of plan.forget) skills.delete(id);

  const kept = [...skills.values()];
  const living = kept.filter(({ goneSince }) => goneSince === undefined).length;
  const status = planProvider(before?.status, update, living);
  const bytes = kept.reduce(
    (sum, skill) => sum + skill.bytes,
    PROVIDER_BYTES + textBytes(JSON.stringify(status)),
  );
  return {
    provider: { status, skills, bytes },
    changes,
    stored: plan.put.length,
    removed: plan.remove.length,
    reindexed,
  };
}

/** The tokens by which a skill is found. */
export function tokensOf({ skill, goneSince }: KeptSkill): string[] {
  return goneSince === undefined ? skillTokens(skill) : [];
}

function toKnown({ skill: { entry, contentHash }, goneSince }: KeptSkill): KnownSkill {
  const { id, access, view, fetchedAt, freshUntil, unreachableSince } = entry;
  const known: KnownSkill = { id, access, view, fetchedAt, freshUntil, contentHash };
  if (unreachableSince !== undefined) known.unreachableSince = unreachableSince;
  if (goneSince !== undefined) known.goneSince = goneSince;
  return known;
}

function changesOf(
  plan: UpdatePlan,
  { domain, at }: ProviderUpdate,
  skills: ReadonlyMap<string, KeptSkill>,
): StoredChange[] {
  const accepted = new Map(plan.put.map(({ skill }) => [skill.entry.id, skill]));
  return plan.changes.map(({ kind, id, isPrivate }) => {
    const [before, after] = [skills.get(id)?.skill, accepted.get(id)];
    const members = kind === 'changed' && before && after && compareContent(parsed(before), parsed(after));
    return { at, kind, domain, id, ...(members && { members }), isPrivate };
  });
}

function parsed({ entry, descriptor }: StoredSkill) {
  return contentOf(entry, JSON.parse(descriptor));
}

function tokenDifference(before: KeptSkill | undefined, after: StoredSkill | undefined) {
  const had = before ? tokensOf(before) : [];
  const has = after ? skillTokens(after) : [];
  return { added: without(has, had), dropped: without(had, has) };
}

function without(tokens: string[], others: string[]): string[] {
  if (tokens.length === 0 || others.length === 0) return tokens;
  const excluded = new Set(others);
  return tokens.filter((token) => !excluded.has(token));
}

/** What is kept, with the times and the marks of what says the same. */
function confirm(old: KeptSkill, { entry, isFlagged }: StoredSkill): KeptSkill {
  const known = old.skill.entry;
  const isAsLarge =
    known.warnings.length + entry.warnings.length === 0 &&
    known.descriptorUrl === entry.descriptorUrl &&
    known.view === entry.view;
  const isSame =
    isAsLarge &&
    known.fetchedAt === entry.fetchedAt &&
    known.freshUntil === entry.freshUntil &&
    known.unreachableSince === entry.unreachableSince &&
    known.origin === entry.origin &&
    old.skill.isFlagged === isFlagged;
  if (isSame) return old;
  return isAsLarge
    ? { ...old, skill: { ...old.skill, entry: { ...entry, warnings: [] }, isFlagged } }
    : keep(old.number, { ...old.skill, entry, isFlagged });
}

/** A copy, so that nothing its giver does to it later reaches the store. */
function keep(number: number, skill: StoredSkill, goneSince?: number): KeptSkill {
  const { descriptor, authType, protocolVersion, contentHash, isFlagged } = skill;
  const warnings = skill.entry.warnings.map((warning) => ({ ...warning }));
  const entry = { ...skill.entry, warnings };
  const tags = [...skill.tags];
  const idKey = wellFormed(skill.idKey);
  const nameKey = wellFormed(skill.nameKey);
  const others = { entry, authType, protocolVersion, tags, contentHash, idKey, nameKey, isFlagged };
  const bytes = SKILL_BYTES + textBytes(descriptor) + textBytes(JSON.stringify(others));
  const copy = { entry, descriptor, authType, protocolVersion, tags, contentHash, idKey, nameKey, isFlagged };
  return { number, skill: copy, bytes, ...(goneSince !== undefined && { goneSince }) };
}

/** Lone surrogates all look the same. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
