/** What a walk gives when nothing more follows: greater than every number of a posting. */
export const END = 0x7fff_ffff;

/** Goes through ascending numbers. */
export interface Walk {
  /** An upper bound of how many there are. */
  readonly size: number;
  /** The first number that is at least `atLeast`, or {@link END}. `atLeast` is at most END and never falls from call to call. */
  next(atLeast: number): number;
}

/** A set of numbers from 0 to END - 1, kept in ascending order: the skills that have one token. */
export class Postings {
  #length = 0;
  #numbers = new Uint32Array(0);

  /** Of some numbers, repeats included. */
  static of(numbers: readonly number[]): Postings {
    const postings = new Postings();
    const sorted = new Uint32Array(numbers);
    if (sorted.length > 1) sorted.sort();
    let length = 0;
    for (const number of sorted) if (length === 0 || number !== sorted[length - 1]) sorted[length++] = number;
    postings.#numbers = sorted;
    postings.#length = length;
    return postings;
  }

  get length(): number {
    return this.#length;
  }

  /** Numbers that the memory held has room for. */
  get capacity(): number {
    return this.#numbers.length;
  }

  toArray(): number[] {
    return Array.from(this.#numbers.subarray(0, this.#length));
  }

  add(number: number): void {
    const i = this.#positionOf(number);
    if (i < this.#length && this.#at(i) === number) return;
    if (this.#length === this.capacity) this.#resize(Math.max(2, this.#length * 2));
    // What is new mostly comes last, and calling a method of the array takes longer than all the rest.
    if (i < this.#length) this.#numbers.copyWithin(i + 1, i, this.#length);
    this.#numbers[i] = number;
    this.#length++;
  }

  remove(number: number): void {
    const i = this.#positionOf(number);
    if (i === this.#length || this.#at(i) !== number) return;
    this.#numbers.copyWithin(i, i + 1, this.#length);
    this.#length--;
    if (this.#length <= this.capacity / 4) this.#resize(this.capacity >>> 1);
  }

  walk(): Walk {
    let i = 0;
    return {
      size: this.#length,
      next: (atLeast) => {
        i = this.#search(atLeast, i);
        return i < this.#length ? this.#at(i) : END;
      },
    };
  }

  #at(i: number): number {
    return this.#numbers[i] as number;
  }

  /** New skills have the greatest numbers. */
  #positionOf(number: number): number {
    return this.#length > 0 && this.#at(this.#length - 1) < number ? this.#length : this.#search(number, 0);
  }

  /** The position of the first number at `from` or behind that is at least `atLeast`, found by galloping: it is mostly near. */
  #search(atLeast: number, from: number): number {
    let low = from;
    let step = 1;
    while (low + step <= this.#length && this.#at(low + step - 1) < atLeast) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step - 1, this.#length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at(middle) < atLeast) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #resize(capacity: number): void {
    const numbers = new Uint32Array(capacity);
    numbers.set(this.#numbers.subarray(0, this.#length));
    this.#numbers = numbers;
  }
}

/** The numbers that all of the walks have; at least one walk. The shortest one leads. */
export function allOf(walks: readonly Walk[]): Walk {
  const [lead, ...others] = walks.toSorted((a, b) => a.size - b.size) as [Walk, ...Walk[]];
  return {
    size: lead.size,
    next(atLeast) {
      let number = lead.next(atLeast);
      for (let i = 0; i < others.length && number !== END; i++) {
        const other = (others[i] as Walk).next(number);
        if (other === number) continue;
        number = other === END ? END : lead.next(other);
        i = -1;
      }
      return number;
    },
  };
}

/** The numbers that any of the walks has. */
export function anyOf(walks: readonly Walk[]): Walk {
  const [only] = walks;
  if (only !== undefined && walks.length === 1) return only;
  let heap: Array<{ walk: Walk; number: number }> | undefined;

  function sink(items: Array<{ walk: Walk; number: number }>, from: number): void {
    const item = items[from] as (typeof items)[number];
    let i = from;
    for (;;) {
      let child = 2 * i + 1;
      const [left, right] = [items[child], items[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && right.number < left.number) child++;
      const least = items[child] as (typeof items)[number];
      if (least.number >= item.number) break;
      items[i] = least;
      i = child;
    }
    items[i] = item;
  }

  return {
    size: walks.reduce((sum, walk) => sum + walk.size, 0),
    next(atLeast) {
      if (heap === undefined) {
        heap = walks.map((walk) => ({ walk, number: walk.next(atLeast) }));
        for (let i = heap.length >>> 1; i-- > 0; ) sink(heap, i);
      }
      let top = heap[0];
      while (top !== undefined && top.number < atLeast) {
        top.number = top.walk.next(atLeast);
        sink(heap, 0);
        top = heap[0];
      }
      return top?.number ?? END;
    },
  };
}
