import type { Abort } from '../abort.ts';
import type { BoundedBody } from './body.ts';

/** Header fields by name in lower case; the values of one name are joined by commas. */
export type Fields = Readonly<Record<string, string>>;

/** What one hop sends. */
export interface Message {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The head of an answer and the way to its body, of which exactly one is called: `read` or `discard`. */
export interface HopAnswer {
  /** 0 where the platform hides a redirect. */
  status: number;
  fields: Fields;
  /** At most `limit` bytes after decompression; more ends the transfer. `onBytes` hears of every chunk, also of a body that breaks off. */
  read(limit: number, onBytes: (count: number) => void): Promise<BoundedBody>;
  discard(): void;
}

/**
 * One request of one URL, as far as the head of its answer. Redirects, error statuses, retries and time limits are the caller's.
 * A GET that meets a kept connection just being closed goes out again on a fresh one, and is still one request.
 * An abort ends it at once, and the reading of the body too: both reject with its reason.
 */
export type Hop = (message: Message, abort: Abort) => Promise<HopAnswer>;
