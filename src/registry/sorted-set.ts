import { lowerBound } from './order.ts';

/** Items of one chunk before it is halved: to move them takes less time than to find the place. */
const MAX_CHUNK = 256;

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
    const c = this.#chunkOf(item);
    const chunk = this.#chunks[c] as T[];
    const i = this.#placeIn(chunk, item);
    if (this.#isAt(chunk, i, item)) return;
    if (i === chunk.length) chunk.push(item);
    else chunk.splice(i, 0, item);
    this.#size++;
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(c + 1, 0, chunk.splice(MAX_CHUNK / 2));
  }

  delete(item: T): void {
    const c = this.#chunkOf(item);
    const chunk = this.#chunks[c] as T[];
    const i = this.#placeIn(chunk, item);
    if (!this.#isAt(chunk, i, item)) return;
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

  /** The first chunk that does not end before the item, or the last one. Makes no function for it: most of what is added is new. */
  #chunkOf(item: T): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.#chunks[middle] as T[];
      if (this.#compare(chunk[chunk.length - 1] as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeIn(chunk: readonly T[], item: T): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(chunk[middle] as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isAt(chunk: readonly T[], i: number, item: T): boolean {
    return i < chunk.length && this.#compare(chunk[i] as T, item) === 0;
  }

  /** The position in the first chunk that does not end before, or behind the end of the last chunk. */
  #start(isBefore: (item: T) => boolean) {
    const endsBefore = (chunk: T[]) => chunk.length > 0 && isBefore(chunk[chunk.length - 1] as T);
    const c = Math.min(lowerBound(this.#chunks, endsBefore), this.#chunks.length - 1);
    const chunk = this.#chunks[c] as T[];
    return { chunk, c, i: lowerBound(chunk, isBefore) };
  }
}
