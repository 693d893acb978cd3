import { SortedSet } from './sorted-set.ts';
import type { ChangePage, ChangePosition, ChangeQuery, StoredChange } from './store.ts';

const MAX_CHANGES = 100_000;

interface LoggedChange extends ChangePosition {
  domain: string;
  isPrivate: boolean;
  /** JSON: what is handed out is always the caller's own copy. */
  text: string;
}

/** The changes that a memory store remembers: the newest 100,000, and no more than `maxBytes` of their text. */
export class ChangeLog {
  readonly #maxBytes: number;
  readonly #changes = new SortedSet<LoggedChange>((a, b) => a.at - b.at || a.number - b.number);
  #bytes = 0;
  #lastNumber = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(changes: readonly StoredChange[], forgetBefore: number): void {
    for (const { isPrivate, ...change } of changes) {
      const { at, domain } = change;
      const logged = { at, number: ++this.#lastNumber, domain, isPrivate, text: JSON.stringify(change) };
      this.#changes.add(logged);
      this.#bytes += bytesOf(logged);
    }
    for (let [first] = this.#changes.from(); first !== undefined; [first] = this.#changes.from()) {
      const isTooMuch = this.#changes.size > MAX_CHANGES || this.#bytes > this.#maxBytes;
      if (!isTooMuch && first.at >= forgetBefore) break;
      this.#changes.delete(first);
      this.#bytes -= bytesOf(first);
    }
  }

  page({ since = Number.NEGATIVE_INFINITY, domains, includePrivate, after, limit }: ChangeQuery): ChangePage {
    const wanted = domains && new Set(domains);
    const page: LoggedChange[] = [];
    for (const change of this.#changes.from(asItem(after ?? { at: since, number: 0 }))) {
      if (change.number === after?.number) continue;
      if (change.isPrivate && !includePrivate) continue;
      if (wanted && !wanted.has(change.domain)) continue;
      if (page.length === limit) return { changes: page.map(toChange), next: positionOf(page) };
      page.push(change);
    }
    return { changes: page.map(toChange) };
  }
}
