import type { AccessLevel, AuthType, CapabilityType } from '../protocol/index.ts';
import { FACET_TOKENS, type StoreQuery } from '../registry/index.ts';
import type { Sql } from './conditions.ts';

/** What a skill is by the three filters that have few values. */
export interface SkillClass {
  capabilityType: CapabilityType;
  access: AccessLevel;
  authType: AuthType;
}

export const CLASSES: readonly SkillClass[] = keysOf(FACET_TOKENS.capabilityType).flatMap((capabilityType) =>
  keysOf(FACET_TOKENS.access).flatMap((access) =>
    keysOf(FACET_TOKENS.authType).map((authType) => ({ capabilityType, access, authType })),
  ),
);

/** The column of `words` for skills of a class. */
export function columnOf({ capabilityType, access, authType }: SkillClass): string {
  return `${capabilityType}_${access}_${authType}`;
}

/** The skills of a class, by its values, in the order of their numbers. */
export const FROM_CLASS = `FROM skills INDEXED BY skills_by_class
  WHERE gone_since IS NULL AND (capability_type, access, auth_type) = (?, ?, ?)`;

const FROM_KIND = `FROM skills INDEXED BY skills_by_kind
  WHERE gone_since IS NULL AND (capability_type, access) = (?, ?)`;

const FROM_ALL = 'FROM skills NOT INDEXED WHERE gone_since IS NULL';

/** For the placeholders of {@link FROM_CLASS}. */
export function valuesOf({ capabilityType, access, authType }: SkillClass): string[] {
  return [capabilityType, access, authType];
}

/** The classes of what a query may find. */
export function classesOf({
  capabilityTypes,
  access: levels,
  authTypes,
  includePrivate,
}: StoreQuery): SkillClass[] {
  return CLASSES.filter(
    ({ capabilityType, access, authType }) =>
      (capabilityTypes?.includes(capabilityType) ?? true) &&
      (levels?.includes(access) ?? true) &&
      (authTypes?.includes(authType) ?? true) &&
      (includePrivate || access !== 'private'),
  );
}

/** Lists of skills in the order of their numbers: what a query may find by its class, in as few lists as there can be. */
export function listsOf(query: StoreQuery): Sql[] {
  const classes = classesOf(query);
  // To merge so many takes longer than to read the rows.
  if (classes.length === CLASSES.length) return [{ text: FROM_ALL, values: [] }];
  if (query.authTypes) return classes.map((one) => ({ text: FROM_CLASS, values: valuesOf(one) }));
  const kinds = classes.filter(({ authType }) => authType === classes[0]?.authType);
  return kinds.map(({ capabilityType, access }) => ({ text: FROM_KIND, values: [capabilityType, access] }));
}

function keysOf<K extends string>(record: Record<K, unknown>): K[] {
  return Object.keys(record) as K[];
}
