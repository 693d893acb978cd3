import type { CacheEntry, CacheStore } from '../transport/index.ts';
import type { Row } from './driver.ts';
import type { WriteRequest } from './writer.ts';

/** Characters of answers that may wait to be written before a caller has to wait with them. */
const MAX_WAITING = 8 * 1024 * 1024;

interface ResponsesOptions {
  secret: Uint8Array;
  /** The row that `responses` has of the key. */
  read(key: string): Row | undefined;
  write(request: WriteRequest): Promise<unknown>;
}

/** The answers that a store keeps. What cannot be written is not kept. */
export class Responses implements CacheStore {
  readonly secret: Uint8Array;
  readonly #options: ResponsesOptions;
  /** What was asked for last and is not yet done, by key. */
  readonly #waiting = new Map<string, { entry: CacheEntry | undefined }>();
  #size = 0;

  constructor(options: ResponsesOptions) {
    this.secret = options.secret;
    this.#options = options;
  }

  get(key: string): CacheEntry | undefined {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting.entry;
    const row = this.#options.read(key);
    if (row === undefined) return undefined;
    const body = row.body as Uint8Array;
    const plain = row.is_deflated ? process.getBuiltinModule('node:zlib').inflateRawSync(body) : body;
    const text = Buffer.from(plain).toString();
    return { ...JSON.parse(row.entry as string), text };
  }

  set(key: string, entry: CacheEntry): void | Promise<void> {
    return this.#write(key, entry, { kind: 'keep', key, entry });
  }

  delete(key: string): void | Promise<void> {
    return this.#write(key, undefined, { kind: 'drop', key });
  }

  #write(key: string, entry: CacheEntry | undefined, request: WriteRequest): void | Promise<void> {
    const waiting = { entry };
    const size = key.length + (entry?.text.length ?? 0);
    this.#waiting.set(key, waiting);
    this.#size += size;
    const end = () => {
      this.#size -= size;
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    };
    const written = this.#options.write(request).then(end, end);
    if (this.#size > MAX_WAITING) return written;
  }
}
