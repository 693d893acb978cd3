import { type ErrorCode, isSkillscoutError } from '../errors.ts';
import type { ApplyResult } from '../registry/index.ts';
import type { Connection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { storeError } from './errors.ts';
import { openToWrite } from './file.ts';
import { type WriteOutcome, type WriteRequest, Writer } from './writer.ts';

export interface SessionOptions {
  file: string;
  busyTimeoutMs: number;
  maxResponseBytes: number;
}

/** A {@link WriteOutcome} that can be sent from thread to thread. */
export type Answer = { result: ApplyResult | undefined } | { code: ErrorCode | undefined; message: string };

/** Writes over a connection that is opened with the first request. */
export class WriteSession {
  readonly #options: SessionOptions;
  #open: { db: Connection; writer: Writer } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** As {@link Writer.runBatch}. */
  run(first: WriteRequest, next: () => WriteRequest | undefined): Answer[] {
    return this.#outcomesOf(first, next).map((outcome) => this.#toAnswer(outcome));
  }

  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }

  /** To be called where nobody goes on to write: brings everything into the file itself, as far as no reader is in the way. */
  tidyAndClose(): void {
    try {
      this.#open?.db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // What stays in the log is read from there.
    }
    this.close();
  }

  #outcomesOf(first: WriteRequest, next: () => WriteRequest | undefined): WriteOutcome[] {
    try {
      if (this.#open === undefined) {
        const db = openToWrite(loadDriver(), this.#options);
        this.#open = { db, writer: new Writer(db, this.#options) };
      }
    } catch (error) {
      return [{ error }];
    }
    return this.#open.writer.runBatch(first, next);
  }

  #toAnswer(outcome: WriteOutcome): Answer {
    if (!('error' in outcome)) return outcome;
    const error = storeError(outcome.error, this.#options.file);
    return {
      code: isSkillscoutError(error) ? error.code : undefined,
      message: error instanceof Error ? error.message : String(error),
    };
  }
}
