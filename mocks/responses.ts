import type { ErrorEnvelope } from '../src/protocol/index.ts';

/** A JSON answer as the mocks send it. */
export function jsonResponse(document: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(document), { ...init, headers });
}

/** An answer in the protocol's error envelope (section 6). */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): Response {
  const envelope: ErrorEnvelope = { error: { code, message } };
  return jsonResponse(envelope, {
    status,
    headers: { 'cache-control': 'no-store', ...headers },
  });
}
