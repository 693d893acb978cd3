import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { abortable, linkSignals, onAbort } from '../src/abort.ts';
import { deferred } from './support/deferred.ts';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('keeps one listener for all callbacks, which goes with the last of them', () => {
    const { signal } = new AbortController();
    const stops = [1, 2, 3].map(() => onAbort(signal, () => {}));
    expect(listenersOf(signal)).toBe(1);
    for (const stop of stops) stop();
    expect(listenersOf(signal)).toBe(0);
  });

  it('calls each callback that was not taken back, once', () => {
    const controller = new AbortController();
    const called: number[] = [];
    for (const each of [1, 2]) onAbort(controller.signal, () => called.push(each));
    onAbort(controller.signal, () => called.push(3))();
    controller.abort();
    expect(called).toEqual([1, 2]);
  });

  it('calls back at once when the signal has aborted already', () => {
    let called = 0;
    onAbort(AbortSignal.abort(), () => {
      called += 1;
    })();
    expect(called).toBe(1);
  });

  it('does not silence a later callback when an earlier one is taken back twice', () => {
    const controller = new AbortController();
    const stop = onAbort(controller.signal, () => {});
    stop();
    let called = false;
    onAbort(controller.signal, () => {
      called = true;
    });
    stop();
    controller.abort();
    expect(called).toBe(true);
  });
});

describe('abortable', () => {
  it('hands over what arrives too late, and leaves no listener', async () => {
    const late = deferred<string>();
    const discarded = deferred<string>();
    const controller = new AbortController();
    const waiting = abortable(late.promise, controller.signal, discarded.resolve);
    controller.abort('gone');
    await expect(waiting).rejects.toBe('gone');
    late.resolve('late');
    expect(await discarded.promise).toBe('late');
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve('in time'), signal)).toBe('in time');
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('linkSignals', () => {
  it('follows each signal, takes its reason, and lets go of all', () => {
    const one = new AbortController();
    const other = new AbortController();
    const link = linkSignals(one.signal, undefined, other.signal);
    other.abort('other');
    expect(link.signal.reason).toBe('other');
    link.unlink();
    expect(listenersOf(one.signal)).toBe(0);
  });

  it('[F11] leaves nothing on a long-lived signal after ten thousand uses', () => {
    const { signal } = new AbortController();
    for (let i = 0; i < 10_000; i += 1) linkSignals(signal).unlink();
    expect(listenersOf(signal)).toBe(0);
  });

  it('has aborted when one of its signals has', () => {
    expect(linkSignals(AbortSignal.abort('before')).signal.reason).toBe('before');
  });
});
