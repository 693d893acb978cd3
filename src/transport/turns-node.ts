import type { Clock } from '../clock.ts';

/** Milliseconds of work after which sockets and timers get their turn. */
const MAX_TURN_MS = 5;

/**
 * Runs what it is given one after the other, each with all that follows from it at once, and lets the event loop go round
 * whenever that has taken {@link MAX_TURN_MS}: many answers can come in one go.
 */
export function createTurns(clock: Clock): (task: () => void) => void {
  const waiting: (() => void)[] = [];
  let startedAt = 0;

  const start = () => {
    startedAt = clock.now();
    next();
  };
  const next = () => {
    waiting.shift()?.();
    if (waiting.length === 0) return;
    // A tick that is asked for in a microtask comes when no other microtask is left.
    queueMicrotask(() => process.nextTick(goOn));
  };
  const goOn = () => {
    if (clock.now() - startedAt < MAX_TURN_MS) next();
    else setImmediate(start);
  };
  return (task) => {
    waiting.push(task);
    if (waiting.length === 1) setImmediate(start);
  };
}
