/**
 * Maps what a source gives, in its order, with up to `ahead` results under way. What was taken from a source that fails is given
 * out before its error. When the loop over it is left, `stop` has to end the source's pending step.
 */
export async function* mapAhead<T, R>(
  source: AsyncIterator<T>,
  { ahead, map, stop }: { ahead: number; map: (item: T) => Promise<R>; stop: () => void },
): AsyncGenerator<R, void, undefined> {
  const underway: Promise<R>[] = [];
  let pulling: Promise<'pulled'> | undefined;
  let isExhausted = false;
  let failure: { error: unknown } | undefined;

  const pull = async (): Promise<'pulled'> => {
    try {
      const next = await source.next();
      if (next.done) isExhausted = true;
      else start(next.value);
    } catch (error) {
      isExhausted = true;
      failure = { error };
    }
    pulling = undefined;
    return 'pulled';
  };
  const start = (item: T) => {
    const result = map(item);
    result.catch(() => {}); // whoever waits for it is told
    underway.push(result);
  };

  try {
    while (!isExhausted || underway.length > 0) {
      if (!isExhausted && underway.length < ahead) pulling ??= pull();
      const [first] = underway;
      const steps = [pulling, first?.then(() => 'ready' as const)].filter((step) => step !== undefined);
      if ((await Promise.race(steps)) === 'ready') yield (await underway.shift()) as R;
    }
    if (failure) throw failure.error;
  } finally {
    stop();
    await pulling;
    await source.return?.();
    await Promise.allSettled(underway);
  }
}
