import type { Failure } from '../errors.ts';
import { contentHash, type SkillRecord } from '../protocol/index.ts';
import type { LockIndex } from '../registry/index.ts';

/** Refuses what is not in the lock, and what is not as it was locked. The hash is computed where it is not given. */
export function lockJudge(
  lock: LockIndex,
): (record: SkillRecord, contentHash?: string) => Promise<Failure | undefined> {
  return async (record, given) => {
    const locked = lock.get(record);
    if (locked === undefined) return mismatch('the skill is not in the lock');
    const actual = given ?? (await contentHash(record, record.descriptor));
    if (actual === locked.contentHash) return undefined;
    return mismatch('the skill is not what was locked', { locked: locked.contentHash, found: actual });
  };
}

function mismatch(message: string, details?: Record<string, unknown>): Failure {
  return { code: 'LOCK_MISMATCH', message, ...(details && { details }) };
}
