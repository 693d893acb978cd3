import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { SkillscoutError } from '../errors.ts';
import type { GetRequest, GetResult, HttpGet } from '../transport/index.ts';
import { createGates, type GateLimits, type Schedule } from './gates.ts';

/** Origins whose wish for a pause is remembered, at most. */
const MAX_ORIGINS = 10_000;
/** Times one request is asked again after a pause. */
const MAX_PAUSES = 2;

export interface PacingOptions extends GateLimits {
  clock: Clock;
  /** The longest `Retry-After` that is waited for; a longer one ends as `RATE_LIMITED`. */
  maxRetryAfterMs: number;
}

export interface Pacing {
  /** For the transport: every request on the wire passes here. Throws `RATE_LIMITED` while a pause is too long to wait for. */
  schedule: Schedule;
  /** Asks again, after the pause, what a server answered with a `Retry-After` that is worth waiting for. */
  retrying(get: HttpGet): HttpGet;
}

/**
 * Honours `Retry-After` (RFC 9110, section 10.2.3) per origin. While an origin wants a pause, its requests wait in front of
 * every gate, so that no slot is held; what a cache can answer does not wait.
 */
export function createPacing({ clock, maxRetryAfterMs, ...limits }: PacingOptions): Pacing {
  const gated = createGates(limits);
  const pausedUntil = new LRUCache<string, number>({ max: MAX_ORIGINS });

  const schedule: Schedule = async (origin, signal, run) => {
    const pause = (pausedUntil.get(origin) ?? 0) - clock.now();
    if (pause > maxRetryAfterMs) {
      const seconds = Math.ceil(pause / 1000);
      throw new SkillscoutError(
        'RATE_LIMITED',
        `${origin} asked for a pause of ${seconds} s more, longer than we wait`,
      );
    }
    if (pause > 0) await clock.sleep(pause, signal);
    return gated(origin, signal, run);
  };

  const retrying =
    (get: HttpGet): HttpGet =>
    async <T>(request: GetRequest<T>): Promise<GetResult<T>> => {
      let requests = 0;
      let bytes = 0;
      for (let pauses = 0; ; pauses += 1) {
        const result = await get(request);
        requests += result.report.requests;
        bytes += result.report.bytes;
        const failure = result.ok ? result.refreshFailure : result.failure;
        const retryAfterMs = failure?.details?.retry_after_ms;
        if (typeof retryAfterMs === 'number') {
          const { origin } = new URL(result.report.finalUrl);
          pausedUntil.set(origin, Math.max(pausedUntil.get(origin) ?? 0, clock.now() + retryAfterMs));
          if (!result.ok && retryAfterMs <= maxRetryAfterMs && pauses < MAX_PAUSES) continue;
        }
        return { ...result, report: { ...result.report, requests, bytes } };
      }
    };

  return { schedule, retrying };
}
