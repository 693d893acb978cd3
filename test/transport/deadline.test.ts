import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Alarms } from '../../src/transport/alarms.ts';
import { Deadline } from '../../src/transport/deadline.ts';
import { deferred, settle } from '../support/deferred.ts';
import { createManualClock } from '../support/manual-clock.ts';

function setUp(ms = 100) {
  const clock = createManualClock();
  const parent = new AbortController();
  return { clock, parent, deadline: new Deadline(new Alarms(clock), ms, parent.signal) };
}

describe('Deadline', () => {
  it('counts only the time between resume and pause', async () => {
    const { clock, deadline } = setUp();
    await clock.advance(1000);
    expect(deadline.remainingMs).toBe(100);
    deadline.resume();
    await clock.advance(60);
    expect(deadline.remainingMs).toBe(40);
    deadline.pause();
    await clock.advance(1000);
    expect(deadline.remainingMs).toBe(40);
    expect(deadline.signal.aborted).toBe(false);
    deadline.resume();
    await clock.advance(40);
    expect(deadline).toMatchObject({ expired: true, signal: { aborted: true } });
  });

  it('takes a second pause or resume for the first one', async () => {
    const { clock, deadline } = setUp();
    deadline.pause();
    deadline.resume();
    await clock.advance(60);
    deadline.resume();
    expect(clock.sleepers).toBe(1);
    deadline.pause();
    deadline.pause();
    expect(deadline.remainingMs).toBe(40);
  });

  it('takes nothing away when the clock is set back', () => {
    const { clock, deadline } = setUp();
    deadline.resume();
    clock.set(0);
    expect(deadline.remainingMs).toBe(100);
  });

  it('follows its parent without having expired', () => {
    const { parent, deadline } = setUp();
    const reason = new Error('enough');
    parent.abort(reason);
    expect(deadline).toMatchObject({ expired: false, signal: { aborted: true, reason } });
  });

  it('does not expire when it is paused just after its timer ended', async () => {
    const ended = deferred();
    const clock = { ...createManualClock(), sleep: () => ended.promise };
    const deadline = new Deadline(new Alarms(clock), 100, new AbortController().signal);
    deadline.resume();
    ended.resolve();
    deadline.pause();
    await settle();
    expect(deadline).toMatchObject({ expired: false, signal: { aborted: false } });
  });

  it('leaves neither timer nor listener behind', () => {
    const { clock, parent, deadline } = setUp();
    deadline.resume();
    deadline.end();
    expect(clock.sleepers).toBe(0);
    expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  });
});
