/** An answer that was judged good, with all that is needed to judge it again and to ask whether it still holds. */
export interface CacheEntry {
  /** After redirects, complete. */
  url: string;
  /** The URLs that redirected, without query strings. */
  redirects: string[];
  /** Of the response headers those that matter for its freshness, validation and checks, in lower case. */
  headers: [name: string, value: string][];
  text: string;
  /** Size of the body after decompression. */
  bytes: number;
  /** `anonymous`, or the label of the credential that was sent for it. */
  view: string;
  /** When it was received or last confirmed; milliseconds since the epoch. */
  fetchedAt: number;
  /** Milliseconds since the epoch. */
  freshUntil: number;
  /** When asking for it last failed, if it did since; then it is used only in place of an answer, whatever its freshness. */
  failedAt?: number;
}

/**
 * Where answers are kept: a plain map that may forget. It judges nothing, not even age. Keys hold no credentials.
 * Reading or writing that fails counts as absent or as not stored: the network answers instead.
 */
export interface CacheStore {
  /**
   * 32 random bytes that stay the same for as long as what is stored: with them a later client knows again which answers its
   * credentials may see. Without, answers that took a credential serve one client only.
   */
  readonly secret?: Uint8Array;
  get(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  set(key: string, entry: CacheEntry): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}
