import { describe, expect, it } from 'vitest';
import { mapAhead } from '../../src/client/map-ahead.ts';
import { deferred, settle } from '../support/deferred.ts';

async function* numbers(count: number, failure?: Error): AsyncGenerator<number, void, undefined> {
  for (let n = 0; n < count; n++) yield n;
  if (failure) throw failure;
}

const nothing = () => {};

describe('mapAhead', () => {
  it('gives results in the order of the source, however they come', async () => {
    const gates = [deferred(), deferred(), deferred()];
    const map = async (n: number) => {
      await gates[n]?.promise;
      return n * 10;
    };
    const results = collect(mapAhead(numbers(3), { ahead: 3, map, stop: nothing }));
    for (const gate of [...gates].reverse()) {
      gate.resolve();
      await settle();
    }
    expect(await results).toEqual([0, 10, 20]);
  });

  it('has no more under way than it may, and goes on while the first one lasts', async () => {
    const gate = deferred();
    const started: number[] = [];
    const map = async (n: number) => {
      started.push(n);
      if (n === 0) await gate.promise;
      return n;
    };
    const results = collect(mapAhead(numbers(9), { ahead: 4, map, stop: nothing }));
    await settle();
    expect(started).toEqual([0, 1, 2, 3]);
    gate.resolve();
    expect(await results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('gives out what was taken before it fails as its source does', async () => {
    const failure = new Error('the source broke');
    const seen: number[] = [];
    const loop = (async () => {
      const results = mapAhead(numbers(3, failure), { ahead: 2, map: async (n) => n, stop: nothing });
      for await (const result of results) seen.push(result);
    })();
    await expect(loop).rejects.toBe(failure);
    expect(seen).toEqual([0, 1, 2]);
  });

  it('fails with the first result that does, and waits for the others', async () => {
    const gate = deferred();
    let finished = false;
    const map = async (n: number) => {
      if (n === 0) throw new Error('no room');
      await gate.promise;
      finished = true;
    };
    const results = collect(mapAhead(numbers(2), { ahead: 2, map, stop: nothing }));
    const failed = expect(results).rejects.toThrow('no room');
    await settle();
    gate.resolve();
    await failed;
    expect(finished).toBe(true);
  });

  it('ends the pending step of its source when the loop is left, and closes it', async () => {
    const stopped = deferred();
    let closed = false;
    const source = {
      taken: 0,
      async next() {
        if (this.taken++ === 0) return { done: false as const, value: 1 };
        await stopped.promise;
        throw new Error('stopped');
      },
      async return() {
        closed = true;
        return { done: true as const, value: undefined };
      },
    };
    for await (const result of mapAhead(source, { ahead: 2, map: async (n) => n, stop: stopped.resolve })) {
      expect(result).toBe(1);
      break;
    }
    expect(closed).toBe(true);
  });
});

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
}
