import { Postings, unionOf } from './postings.ts';
import { SortedSet } from './sorted-set.ts';

/** What one token takes besides its own text, and what an array of numbers takes besides them; measured. */
const TOKEN_BYTES = 160;
const ARRAY_BYTES = 200;

/** Length from which V8 cuts a text out by reference. */
const MIN_SLICE = 13;

/** Numbers of a posting that cost less to sort among others than to walk beside them. */
const MAX_FEW = 16;

/** Which skills have which tokens. */
export class InvertedIndex {
  readonly #postings = new Map<string, Postings>();
  /** Those that begin with a digit, as tokens of words do. */
  readonly #words = new SortedSet<string>((a, b) => (a === b ? 0 : a < b ? -1 : 1));
  #bytes = 0;

  /** An estimate of the memory held. */
  get bytes(): number {
    return this.#bytes;
  }

  add(token: string, number: number): void {
    const postings = this.#postings.get(token) ?? this.#create(token);
    const { capacity } = postings;
    postings.add(number);
    if (postings.capacity !== capacity) this.#bytes += arrayBytes(postings.capacity) - arrayBytes(capacity);
  }

  remove(token: string, number: number): void {
    const postings = this.#postings.get(token);
    if (postings === undefined) return;
    const { capacity } = postings;
    postings.remove(number);
    this.#bytes += arrayBytes(postings.capacity) - arrayBytes(capacity);
    if (postings.length > 0) return;
    this.#postings.delete(token);
    this.#words.delete(token);
    this.#bytes -= tokenBytes(token);
  }

  /** Of each of the tokens that any skill has. */
  having(tokens: readonly string[]): Postings[] {
    return tokens.map((token) => this.#postings.get(token)).filter((postings) => postings !== undefined);
  }

  /** Of all words' tokens that begin so, those that few skills have as one: there can be a million of them. */
  beginningWith(prefix: string): Postings[] {
    const few: Postings[] = [];
    const many: Postings[] = [];
    for (const token of this.#words.from((other) => other < prefix)) {
      if (!token.startsWith(prefix)) break;
      const postings = this.#postings.get(token) as Postings;
      (postings.length <= MAX_FEW ? few : many).push(postings);
    }
    if (few.length > 1) return [...many, unionOf(few)];
    return [...many, ...few];
  }

  #create(token: string): Postings {
    // A copy of its own: what was cut out of a text keeps the whole text in memory, unless it is so short that it was copied.
    const own = token.length < MIN_SLICE ? token : Array.from(token).join('');
    const postings = new Postings();
    this.#postings.set(own, postings);
    if (own < 'A') this.#words.add(own);
    this.#bytes += tokenBytes(own);
    return postings;
  }
}

function arrayBytes(capacity: number): number {
  return capacity === 0 ? 0 : ARRAY_BYTES + 4 * capacity;
}

function tokenBytes(token: string): number {
  return TOKEN_BYTES + 2 * token.length;
}
