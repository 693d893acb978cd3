import { expect, it } from 'vitest';
import { createTurns } from '../../src/transport/turns-node.ts';
import { createManualClock } from '../support/manual-clock.ts';

it('runs tasks with all that follows from each, and lets the event loop go round after 5 ms of work', async () => {
  const clock = createManualClock();
  const inTurn = createTurns(clock);
  const log: string[] = [];
  const work = async (name: string) => {
    for (let i = 0; i < 10; i += 1) await undefined;
    clock.set(clock.now() + 3);
    log.push(name);
  };
  for (const name of ['a', 'b', 'c', 'd', 'e']) inTurn(() => void work(name));
  expect(log).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    log.push('|');
  }
  expect(log).toEqual(['a', 'b', '|', 'c', 'd', '|', 'e', '|']);
  inTurn(() => void work('f'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.at(-1)).toBe('f');
});
