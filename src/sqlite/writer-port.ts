import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { SkillscoutError } from '../errors.ts';
import type { ApplyResult, ProviderUpdate, StoredSkill } from '../registry/index.ts';
import { type Asked, FirstWrites, settle, type Waiting } from './first-writes.ts';
import type { Answer, SessionOptions } from './write-session.ts';
import type { WriteRequest } from './writer.ts';

/** `parcel` names skills that were sent ahead of an update, or that this update takes up. */
export type Message =
  | (WriteRequest & { parcel?: number })
  | { kind: 'skills'; parcel: number; skills: StoredSkill[] }
  | 'close';

/** Skills that are copied for the thread in one go, which takes some milliseconds. */
const MAX_SKILLS = 200;

/**
 * The way to the thread that writes. It is started once there is more to write than the {@link FirstWrites}, and keeps the
 * process alive only while it has work.
 */
export class WriterPort {
  readonly #options: SessionOptions;
  readonly #first: FirstWrites;
  /** In the order in which the thread answers. */
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #ended: Promise<void> | undefined;
  #isClosing = false;
  #lastParcel = 0;
  /** Updates that are being sent in parts. */
  readonly #parcels = new Set<Promise<unknown>>();
  /** Why there is no thread any more. */
  #failure: Error | undefined;

  /** `isNew` tells whether nothing is stored yet; it is asked before the first write. */
  constructor(options: SessionOptions, isNew: () => boolean) {
    this.#options = options;
    this.#first = new FirstWrites(options, { isNew, giveUp: () => this.#takeOver() });
  }

  /** Rejects with a SkillscoutError, or with an Error where the thread has died. */
  send(request: WriteRequest): Promise<ApplyResult | undefined> {
    if (request.kind !== 'apply' || request.update.skills.length <= MAX_SKILLS) return this.#ask(request);
    const sent = this.#sendInParts(request.update);
    this.#parcels.add(sent);
    return sent.finally(() => this.#parcels.delete(sent));
  }

  /** Waits until everything is done. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#parcels);
    this.#first.close();
    this.#isClosing = true;
    this.#worker?.ref();
    this.#worker?.postMessage('close');
    await this.#ended;
  }

  /** Others get their turn between the parts. */
  async #sendInParts(update: ProviderUpdate): Promise<ApplyResult | undefined> {
    const parcel = ++this.#lastParcel;
    for (let i = 0; i < update.skills.length; i += MAX_SKILLS) {
      this.#post({ kind: 'skills', parcel, skills: update.skills.slice(i, i + MAX_SKILLS) });
      await new Promise(setImmediate);
    }
    return this.#ask({ kind: 'apply', update: { ...update, skills: [] }, parcel });
  }

  #ask(request: WriteRequest & { parcel?: number }): Promise<ApplyResult | undefined> {
    return new Promise((resolve, reject) => {
      const asked = { request, resolve, reject };
      if (!this.#first.take(asked)) this.#pass(asked);
    });
  }

  #pass({ request, ...waiting }: Asked): void {
    this.#post(request).ref();
    this.#waiting.push(waiting);
  }

  #post(message: Message): Worker {
    const worker = this.#thread();
    worker.postMessage(message);
    return worker;
  }

  #thread(): Worker {
    if (this.#failure) throw this.#failure;
    if (this.#worker === undefined) {
      const queued = this.#first.end();
      try {
        this.#worker = this.#start();
      } catch (cause) {
        this.#waiting.push(...queued);
        this.#fail(cause);
        throw this.#failure;
      }
      for (const asked of queued) this.#pass(asked);
    }
    return this.#worker;
  }

  #takeOver(): void {
    try {
      this.#thread();
    } catch {
      // Whoever waits has been told.
    }
  }

  #start(): Worker {
    // Beside this file, and of its kind.
    const { href } = new URL(`./writer-thread${extname(import.meta.url)}`, import.meta.url);
    // Not the file itself, which Node refuses where the process was started with --input-type.
    const code = `import ${JSON.stringify(href)};`;
    const threads = process.getBuiltinModule('node:worker_threads');
    const worker = new threads.Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
      workerData: this.#options,
    });
    worker.unref();
    worker.on('message', (answers: Answer[]) => this.#settle(answers));
    worker.on('error', (cause) => this.#fail(cause));
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#fail();
        resolve();
      });
    });
    return worker;
  }

  #settle(answers: Answer[]): void {
    for (const answer of answers) {
      const waiting = this.#waiting.shift();
      if (waiting) settle(waiting, answer);
    }
    if (this.#waiting.length === 0 && !this.#isClosing) this.#worker?.unref();
  }

  #fail(cause?: unknown): void {
    const message = `the thread that writes ${this.#options.file} has ended`;
    this.#failure ??= new SkillscoutError('STORE_FAILED', message, { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
