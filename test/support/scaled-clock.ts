import { type Clock, systemClock } from '../../src/clock.ts';

/** A clock that runs `factor` times as fast as the machine's, for waits over real sockets. */
export function createScaledClock(factor: number): Clock {
  const start = systemClock.now();
  return {
    now: () => start + (systemClock.now() - start) * factor,
    random: () => 0.5,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
