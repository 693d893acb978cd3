import { canonicalJson, jsonPointer, MAX_MEMBER_CHANGES, type MemberChange } from '../protocol/index.ts';

/** Characters of the JSON text of a value that are kept. */
const MAX_VALUE = 1024;
/** Characters of the pointer to a member. An object with names that lead beyond is compared as a whole. */
const MAX_POINTER = 512;

type Members = Record<string, unknown>;

/**
 * What differs between two JSON values, the first {@link MAX_MEMBER_CHANGES}: member by member where both are objects, as a whole
 * elsewhere. Values are equal when their canonical JSON is.
 */
export function compareContent(before: unknown, after: unknown): MemberChange[] {
  const changes: MemberChange[] = [];
  compareInto(changes, [], before, after);
  return changes;
}

function compareInto(changes: MemberChange[], path: string[], before: unknown, after: unknown): void {
  if (changes.length === MAX_MEMBER_CHANGES) return;
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    if (names.every((name) => jsonPointer([...path, name]).length <= MAX_POINTER)) {
      for (const name of names) {
        compareInto(changes, [...path, name], ownMember(before, name), ownMember(after, name));
      }
      return;
    }
  }
  if (before === undefined || after === undefined || canonicalJson(before) !== canonicalJson(after)) {
    changes.push({
      field: jsonPointer(path),
      ...(before !== undefined && { old: shortened(before) }),
      ...(after !== undefined && { new: shortened(after) }),
    });
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownMember(value: Members, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? value : `${text.slice(0, MAX_VALUE)}…`;
}
