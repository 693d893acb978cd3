import { describe, expect, it } from 'vitest';
import { Turns } from '../../src/sqlite/turns.ts';

/** The transactions of a thread, each `ms` long; the times at which it pauses, and for how long. */
function pausesOf(count: number, ms: number, idleMs: number): Array<[at: number, pause: number]> {
  const turns = new Turns();
  const pauses: Array<[number, number]> = [];
  let now = 1_000;
  for (let i = 0; i < count; i++) {
    const pause = turns.pauseAfter(now, now + ms);
    now += ms + pause;
    if (pause > 0) pauses.push([now, pause]);
    now += idleMs;
  }
  return pauses;
}

describe('a thread that writes', () => {
  it('pauses every two seconds while it always has work, longer than SQLite waits between two tries', () => {
    const pauses = pausesOf(500, 20, 1);
    expect(pauses.length).toBeGreaterThanOrEqual(4);
    for (const [i, [at, pause]] of pauses.entries()) {
      expect(pause).toBeGreaterThan(100);
      expect(at - (pauses[i - 1]?.[0] ?? 1_000)).toBeLessThan(2_500);
    }
  });

  it('does not pause where it is idle for as long now and then, nor after a transaction or two', () => {
    expect(pausesOf(500, 20, 150)).toEqual([]);
    expect(pausesOf(2, 900, 0)).toEqual([]);
  });

  it('pauses after one transaction that took longer', () => {
    expect(pausesOf(1, 3_000, 0)).toHaveLength(1);
  });
});
