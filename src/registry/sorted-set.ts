import { lowerBound } from './order.ts';

/** Items of one chunk before it is halved: to move them takes less time than to find the place. */
const MAX_CHUNK = 1024;

/** Distinct items in order, kept in short sorted chunks, so that a million are hardly slower to change than a few. */
export class SortedSet<T> {
  readonly #compare: (a: T, b: T) => number;
  /** None is empty, unless it is the only one. */
  readonly #chunks: T[][] = [[]];
  #size = 0;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  /** An item that compares as equal to one in the set changes nothing. */
  add(item: T): void {
    const { chunk, c, i, isThere } = this.#find(item);
    if (isThere) return;
    chunk.splice(i, 0, item);
    this.#size++;
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(c + 1, 0, chunk.splice(MAX_CHUNK / 2));
  }

  delete(item: T): void {
    const { chunk, c, i, isThere } = this.#find(item);
    if (!isThere) return;
    chunk.splice(i, 1);
    this.#size--;
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(c, 1);
  }

  /** In order, the items for which `isBefore` is false; it is true for those before them. Nothing may change on the way. */
  *from(isBefore: (item: T) => boolean): Generator<T, void> {
    let { chunk, c, i } = this.#start(isBefore);
    for (;;) {
      for (; i < chunk.length; i++) yield chunk[i] as T;
      const next = this.#chunks[++c];
      if (next === undefined) return;
      chunk = next;
      i = 0;
    }
  }

  #find(item: T) {
    const start = this.#start((other) => this.#compare(other, item) < 0);
    const { chunk, i } = start;
    return { ...start, isThere: i < chunk.length && this.#compare(chunk[i] as T, item) === 0 };
  }

  /** The position in the first chunk that does not end before, or behind the end of the last chunk. */
  #start(isBefore: (item: T) => boolean) {
    const endsBefore = (chunk: T[]) => chunk.length > 0 && isBefore(chunk[chunk.length - 1] as T);
    const c = Math.min(lowerBound(this.#chunks, endsBefore), this.#chunks.length - 1);
    const chunk = this.#chunks[c] as T[];
    return { chunk, c, i: lowerBound(chunk, isBefore) };
  }
}
