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
  /** The first number while there is no array: most words stand in one skill, and an array costs 200 bytes. */
  #only = 0;
  #many: Uint32Array | undefined;

  /** Of distinct ascending numbers, which it takes over. */
  static of(ascending: Uint32Array): Postings {
    const postings = new Postings();
    postings.#length = ascending.length;
    postings.#only = ascending[0] ?? 0;
    if (ascending.length > 1) postings.#many = ascending;
    return postings;
  }

  get length(): number {
    return this.#length;
  }

  copyTo(target: Uint32Array, at: number): void {
    if (this.#many === undefined) target.fill(this.#only, at, at + this.#length);
    else target.set(this.#many.subarray(0, this.#length), at);
  }

  /** Numbers that the memory held has room for. */
  get capacity(): number {
    return this.#many?.length ?? 0;
  }

  add(number: number): void {
    const i = this.#positionOf(number);
    if (i < this.#length && this.#at(i) === number) return;
    if (this.#length === 0) this.#only = number;
    else {
      if (this.#length >= this.capacity) this.#resize(this.#length * 2);
      this.#many?.copyWithin(i + 1, i, this.#length);
      this.#many?.fill(number, i, i + 1);
    }
    this.#length++;
  }

  remove(number: number): void {
    const i = this.#positionOf(number);
    if (i === this.#length || this.#at(i) !== number) return;
    this.#many?.copyWithin(i, i + 1, this.#length);
    this.#length--;
    if (this.#length <= 1) {
      this.#only = this.#at(0);
      this.#many = undefined;
    } else if (this.#length <= this.capacity / 4) this.#resize(this.capacity / 2);
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
    return this.#many === undefined ? this.#only : (this.#many[i] as number);
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
    const many = new Uint32Array(capacity);
    if (this.#many === undefined) many[0] = this.#only;
    else many.set(this.#many.subarray(0, this.#length));
    this.#many = many;
  }
}

/** The numbers that any of the postings has, gathered and sorted. */
export function unionOf(lists: readonly Postings[]): Postings {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const postings of lists) {
    postings.copyTo(all, length);
    length += postings.length;
  }
  all.sort();
  let distinct = 0;
  for (const number of all) if (distinct === 0 || number !== all[distinct - 1]) all[distinct++] = number;
  return Postings.of(all.subarray(0, distinct));
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
