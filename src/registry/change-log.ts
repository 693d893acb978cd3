import type { Change } from '../protocol/index.ts';
import { SortedSet } from './sorted-set.ts';
import type { ChangePage, ChangePosition, ChangeQuery, StoredChange } from './store.ts';
import { textBytes } from './text-bytes.ts';

const MAX_CHANGES = 100_000;
/** What one change takes besides its text; measured. */
const CHANGE_BYTES = 120;

interface LoggedChange extends ChangePosition {
  domain: string;
  isPrivate: boolean;
  /** JSON: what is handed out is always the caller's own copy. */
  text: string;
}

/** The changes that a memory store remembers: the newest 100,000, as far as they fit into `maxBytes`. */
export class ChangeLog {
  readonly #maxBytes: number;
  readonly #changes = new SortedSet<LoggedChange>(comparePositions);
  #bytes = 0;
  #lastNumber = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds changes, and drops those that are older than `forgetBefore` or too many, the oldest first. */
  add(changes: readonly StoredChange[], forgetBefore: number): void {
    for (const { isPrivate, ...change } of changes) {
      const { at, domain } = change;
      const logged = { at, number: ++this.#lastNumber, domain, isPrivate, text: JSON.stringify(change) };
      this.#changes.add(logged);
      this.#bytes += bytesOf(logged);
    }
    let tooMany = this.#changes.size - MAX_CHANGES;
    const dropped: LoggedChange[] = [];
    for (const change of this.#changes.from(() => false)) {
      if (tooMany-- <= 0 && this.#bytes <= this.#maxBytes && change.at >= forgetBefore) break;
      dropped.push(change);
      this.#bytes -= bytesOf(change);
    }
    for (const change of dropped) this.#changes.delete(change);
  }

  page({ since, domains, includePrivate, after, limit }: ChangeQuery): ChangePage {
    const wanted = domains && new Set(domains);
    const start = after ?? { at: since ?? Number.NEGATIVE_INFINITY, number: 0 };
    const changes: Change[] = [];
    let last: ChangePosition | undefined;
    for (const change of this.#changes.from((other) => comparePositions(other, start) <= 0)) {
      const { at, number, domain, isPrivate, text } = change;
      if ((isPrivate && !includePrivate) || wanted?.has(domain) === false) continue;
      if (last && changes.length === limit) return { changes, next: last };
      changes.push(JSON.parse(text));
      last = { at, number };
    }
    return { changes };
  }
}

function comparePositions(a: ChangePosition, b: ChangePosition): number {
  return a.at - b.at || a.number - b.number;
}

function bytesOf({ text }: LoggedChange): number {
  return CHANGE_BYTES + textBytes(text);
}
