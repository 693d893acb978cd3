import { expect, it } from 'vitest';
import { attemptsLeft, pollPauseMs, retryPauseMs } from '../../src/invoke/pauses.ts';

it('asks at first soon, then less and less often', () => {
  const pauses = Array.from({ length: 10 }, (_, polls) =>
    Math.round(pollPauseMs(polls, 0, undefined, 30_000)),
  );
  expect(pauses).toEqual([250, 375, 563, 844, 1266, 1898, 2848, 4271, 5000, 5000]);
  expect(pollPauseMs(0, 0.999, undefined, 30_000)).toBeGreaterThanOrEqual(200);
});

it('keeps to what a provider asks for, within bounds', () => {
  expect(
    [2000, 0, -5, 1e9, Number.POSITIVE_INFINITY].map((asked) => pollPauseMs(0, 0, asked, 30_000)),
  ).toEqual([2000, 100, 100, 30_000, 30_000]);
  // Who waits for nobody does not hammer either.
  expect([pollPauseMs(0, 0, 2000, 0), pollPauseMs(0, 0, 0, 0)]).toEqual([100, 100]);
  expect(retryPauseMs(undefined, 30_000)).toBe(1000);
  expect(retryPauseMs(0, 30_000)).toBe(100);
  expect(retryPauseMs(40_000, 30_000)).toBeUndefined();
});

it('asks three times at most', () => {
  expect([1, 2, 3].map((attempts) => attemptsLeft(attempts, {}))).toEqual([true, true, false]);
  expect(attemptsLeft(1, { max_attempts: 1 })).toBe(false);
  expect(attemptsLeft(3, { max_attempts: 100 })).toBe(false);
});
