import { describe, expect, it } from 'vitest';
import { createGates } from '../../src/crawl/gates.ts';
import { deferred, settle } from '../support/deferred.ts';

const { signal: never } = new AbortController();

describe('createGates', () => {
  it('lets no more requests through than allowed, in all and per origin', async () => {
    const schedule = createGates({ global: 3, perOrigin: 2 });
    const running = new Map<string, number>();
    const peaks = { global: 0, perOrigin: 0 };
    const request = (origin: string) =>
      schedule(origin, never, async () => {
        running.set(origin, (running.get(origin) ?? 0) + 1);
        peaks.perOrigin = Math.max(peaks.perOrigin, ...running.values());
        peaks.global = Math.max(
          peaks.global,
          [...running.values()].reduce((a, b) => a + b),
        );
        await settle();
        running.set(origin, (running.get(origin) ?? 0) - 1);
      });
    await Promise.all(Array.from({ length: 30 }, (_, i) => request(`https://${i % 2}.example`)));
    expect(peaks).toEqual({ global: 3, perOrigin: 2 });
  });

  it('[F6] keeps global slots free of an origin whose own gate is full', async () => {
    const schedule = createGates({ global: 2, perOrigin: 1 });
    const slow = deferred();
    const stuck = Array.from({ length: 10 }, () =>
      schedule('https://slow.example', never, () => slow.promise),
    );
    const quick = Array.from({ length: 20 }, (_, i) =>
      schedule(`https://${i}.example`, never, async () => i),
    );
    expect(await Promise.all(quick)).toHaveLength(20);
    slow.resolve();
    await Promise.all(stuck);
  });

  it('lets an origin with one request have its turn beside one with ten thousand', async () => {
    const schedule = createGates({ global: 2, perOrigin: 2 });
    const order: string[] = [];
    const run = (origin: string) =>
      schedule(origin, never, async () => {
        order.push(origin);
        await settle();
      });
    const many = Array.from({ length: 10_000 }, () => run('https://many.example'));
    const one = run('https://one.example');
    await one;
    expect(order.indexOf('https://one.example')).toBeLessThan(10);
    await Promise.all(many);
  });

  it('[F11] lets a queued request leave at once when its signal aborts, and never runs it', async () => {
    const schedule = createGates({ global: 1, perOrigin: 1 });
    const first = deferred();
    const ran: string[] = [];
    const running = schedule('https://a.example', never, () => first.promise);
    const controller = new AbortController();
    const sameOrigin = schedule('https://a.example', controller.signal, async () => ran.push('a'));
    const otherOrigin = schedule('https://b.example', controller.signal, async () => ran.push('b'));
    await settle();
    controller.abort(new Error('gone'));
    await expect(sameOrigin).rejects.toThrow('gone');
    await expect(otherOrigin).rejects.toThrow('gone');
    first.resolve();
    await running;
    await settle();
    expect(ran).toEqual([]);
    expect(await schedule('https://a.example', never, async () => 'still works')).toBe('still works');
  });

  it('refuses a signal that has aborted already', async () => {
    const schedule = createGates({ global: 1, perOrigin: 1 });
    const run = schedule('https://a.example', AbortSignal.abort(new Error('too late')), async () => 1);
    await expect(run).rejects.toThrow('too late');
  });

  it('passes a failure on and frees the slot', async () => {
    const schedule = createGates({ global: 1, perOrigin: 1 });
    await expect(
      schedule('https://a.example', never, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken');
    expect(await schedule('https://a.example', never, async () => 'next')).toBe('next');
  });
});
