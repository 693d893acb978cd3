import { describe, expect, it } from 'vitest';
import {
  afterSettled,
  afterStart,
  judgePace,
  type Pace,
  paceAt,
  UNKNOWN_PACE,
} from '../../src/crawl/pace.ts';
import type { ErrorCode, Failure } from '../../src/errors.ts';

const ORIGIN = 'https://a.example';
const rules = { minGapMs: 0, maxRetryAfterMs: 30_000, giveUpAfter: 3, leaveAloneMs: 10_000 };
const busy = (retryAfterMs?: number): Failure => ({
  code: 'RATE_LIMITED',
  message: 'busy',
  details: { status: 429, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) },
});
const timeout: Failure = { code: 'TIMEOUT', message: 'no answer' };
const settle = (pace: Pace, now: number, failure?: Failure, sentAt = now) =>
  afterSettled(paceAt(pace, now), { sentAt, failure }, rules);
const waitOf = (pace: Pace, now: number, under = rules) => {
  const judged = judgePace(paceAt(pace, now), ORIGIN, under);
  return 'failure' in judged ? judged.failure.code : judged.waitMs;
};

describe('an origin that wants a pause', () => {
  it('gets the pause it asks for, at least a second', () => {
    expect(waitOf(settle(UNKNOWN_PACE, 0, busy(5000)), 1000)).toBe(4000);
    expect(waitOf(settle(UNKNOWN_PACE, 0, busy(0)), 0)).toBe(1000);
    expect(waitOf(settle(UNKNOWN_PACE, 0, busy(5000)), 5000)).toBe(0);
  });

  it('is not asked while it wants more than we wait, with the code that it gave', () => {
    expect(waitOf(settle(UNKNOWN_PACE, 0, busy(30_000)), 0)).toBe(30_000);
    expect(waitOf(settle(UNKNOWN_PACE, 0, busy(30_001)), 0)).toBe('RATE_LIMITED');
    const down: Failure = {
      code: 'SERVER_ERROR',
      message: '',
      details: { status: 503, retry_after_ms: 3_600_000 },
    };
    expect(waitOf(settle(UNKNOWN_PACE, 0, down), 0)).toBe('SERVER_ERROR');
  });

  it('says for how much longer', () => {
    const judged = judgePace(paceAt(settle(UNKNOWN_PACE, 0, busy(3_601_500)), 1000), ORIGIN, rules);
    expect(judged).toEqual({
      failure: {
        code: 'RATE_LIMITED',
        message: 'https://a.example asked for a pause of 3601 s more, longer than we wait',
      },
    });
  });

  it('takes an answer to what was sent as the step was taken for part of the burst', () => {
    expect(settle(settle(UNKNOWN_PACE, 100, busy()), 200, busy(), 100).steps).toBe(1);
    expect(settle(settle(UNKNOWN_PACE, 100, busy()), 200, busy(), 101).steps).toBe(2);
  });

  it('never has a pause shortened by a later answer', () => {
    const pace = settle(settle(UNKNOWN_PACE, 0, busy(20_000)), 10, busy(1000));
    expect(waitOf(pace, 10)).toBe(19_990);
  });

  it('takes one step of back-off for a burst, however many of its answers come', () => {
    let pace = settle(UNKNOWN_PACE, 100, busy(), 0);
    for (const now of [101, 102, 103]) pace = settle(pace, now, busy(), 50);
    expect(pace.steps).toBe(1);
    pace = settle(pace, 2000, busy(), 1500);
    expect(pace.steps).toBe(2);
    expect(waitOf(pace, 2000)).toBe(2000);
  });

  it('doubles the steps up to a minute, and starts anew after an answer', () => {
    let pace = UNKNOWN_PACE;
    for (let i = 1; i <= 10; i += 1) pace = settle(pace, i * 100_000, busy());
    expect(waitOf(pace, 1_000_000, { ...rules, maxRetryAfterMs: 60_000 })).toBe(60_000);
    pace = settle(settle(pace, 1_060_000), 1_060_001, busy());
    expect(waitOf(pace, 1_060_001)).toBe(1000);
  });
});

