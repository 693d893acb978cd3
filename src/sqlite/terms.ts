import { PLACES, wordToken } from '../registry/index.ts';
import type { Connection } from './connection.ts';

/** Words that are remembered as stored. */
const MAX_KNOWN = 50_000;
/** Words that are looked up in one transaction, whether any skill still has them; a look takes some 50 µs. */
const MAX_LOOKS = 500;
/** Words that wait for that: beyond these, some stay that nobody has. */
const MAX_RELEASED = 100_000;

/** The words of the index, without their places. */
export class Terms {
  readonly #db: Connection;
  readonly #known = new Set<string>();
  /** Those that a skill no longer has. */
  readonly #released = new Set<string>();

  constructor(db: Connection) {
    this.#db = db;
  }

  add(term: string): void {
    if (this.#known.has(term)) return;
    if (this.#known.size === MAX_KNOWN) this.#known.clear();
    this.#known.add(term);
    this.#db.run('INSERT OR IGNORE INTO terms VALUES (?)', term);
  }

  /** A skill that had these words is about to leave the index, or to be replaced. */
  release(terms: Iterable<string>): void {
    for (const term of terms) if (this.#released.size < MAX_RELEASED) this.#released.add(term);
  }

  /** Takes a step towards having no word that no skill has. To be called while the index of words is up to date. */
  deleteUnused(): void {
    let looks = 0;
    for (const term of this.#released) {
      if (looks++ === MAX_LOOKS) break;
      this.#released.delete(term);
      const tokens = PLACES.map((_, place) => `"${wordToken(term, place)}"`);
      const sql = 'SELECT 1 FROM words WHERE words MATCH ? LIMIT 1';
      if (this.#db.get(sql, tokens.join(' OR '))) continue;
      this.#known.delete(term);
      this.#db.run('DELETE FROM terms WHERE term = ?', term);
    }
  }

  /** What was added since the last commit is not stored. */
  undo(): void {
    this.#known.clear();
  }
}
