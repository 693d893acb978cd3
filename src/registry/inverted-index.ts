import { Postings } from './postings.ts';
import { SortedSet } from './sorted-set.ts';

/** What one token takes besides its own text, what the numbers of few skills take, and what a posting does besides them; measured. */
const TOKEN_BYTES = 65;
const FEW_BYTES = 140;
const POSTINGS_BYTES = 250;

/** Numbers that cost less in a plain array than in a posting, and less to sort among others than to walk beside them. */
const MAX_FEW = 16;

/** Which skills have which tokens. */
export class InvertedIndex {
  /**
   * Most words stand in one skill, and an object for its number would take as much as the word. Few numbers are in no order.
   * Tokens are joined of several parts, so none keeps the text in memory out of which its word was cut.
   */
  readonly #numbers = new Map<string, number | number[] | Postings>();
  /** Those that begin with a digit, as tokens of words do. */
  readonly #words = new SortedSet<string>((a, b) => (a < b ? -1 : a === b ? 0 : 1));
  #bytes = 0;

  /** An estimate of the memory held. */
  get bytes(): number {
    return this.#bytes;
  }

  add(token: string, number: number): void {
    const known = this.#numbers.get(token);
    if (known === undefined) {
      this.#numbers.set(token, number);
      if (token < 'A') this.#words.add(token);
      this.#bytes += tokenBytes(token);
    } else if (known instanceof Postings) {
      const { capacity } = known;
      known.add(number);
      this.#bytes += 4 * (known.capacity - capacity);
    } else if (typeof known === 'number') {
      if (known !== number) this.#put(token, known, [known, number]);
    } else if (!known.includes(number)) {
      if (known.length < MAX_FEW) known.push(number);
      else this.#put(token, known, Postings.of([...known, number]));
    }
  }

  remove(token: string, number: number): void {
    const known = this.#numbers.get(token);
    if (known === number) {
      this.#numbers.delete(token);
      this.#words.delete(token);
      this.#bytes -= tokenBytes(token);
    } else if (known instanceof Postings) {
      const { capacity } = known;
      known.remove(number);
      this.#bytes += 4 * (known.capacity - capacity);
      if (known.length <= MAX_FEW / 2) this.#put(token, known, known.toArray());
    } else if (typeof known === 'object') {
      const others = known.filter((other) => other !== number);
      this.#put(token, known, others.length > 1 ? others : (others[0] as number));
    }
  }

  /** Of each of the tokens that any skill has. */
  having(tokens: readonly string[]): Postings[] {
    const found: Postings[] = [];
    for (const token of tokens) {
      const known = this.#numbers.get(token);
      if (known === undefined) continue;
      if (known instanceof Postings) found.push(known);
      else found.push(Postings.of(typeof known === 'number' ? [known] : known));
    }
    return found;
  }

  /** Of all words' tokens that begin so, those that few skills have as one: there can be a million of them. */
  beginningWith(prefix: string): Postings[] {
    const few: number[] = [];
    const many: Postings[] = [];
    for (const token of this.#words.from((other) => other < prefix)) {
      if (!token.startsWith(prefix)) break;
      const known = this.#numbers.get(token);
      if (known instanceof Postings) many.push(known);
      else if (typeof known === 'number') few.push(known);
      else if (known) for (const number of known) few.push(number);
    }
    return few.length > 0 ? [...many, Postings.of(few)] : many;
  }

  #put(token: string, before: number | number[] | Postings, after: number | number[] | Postings): void {
    this.#numbers.set(token, after);
    this.#bytes += bytesOf(after) - bytesOf(before);
  }
}

function bytesOf(numbers: number | number[] | Postings): number {
  if (typeof numbers === 'number') return 0;
  return numbers instanceof Postings ? POSTINGS_BYTES + 4 * numbers.capacity : FEW_BYTES;
}

function tokenBytes(token: string): number {
  return TOKEN_BYTES + 2 * token.length;
}
