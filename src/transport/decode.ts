const MAX_CONTENT_CODINGS = 3;

/** Text, or why the bytes are none. */
export type Decoded = { ok: true; text: string } | { ok: false; reason: string };

const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

const CONTENT_CODINGS = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

/**
 * Decodes a whole body. A byte order mark decides and is removed (Encoding standard); else the charset of `Content-Type`;
 * else UTF-8 (RFC 8259). Malformed text is refused, not repaired.
 */
export function decodeText(bytes: Uint8Array, contentType: string): Decoded {
  const label = markedEncoding(bytes) ?? declaredCharset(contentType) ?? 'utf-8';
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    return { ok: false, reason: `the charset ${JSON.stringify(label.slice(0, 40))} is not known` };
  }
  try {
    return { ok: true, text: decoder.decode(bytes) };
  } catch {
    return { ok: false, reason: `the body is not valid ${decoder.encoding}` };
  }
}

/** Decodes what it can: for bodies that only explain an error. */
export function decodeLeniently(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Why a body with this `Content-Encoding` is not decoded, if so: a coding that no fetch knows, or a pile of them. */
export function refusedContentCoding(header: string | undefined): string | undefined {
  const codings = contentCodings(header);
  if (codings.length > MAX_CONTENT_CODINGS) return `the body has ${codings.length} content codings`;
  const unknown = codings.find((coding) => !CONTENT_CODINGS.has(coding));
  return unknown === undefined ? undefined : `the content coding "${unknown}" is not known`;
}

/** In the order in which they were applied (RFC 9110, section 8.4). */
export function contentCodings(header: string | undefined): string[] {
  if (header === undefined) return [];
  const codings = header.split(',').map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => coding !== '' && coding !== 'identity');
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

function declaredCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
}
