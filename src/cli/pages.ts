import type { Page } from '../index.ts';

/** All records that match, with one page of them in memory. Throws `signal.reason` between two pages. */
export async function* allRecords<T>(
  ask: (cursor: string | undefined) => Promise<Page<T>>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const { records, nextCursor } = await ask(cursor);
    yield* records;
    cursor = nextCursor;
  } while (cursor !== undefined);
}
