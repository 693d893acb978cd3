import { ERROR_CODES } from '../errors.ts';
import type { ProviderStatus } from '../protocol/index.ts';
import { credible } from './plan-update.ts';
import type { ProviderUpdate } from './store.ts';

/** When a provider is looked at again after a first failure: of a kind that may pass by itself, and of another. */
const RETRYABLE_MS = 300_000;
const LASTING_MS = 3_600_000;
/** Each failure in a row doubles that, up to a day. */
const MAX_RETRY_MS = 86_400_000;
/** The longest `Retry-After` that is believed: a week. */
const MAX_ASKED_MS = 604_800_000;

/**
 * What is known of a provider after a look at it. `skills` is how many records of it the store then has.
 *
 * After a good look the next one is due when the first of its documents is no longer fresh. A look that came too late, since
 * a newer one was applied before, changes nothing but the counters.
 */
export function planProvider(
  before: ProviderStatus | undefined,
  update: ProviderUpdate,
  skills: number,
): ProviderStatus {
  const { domain, at, status, code, message } = update;
  if (update.isImport) return imported(before, update, skills);
  if (update.wasRefused) return refused(before, update, skills);
  const isGood = update.listed !== undefined;
  const successes = (before?.successes ?? 0) + (isGood ? 1 : 0);
  const failures = (before?.failures ?? 0) + (isGood ? 0 : 1);
  if (before && credible(before.lookedAt, at) > at) return { ...before, successes, failures, skills };

  const failuresInRow = isGood ? 0 : (before?.failuresInRow ?? 0) + 1;
  const goodAt = isGood ? at : before?.goodAt;
  return {
    domain,
    status,
    ...(code && { code }),
    ...(message !== undefined && { message }),
    lookedAt: at,
    ...(goodAt !== undefined && { goodAt }),
    ...(!isGood && { unreachableSince: Math.min(before?.unreachableSince ?? at, at) }),
    dueAt: isGood ? Math.max(at, firstStale(update)) : at + retryMs(update, failuresInRow),
    successes,
    failures,
    failuresInRow,
    skills,
  };
}

const NO_LOOKS = { successes: 0, failures: 0, failuresInRow: 0 };

/** What was not asked is no failure of its provider: a flag that was forgotten once delays it by a few minutes. */
function refused(
  before: ProviderStatus | undefined,
  { domain, at, status, code, message }: ProviderUpdate,
  skills: number,
): ProviderStatus {
  if (before && credible(before.lookedAt, at) > at) return { ...before, skills };
  const reason = { ...(code && { code }), ...(message !== undefined && { message }) };
  // Longer each time: it may be an address that its provider has chosen.
  const last = before && before.code === code ? before.dueAt - before.lookedAt : 0;
  const delayMs = Math.min(Math.max(RETRYABLE_MS, 2 * last), MAX_RETRY_MS);
  return {
    ...NO_LOOKS,
    ...before,
    domain,
    status,
    ...reason,
    lookedAt: at,
    dueAt: at + delayMs,
    skills,
  };
}

/** An import is no look: it only makes one due. */
function imported(
  before: ProviderStatus | undefined,
  { domain, at }: ProviderUpdate,
  skills: number,
): ProviderStatus {
  if (before) return { ...before, dueAt: Math.min(before.dueAt, at), skills };
  return { domain, status: 'imported', lookedAt: at, dueAt: at, ...NO_LOOKS, skills };
}

/** Where a descriptor could not be refreshed, that is tried again as soon as a provider would be. */
function firstStale({ at, freshUntil = at, skills, standIns }: ProviderUpdate): number {
  const unconfirmed = new Set(standIns);
  return skills.reduce(
    (first, { entry: { id, freshUntil } }) =>
      Math.min(first, unconfirmed.has(id) ? at + RETRYABLE_MS : freshUntil),
    freshUntil,
  );
}

function retryMs({ code, retryAfterMs = 0 }: ProviderUpdate, failuresInRow: number): number {
  const first = code && ERROR_CODES[code].retryable ? RETRYABLE_MS : LASTING_MS;
  return Math.max(
    Math.min(retryAfterMs, MAX_ASKED_MS),
    Math.min(first * 2 ** (failuresInRow - 1), MAX_RETRY_MS),
  );
}
