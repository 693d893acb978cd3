import { LRUCache } from 'lru-cache';
import { platformSignal } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { SkillscoutError } from '../errors.ts';
import type { GetRequest, GetResult, HttpGet, Schedule } from '../transport/index.ts';
import { createGates, type GateLimits } from './gates.ts';
import {
  afterSettled,
  afterStart,
  isWorthWaiting,
  judgePace,
  type Pace,
  type PaceRules,
  paceAt,
  UNKNOWN_PACE,
} from './pace.ts';

/** Origins whose pace is remembered, at most; the least recently asked are forgotten. */
const MAX_ORIGINS = 10_000;
/** An origin that fails to answer so often in a row is left alone for so long, twice as long each further time. */
const GIVE_UP_AFTER = 8;
const LEAVE_ALONE_MS = 30_000;
/** Times one request is asked again after a pause. */
const MAX_PAUSES = 2;
/** What adds up over the times that a request is asked. */
const COSTS = ['requests', 'retries', 'bytes', 'waitMs'] as const;

export interface PacingOptions extends GateLimits, Pick<PaceRules, 'minGapMs' | 'maxRetryAfterMs'> {
  clock: Clock;
}

export interface Pacing {
  /** For the transport: every request on the wire passes here. Throws a SkillscoutError for what is refused. */
  schedule: Schedule;
  /** Learns from the answers, and asks again, after the pause, what was answered with a wish for one. */
  retrying(get: HttpGet): HttpGet;
}

/**
 * Treats each origin at its own pace ({@link PaceRules}). Requests wait in front of every gate, so that no slot is held; what a
 * cache can answer does not wait.
 */
export function createPacing({ clock, global, perOrigin, minGapMs, maxRetryAfterMs }: PacingOptions): Pacing {
  const rules = { minGapMs, maxRetryAfterMs, giveUpAfter: GIVE_UP_AFTER, leaveAloneMs: LEAVE_ALONE_MS };
  const gated = createGates({ global, perOrigin });
  // Not `max`, for which it would set aside memory at once.
  const paces = new LRUCache<string, Pace>({ maxSize: MAX_ORIGINS, sizeCalculation: () => 1 });
  const paceOf = (origin: string) => paceAt(paces.get(origin) ?? UNKNOWN_PACE, clock.now());

  /** Most origins answer, and of these there is nothing to remember. */
  const isUnremarkable = (origin: string) => minGapMs === 0 && !paces.has(origin);

  const paced: Schedule = async (origin, signal, run) => {
    for (;;) {
      const pace = paceOf(origin);
      const judged = judgePace(pace, origin, rules);
      const goes = 'waitMs' in judged && judged.waitMs === 0;
      paces.set(origin, goes ? afterStart(pace) : pace);
      if (goes) return gated(origin, signal, run);
      if ('failure' in judged) {
        const { code, message, details } = judged.failure;
        throw new SkillscoutError(code, message, details && { details });
      }
      await clock.sleep(judged.waitMs, platformSignal(signal));
    }
  };
  const schedule: Schedule = (origin, signal, run) =>
    (isUnremarkable(origin) ? gated : paced)(origin, signal, run);

  const retrying =
    (get: HttpGet): HttpGet =>
    async <T>(request: GetRequest<T>): Promise<GetResult<T>> => {
      const cost = { requests: 0, retries: 0, bytes: 0, waitMs: 0 };
      for (let pauses = 0; ; pauses += 1) {
        const result = await get(request);
        const { report } = result;
        for (const name of COSTS) cost[name] += report[name];
        const failure = result.ok ? result.refreshFailure : result.failure;
        const { sentAt } = report;
        if (sentAt !== undefined) {
          const origin = report.finalUrl.slice(0, report.finalUrl.indexOf('/', 'https://'.length));
          if (failure !== undefined || !isUnremarkable(origin)) {
            paces.set(origin, afterSettled(paceOf(origin), { sentAt, failure }, rules));
          }
        }
        if (
          result.ok ||
          pauses === MAX_PAUSES ||
          sentAt === undefined ||
          !isWorthWaiting(result.failure, rules)
        ) {
          return pauses === 0 ? result : { ...result, report: { ...report, ...cost } };
        }
      }
    };

  return { schedule, retrying };
}