describe('an origin that does not answer', () => {
  const failing = (times: number, pace = UNKNOWN_PACE, now = 0) => {
    let next = pace;
    for (let i = 0; i < times; i += 1) next = settle(next, now, timeout);
    return next;
  };

  it('is left alone after so many failures in a row, with the code of the last one', () => {
    expect(waitOf(failing(2), 0)).toBe(0);
    expect(waitOf(failing(3), 9999)).toBe('TIMEOUT');
    expect(waitOf(failing(3), 10_000)).toBe(0);
    expect(judgePace(failing(3), ORIGIN, rules)).toMatchObject({
      failure: {
        message: 'https://a.example is left alone after 3 failures in a row; the last one: no answer',
      },
    });
  });

  it.each<[ErrorCode, boolean]>([
    ['TIMEOUT', true],
    ['NETWORK_FAILURE', true],
    ['DNS_FAILURE', true],
    ['TLS_FAILURE', true],
    ['SERVER_ERROR', false],
    ['NOT_JSON', false],
  ])('%s counts as no answer: %s', (code, counts) => {
    expect(settle(UNKNOWN_PACE, 0, { code, message: '' }).failures).toBe(counts ? 1 : 0);
  });

  it('is left alone twice as long each further time, ten minutes at most', () => {
    let pace = failing(3);
    pace = failing(3, pace, 10_000);
    expect(waitOf(pace, 29_999)).toBe('TIMEOUT');
    expect(waitOf(pace, 30_000)).toBe(0);
    for (let i = 0; i < 20; i += 1) pace = failing(3, pace, 1_000_000);
    expect(waitOf(pace, 1_599_999)).toBe('TIMEOUT');
    expect(waitOf(pace, 1_600_000)).toBe(0);
  });

  it('is forgiven by any answer, were it an error', () => {
    const pace = settle(failing(2), 0, { code: 'SKILL_NOT_FOUND', message: '', details: { status: 404 } });
    expect(waitOf(failing(2, pace), 0)).toBe(0);
    expect(settle(failing(3), 10_000).leftAlone).toBeUndefined();
    expect(settle(failing(2), 0, busy()).failures).toBe(0);
    expect(settle(settle(UNKNOWN_PACE, 0, busy()), 1000)).toMatchObject({ failures: 0, steps: 0 });
  });
});

describe('the gap between two requests', () => {
  const gap = { ...rules, minGapMs: 500 };

  it('is kept from the start of the last one', () => {
    const pace = afterStart(paceAt(UNKNOWN_PACE, 1000));
    expect(waitOf(UNKNOWN_PACE, 0, gap)).toBe(0);
    expect(waitOf(pace, 1100, gap)).toBe(400);
    expect(waitOf(pace, 1500, gap)).toBe(0);
  });
});

describe('[C11] after the clock was set back by a day', () => {
  const day = 86_400_000;
  const gap = { ...rules, minGapMs: 500 };

  it('no pause, gap or time of being left alone is longer than when it began', () => {
    expect(waitOf(settle(UNKNOWN_PACE, day, busy(5000)), 0)).toBe(5000);
    expect(waitOf(afterStart(paceAt(UNKNOWN_PACE, day)), 0, gap)).toBe(500);
    let silent = UNKNOWN_PACE;
    for (let i = 0; i < 3; i += 1) silent = settle(silent, day, timeout);
    silent = paceAt(silent, 0);
    expect(waitOf(silent, 9999)).toBe('TIMEOUT');
    expect(waitOf(silent, 10_000)).toBe(0);
  });

  it('a pause goes on from where it was, and is over in its time', () => {
    const pace = paceAt(paceAt(settle(UNKNOWN_PACE, day, busy(5000)), day + 2000), 0);
    expect(waitOf(pace, 0)).toBe(3000);
    expect(waitOf(pace, 3000)).toBe(0);
  });

  it('a new wish for a pause counts as a step, and holds', () => {
    const pace = settle(paceAt(settle(UNKNOWN_PACE, day, busy()), 0), 2000, busy());
    expect(pace.steps).toBe(2);
    expect(waitOf(pace, 2000)).toBe(2000);
  });
});
