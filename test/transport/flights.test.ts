import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Alarms } from '../../src/transport/alarms.ts';
import { Deadline } from '../../src/transport/deadline.ts';
import { Flights } from '../../src/transport/flights.ts';
import { deferred } from '../support/deferred.ts';
import { createManualClock } from '../support/manual-clock.ts';

describe('a flight', () => {
  it('that everybody has left is not joined again, even if it does not end', async () => {
    const flights = new Flights<string>();
    const controller = new AbortController();
    const left = flights.join('key', controller.signal, () => new Promise(() => {}));
    controller.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect(await flights.join('key', undefined, async () => 'anew')).toEqual({ result: 'anew', first: true });
  });

  it('gives its figures to the first caller who is still there', async () => {
    const flights = new Flights<string>();
    const work = deferred<string>();
    const controller = new AbortController();
    const start = () => work.promise;
    const starter = flights.join('key', controller.signal, start);
    const others = [flights.join('key', undefined, start), flights.join('key', undefined, start)];
    controller.abort(new Error('left'));
    await expect(starter).rejects.toThrow('left');
    work.resolve('done');
    expect((await Promise.all(others)).map(({ first }) => first)).toEqual([true, false]);
  });

  it('without a key is never shared', async () => {
    const flights = new Flights<number>();
    let started = 0;
    const work = async () => {
      started += 1;
      return started;
    };
    await Promise.all([flights.join(undefined, undefined, work), flights.join(undefined, undefined, work)]);
    expect(started).toBe(2);
  });
});

describe('a deadline', () => {
  it('stands still while paused', async () => {
    const clock = createManualClock();
    const deadline = new Deadline(new Alarms(clock), 1000, new AbortController().signal);
    deadline.resume();
    await clock.advance(600);
    deadline.pause();
    await clock.advance(60_000);
    deadline.resume();
    expect(deadline.remainingMs).toBe(400);
    await clock.advance(399);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.expired).toBe(true);
  });

  it('passes on the abort of its parent as such', () => {
    const parent = new AbortController();
    const deadline = new Deadline(new Alarms(createManualClock()), 1000, parent.signal);
    deadline.resume();
    parent.abort('enough');
    expect(deadline.signal.reason).toBe('enough');
    expect(deadline.expired).toBe(false);
  });

  it('takes nothing off for a clock that is set back', () => {
    const clock = createManualClock();
    const deadline = new Deadline(new Alarms(clock), 1000, new AbortController().signal);
    deadline.resume();
    clock.set(clock.now() - 86_400_000);
    expect(deadline.remainingMs).toBe(1000);
  });

  it('leaves no timer and no listener once it has ended [F11]', () => {
    const clock = createManualClock();
    const parent = new AbortController();
    const deadline = new Deadline(new Alarms(clock), 1000, parent.signal);
    deadline.resume();
    deadline.end();
    expect(clock.sleepers).toBe(0);
    expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  });
});
