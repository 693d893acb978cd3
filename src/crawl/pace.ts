import type { ErrorCode, Failure } from '../errors.ts';

/** How one origin is treated. */
export interface PaceRules {
  /** Least time between the starts of two requests. */
  minGapMs: number;
  /** The longest pause that is waited for; while a longer one lasts, requests are refused. */
  maxRetryAfterMs: number;
  /** Failures to answer in a row after which an origin is left alone for a while. */
  giveUpAfter: number;
  /** For how long, the first time; each time doubles it, up to {@link MAX_LEFT_ALONE_MS}. */
  leaveAloneMs: number;
}

/** What is remembered of one origin. Times are in milliseconds since the epoch. */
export interface Pace {
  /** When it was last looked at. */
  readonly now: number;
  /** No request before this, and what asked for it. */
  readonly notBefore: number;
  readonly pausedBy: Failure | undefined;
  /** When the last request was let go. */
  readonly lastStart: number;
  /** Steps of back-off taken, and when the last one was: what had started before belongs to the same burst. */
  readonly steps: number;
  readonly steppedAt: number;
  /** Failures to answer in a row. */
  readonly failures: number;
  /** Set while the origin is left alone: why, and the how-manieth time it is. */
  readonly leftAlone: { until: number; failure: Failure; times: number } | undefined;
}

/** How a request ended, as far as its origin's pace is concerned. */
export interface Settled {
  /** When it was sent. */
  sentAt: number;
  failure: Failure | undefined;
}

export const UNKNOWN_PACE: Pace = {
  now: Number.NEGATIVE_INFINITY,
  notBefore: 0,
  pausedBy: undefined,
  lastStart: Number.NEGATIVE_INFINITY,
  steps: 0,
  steppedAt: Number.NEGATIVE_INFINITY,
  failures: 0,
  leftAlone: undefined,
};

/** A `Retry-After` of less is rounded up to this; without one, this is the first step of the back-off. */
const MIN_PAUSE_MS = 1000;
const MAX_BACK_OFF_MS = 60_000;
const MAX_LEFT_ALONE_MS = 600_000;

/** The origin, not the document, is at fault. */
const NO_ANSWER: ReadonlySet<ErrorCode> = new Set([
  'TIMEOUT',
  'NETWORK_FAILURE',
  'DNS_FAILURE',
  'TLS_FAILURE',
]);

/** The same pace at another time. After the clock was set back, all that is remembered moves with it: no pause grows. */
export function paceAt(pace: Pace, now: number): Pace {
  if (pace.now <= now) return { ...pace, now };
  const backMs = pace.now - now;
  const { leftAlone } = pace;
  return {
    ...pace,
    now,
    notBefore: pace.notBefore - backMs,
    lastStart: pace.lastStart - backMs,
    steppedAt: pace.steppedAt - backMs,
    leftAlone: leftAlone && { ...leftAlone, until: leftAlone.until - backMs },
  };
}

/** Whether a request may go out: how long it has to wait, or why it is refused. */
export function judgePace(
  pace: Pace,
  origin: string,
  rules: PaceRules,
): { waitMs: number } | { failure: Failure } {
  const { now, leftAlone } = pace;
  if (leftAlone && now < leftAlone.until) {
    const message = `${origin} is left alone after ${rules.giveUpAfter} failures in a row; the last one: ${leftAlone.failure.message}`;
    return { failure: { ...leftAlone.failure, message } };
  }
  const pauseMs = pace.notBefore - now;
  if (pace.pausedBy && pauseMs > rules.maxRetryAfterMs) {
    const seconds = Math.ceil(pauseMs / 1000);
    const message = `${origin} asked for a pause of ${seconds} s more, longer than we wait`;
    return { failure: { code: pace.pausedBy.code, message } };
  }
  return { waitMs: Math.max(0, pauseMs, pace.lastStart + rules.minGapMs - now) };
}

/** A request was let go. */
export function afterStart(pace: Pace): Pace {
  return { ...pace, lastStart: pace.now };
}

/** A request ended. A wish for a pause counts as one step for all that had been sent before the step. */
export function afterSettled(pace: Pace, { sentAt, failure }: Settled, rules: PaceRules): Pace {
  const { now } = pace;
  if (failure !== undefined && wantsPause(failure)) {
    const isBurst = sentAt <= pace.steppedAt;
    const steps = isBurst ? pace.steps : pace.steps + 1;
    const pauseMs = Math.max(MIN_PAUSE_MS, askedPauseMs(failure) ?? backOffMs(steps));
    return {
      ...pace,
      failures: 0,
      steps,
      steppedAt: isBurst ? pace.steppedAt : now,
      ...(now + pauseMs > pace.notBefore && { notBefore: now + pauseMs, pausedBy: failure }),
    };
  }
  if (failure === undefined || !NO_ANSWER.has(failure.code))
    return { ...pace, failures: 0, steps: 0, leftAlone: undefined };
  const failures = pace.failures + 1;
  if (failures < rules.giveUpAfter) return { ...pace, failures };
  const times = (pace.leftAlone?.times ?? 0) + 1;
  const until = now + Math.min(rules.leaveAloneMs * 2 ** (times - 1), MAX_LEFT_ALONE_MS);
  return { ...pace, failures: 0, leftAlone: { until, failure, times } };
}

/** Whether a failure asks for a pause that is worth waiting for. */
export function isWorthWaiting(failure: Failure, rules: PaceRules): boolean {
  return wantsPause(failure) && (askedPauseMs(failure) ?? 0) <= rules.maxRetryAfterMs;
}

function wantsPause(failure: Failure): boolean {
  return failure.details?.status === 429 || askedPauseMs(failure) !== undefined;
}

function askedPauseMs({ details }: Failure): number | undefined {
  return typeof details?.retry_after_ms === 'number' ? details.retry_after_ms : undefined;
}

function backOffMs(steps: number): number {
  return Math.min(MIN_PAUSE_MS * 2 ** (steps - 1), MAX_BACK_OFF_MS);
}
