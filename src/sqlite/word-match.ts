import { ownGroups, type StoreQuery, wordToken } from '../registry/index.ts';
import { CLASSES, columnOf, type SkillClass } from './classes.ts';
import type { Connection } from './connection.ts';

/** Characters of the beginning of a word that have an index of their own, without the place. */
const INDEXED_PREFIX = 5;
/** A longer beginning with more words than this is left to the index of all words. */
const MAX_EXPANSION = 64;

/** A word of the question, as what may stand for it at a place. */
type Word = (place: number) => string[];

/** What a query demands of the index of words, as expressions of FTS5. */
export class WordMatch {
  readonly #groups: string[];
  readonly #words: Word[];

  constructor(db: Connection, query: StoreQuery) {
    this.#groups = ownGroups(query).map((group) => anyOf(group.map(quoted)));
    this.#words = expandedWords(db, query.words ?? []);
  }

  /** What matches with exactly this rank. */
  at(rank: number): string {
    const match = this.upTo(rank);
    return rank === 0 ? match : `(${match}) NOT (${this.#wordsUpTo(rank - 1).join(' AND ')})`;
  }

  /** What matches with this rank or a better one. */
  upTo(rank: number): string {
    return [...this.#groups, ...this.#wordsUpTo(rank)].join(' AND ');
  }

  #wordsUpTo(rank: number): string[] {
    const places = Array.from({ length: rank + 1 }, (_, place) => place);
    return this.#words.map((word) => anyOf(places.flatMap(word)));
  }
}

/** The expression for skills of these classes alone; at least one. */
export function within(classes: readonly SkillClass[], expression: string): string {
  if (classes.length === CLASSES.length) return expression;
  return `{${classes.map(columnOf).join(' ')}} : (${expression})`;
}

function expandedWords(db: Connection, words: readonly string[]): Word[] {
  return words.map((word, i) =>
    i < words.length - 1 ? (place) => [quoted(wordToken(word, place))] : prefix(db, word),
  );
}

function prefix(db: Connection, word: string): Word {
  if (Array.from(word).length > INDEXED_PREFIX) {
    const terms = db.all(
      `SELECT term FROM terms WHERE term >= ? AND term < ? LIMIT ${MAX_EXPANSION + 1}`,
      word,
      `${word}\u{10ffff}`,
    );
    // The word itself, so that there always is one.
    const all = [...new Set([word, ...terms.map(({ term }) => term as string)])];
    if (terms.length <= MAX_EXPANSION) return (place) => all.map((term) => quoted(wordToken(term, place)));
  }
  return (place) => [`${quoted(wordToken(word, place))} *`];
}

const anyOf = (expressions: string[]) => `(${expressions.join(' OR ')})`;

/** Tokens hold no quotes. */
const quoted = (token: string) => `"${token}"`;
