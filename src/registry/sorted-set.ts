import { lowerBound } from './order.ts';

/** Items of one chunk before it is halved: moving them within a chunk takes less time than finding the place. */
const MAX_CHUNK = 1024;

/** Distinct items in the order of `compare`, kept in short sorted chunks, so that a million are no slower to change than few. */
export class SortedSet<T> {
  readonly #compare: (a: T, b: T) => number;
  /** None is empty. */
  readonly #chunks: T[][] = [];
  #size = 0;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  /** An item that compares as equal to one in the set changes nothing. */
  add(item: T): void {
    if (this.#chunks.length === 0) this.#chunks.push([]);
    const c = Math.min(this.#chunkOf(item), this.#chunks.length - 1);
    const chunk = this.#chunks[c] as T[];
    const i = this.#indexIn(chunk, item);
    if (this.#isAt(chunk, i, item)) return;
    chunk.splice(i, 0, item);
    this.#size++;
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(c + 1, 0, chunk.splice(MAX_CHUNK / 2));
  }

  delete(item: T): void {
    const c = this.#chunkOf(item);
    const chunk = this.#chunks[c];
    if (chunk === undefined) return;
    const i = this.#indexIn(chunk, item);
    if (!this.#isAt(chunk, i, item)) return;
    chunk.splice(i, 1);
    this.#size--;
    if (chunk.length === 0) this.#chunks.splice(c, 1);
  }

  /** In order, all items, or those that do not come before `item`. The set must not change on the way. */
  *from(item?: T): Generator<T, void> {
    let c = item === undefined ? 0 : this.#chunkOf(item);
    let i = item === undefined ? 0 : this.#indexIn(this.#chunks[c] ?? [], item);
    for (; c < this.#chunks.length; c++, i = 0) {
      const chunk = this.#chunks[c] as T[];
      for (; i < chunk.length; i++) yield chunk[i] as T;
    }
  }

  /** The first chunk that does not end before `item`. */
  #chunkOf(item: T): number {
    return lowerBound(this.#chunks, (chunk) => this.#compare(chunk[chunk.length - 1] as T, item) < 0);
  }

  #indexIn(chunk: readonly T[], item: T): number {
    return lowerBound(chunk, (other) => this.#compare(other, item) < 0);
  }

  #isAt(chunk: readonly T[], i: number, item: T): boolean {
    return i < chunk.length && this.#compare(chunk[i] as T, item) === 0;
  }
}
