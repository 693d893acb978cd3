import { SkillscoutError } from '../errors.ts';
import type { ApplyResult } from '../registry/index.ts';
import { type Answer, type SessionOptions, WriteSession } from './write-session.ts';
import type { WriteRequest } from './writer.ts';

/** Characters that are written before a thread is worth its start: the documents of some ordinary providers. */
const MAX_SIZE = 200_000;
/** What a request takes besides its documents, in characters. */
const REQUEST_SIZE = 1000;

export interface Waiting {
  resolve(result: ApplyResult | undefined): void;
  reject(error: unknown): void;
}

export interface Asked extends Waiting {
  request: WriteRequest;
}

/**
 * Writes the first requests in this thread, as starting another takes several times as long; only into a file in which nothing is
 * stored, since a small request can change much of what is. It waits for nobody: where another process is in the way, it calls
 * `giveUp`, which must take over by {@link end}.
 */
export class FirstWrites {
  readonly #session: WriteSession;
  readonly #giveUp: () => void;
  readonly #isNew: () => boolean;
  readonly #queue: Asked[] = [];
  /** Undefined until it is known whether the file is new. */
  #left: number | undefined;

  constructor(options: SessionOptions, { isNew, giveUp }: { isNew: () => boolean; giveUp: () => void }) {
    this.#session = new WriteSession({ ...options, busyTimeoutMs: 0 });
    this.#giveUp = giveUp;
    this.#isNew = isNew;
  }

  /** Gives false for what it does not take. */
  take(asked: Asked): boolean {
    const size = sizeOf(asked.request);
    this.#left ??= this.#isNew() ? MAX_SIZE : 0;
    if (size > this.#left) return false;
    this.#left -= size;
    // What is asked for in one turn is written in one transaction.
    if (this.#queue.push(asked) === 1) setImmediate(() => this.#write());
    return true;
  }

  /** Takes nothing more, and gives what is not yet written. */
  end(): Asked[] {
    this.#left = 0;
    this.#session.close();
    return this.#queue.splice(0);
  }

  /** Writes what it has taken, and ends. */
  close(): void {
    this.#write();
    this.#left = 0;
    this.#session.tidyAndClose();
  }

  #write(): void {
    while (this.#queue.length > 0) {
      const taken: Asked[] = [];
      const next = () => {
        const asked = this.#queue.shift();
        if (asked) taken.push(asked);
        return asked?.request;
      };
      const answers = this.#session.run(next() as WriteRequest, next);
      const refused: Asked[] = [];
      for (const [i, answer] of answers.entries()) {
        const asked = taken[i] as Asked;
        if ('code' in answer && answer.code === 'STORE_BUSY') refused.push(asked);
        else settle(asked, answer);
      }
      this.#queue.unshift(...refused);
      if (refused.length > 0) this.#giveUp();
    }
  }
}

function sizeOf(request: WriteRequest): number {
  switch (request.kind) {
    case 'apply':
      return request.update.skills.reduce((size, { descriptor }) => size + descriptor.length, REQUEST_SIZE);
    case 'keep':
      return request.entry.text.length + REQUEST_SIZE;
    case 'drop':
      return REQUEST_SIZE;
  }
}

export function settle({ resolve, reject }: Waiting, answer: Answer): void {
  if ('result' in answer) resolve(answer.result);
  else reject(new SkillscoutError(answer.code ?? 'STORE_FAILED', answer.message));
}
