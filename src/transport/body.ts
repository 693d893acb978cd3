import { type Abortable, onAbort } from '../abort.ts';

/** How much of a body was read: all of it, or as much as the limit lets through. */
export interface BoundedBody {
  bytes: Uint8Array;
  complete: boolean;
}

/**
 * Reads at most `limit` bytes, as decoded by fetch; more ends the transfer. `onBytes` hears of every chunk, also of a body
 * that breaks off. An abort ends it at once, whatever the stream's source does about the signal; rejects with its reason.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  signal: Abortable,
  onBytes: (count: number) => void,
): Promise<BoundedBody> {
  signal.throwIfAborted();
  if (body === null) return { bytes: new Uint8Array(), complete: true };
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const stay = onAbort(signal, cancel);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return { bytes: concat(chunks, length), complete: true };
      onBytes(value.byteLength);
      chunks.push(value);
      length += value.byteLength;
      if (length > limit) {
        cancel();
        return { bytes: concat(chunks, length).subarray(0, limit), complete: false };
      }
    }
  } finally {
    stay();
  }
}

/** Ends the transfer of a body that nobody reads, so that its socket does not stay open. */
export function discardBody(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
