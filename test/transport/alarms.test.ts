import { describe, expect, it } from 'vitest';
import { Alarms } from '../../src/transport/alarms.ts';
import { deferred, settle } from '../support/deferred.ts';
import { createManualClock } from '../support/manual-clock.ts';

function setUp(clock = createManualClock()) {
  const alarms = new Alarms(clock);
  const rung: string[] = [];
  return { clock, alarms, rung, set: (name: string, ms: number) => alarms.set(ms, () => rung.push(name)) };
}

describe('Alarms', () => {
  it('rings each when it is due, the earliest first, over one sleep at a time', async () => {
    const { clock, set, rung } = setUp();
    for (const ms of [300, 100, 200, 200]) set(`${ms}`, ms);
    expect(clock.sleepers).toBe(1);
    await clock.advance(99);
    expect(rung).toEqual([]);
    await clock.advance(101);
    expect(rung).toEqual(['100', '200', '200']);
    await clock.advance(100);
    expect(rung).toEqual(['100', '200', '200', '300']);
    expect(clock.sleepers).toBe(0);
  });

  it('does not ring what was cleared, and sleeps for nothing', async () => {
    const { clock, alarms, set, rung } = setUp();
    const [first, second] = [set('first', 100), set('second', 200)];
    alarms.clear(first);
    alarms.clear(first);
    await clock.advance(150);
    alarms.clear(second);
    expect(clock.sleepers).toBe(0);
    await clock.advance(100);
    expect(rung).toEqual([]);
  });

  it('lets others have a turn before it rings late', async () => {
    const clock = createManualClock();
    const sleep: typeof clock.sleep = (ms, signal) => {
      if (ms === 0) alarms.clear(answered);
      return clock.sleep(ms, signal);
    };
    const { alarms, set, rung } = setUp({ ...clock, sleep });
    const answered = set('answered', 100);
    set('unanswered', 100);
    clock.set(clock.now() + 150);
    await clock.advance(0);
    expect(rung).toEqual(['unanswered']);
    expect(clock.sleepers).toBe(0);
  });

  it('lets a ring set and clear others', async () => {
    const { clock, alarms, set, rung } = setUp();
    const later = set('later', 200);
    alarms.set(100, () => {
      alarms.clear(later);
      set('another', 50);
    });
    await clock.advance(150);
    expect(rung).toEqual(['another']);
    expect(clock.sleepers).toBe(0);
  });

  it('rings in time though the clock was set back by a day meanwhile', async () => {
    let now = 1_000_000_000;
    const sleeps = [deferred(), deferred()];
    let slept = 0;
    const sleep = () => (sleeps[slept++] ?? deferred()).promise;
    const { set, rung } = setUp({ ...createManualClock(), now: () => now, sleep });
    set('first', 100);
    now -= 86_400_000;
    set('second', 150);
    sleeps[0]?.resolve();
    await settle();
    expect(rung).toEqual(['first']);
    now += 50;
    sleeps[1]?.resolve();
    await settle();
    expect(rung).toEqual(['first', 'second']);
  });
});
