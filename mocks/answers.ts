import { gzipSync } from 'node:zlib';
import type { ProviderOutcome } from '../src/protocol/index.ts';
import { errorResponse, jsonResponse } from './responses.ts';
import { ConnectionReset, type MockSite, untilAborted } from './site.ts';

/** A code of this package. */
export type FaultCode = NonNullable<ProviderOutcome['code']>;

/** A bad answer to a request for a document, whichever document was asked for. */
export interface BadAnswer {
  describe: string;
  /** What a consumer must report. */
  code: FaultCode;
  answer: MockSite;
}

const MIB = 2 ** 20;
const PAGE =
  '<!doctype html><html><head><title>Welcome</title></head><body><div id="app"></div></body></html>';
const CHALLENGE =
  '<!doctype html><html><head><title>Just a moment...</title></head>' +
  '<body><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>';
const OTHER_SHAPE = { kind: 'skills', items: [], meta: { generator: 'another version' } };
const JSON_TYPE = { 'content-type': 'application/json' };

const status = (code: FaultCode, number: number, headers?: Record<string, string>): BadAnswer => ({
  describe: `answers ${number} in the error envelope`,
  code,
  answer: async () => errorResponse(number, code, `This site answers ${number}.`, headers),
});

const body = (
  code: FaultCode,
  describe: string,
  content: () => BodyInit | null,
  init: ResponseInit = {},
): BadAnswer => ({
  describe,
  code,
  answer: async () => new Response(content(), { headers: JSON_TYPE, ...init }),
});

const redirect = (code: FaultCode, describe: string, location: (url: URL) => string): BadAnswer => ({
  describe,
  code,
  answer: async (request) =>
    new Response(null, { status: 302, headers: { location: location(new URL(request.url)) } }),
});

/** Answers that are wrong for an index and for a descriptor alike, and mean the same for both. */
export const BAD_ANSWERS = {
  '401': status('AUTH_REQUIRED', 401, { 'www-authenticate': 'Bearer' }),
  '402': status('PAYMENT_REQUIRED', 402),
  '403': status('PERMISSION_DENIED', 403),
  '408': status('SERVER_ERROR', 408),
  '418': status('HTTP_STATUS', 418),
  '429': status('RATE_LIMITED', 429, { 'retry-after': '86400' }),
  '500': status('SERVER_ERROR', 500),
  '503': status('SERVER_ERROR', 503),
  challenge: body('BLOCKED', 'shows a challenge page with 403', () => CHALLENGE, {
    status: 403,
    headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' },
  }),
  html: body('HTML_INSTEAD', 'shows its web page with 200', () => PAGE, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  }),
  empty: body('EMPTY_BODY', 'sends 200 and no byte', () => ''),
  '204': body('EMPTY_BODY', 'sends 204', () => null, { status: 204 }),
  garbage: body('NOT_JSON', 'sends text that is not JSON', () => 'skills: [translate]'),
  truncated: body(
    'NOT_JSON',
    'sends the first half of a document',
    () => '{"protocol":{"version":"1.0.0"},"na',
  ),
  'not-an-object': body('VALIDATION_ERROR', 'sends a JSON array', () => '[]'),
  encoding: body('BAD_ENCODING', 'sends bytes that are not UTF-8', () =>
    Uint8Array.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0xff, 0x22, 0x7d]),
  ),
  'broken-gzip': body('BAD_ENCODING', 'calls a body gzip that is not', () => '{"protocol":{}}', {
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
  }),
  deep: body('TOO_DEEP', 'nests arrays 100,000 deep', () => `{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
  huge: body('BODY_TOO_LARGE', 'streams 32 MiB', () => padding(32 * MIB)),
  'gzip-bomb': body('BODY_TOO_LARGE', 'sends 32 KiB that unpack to 32 MiB', bomb, {
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
  }),
  hang: {
    describe: 'takes the request and never answers',
    code: 'TIMEOUT',
    answer: (request) => untilAborted(request.signal),
  },
  stall: {
    describe: 'sends headers and the first byte, then nothing',
    code: 'TIMEOUT',
    answer: async (request) => new Response(endless(request.signal), { headers: JSON_TYPE }),
  },
  drip: {
    describe: 'sends a byte every 10 ms, without end',
    code: 'TIMEOUT',
    answer: async (request) => new Response(endless(request.signal, 10), { headers: JSON_TYPE }),
  },
  reset: {
    describe: 'breaks the connection instead of answering',
    code: 'NETWORK_FAILURE',
    answer: async () => {
      throw new ConnectionReset();
    },
  },
  'reset-in-body': body('NETWORK_FAILURE', 'breaks the connection in the middle of the body', broken),
  'redirect-loop': redirect('REDIRECT_REFUSED', 'redirects to itself', (url) => `${url.pathname}?again`),
  'redirect-elsewhere': redirect(
    'REDIRECT_REFUSED',
    'redirects to another site',
    (url) => `https://elsewhere.example${url.pathname}`,
  ),
  'redirect-downgrade': redirect(
    'REDIRECT_REFUSED',
    'redirects to http',
    (url) => `http://${url.host}${url.pathname}`,
  ),
  'redirect-metadata': redirect(
    'ADDRESS_REFUSED',
    "redirects to a cloud's metadata service",
    () => 'https://169.254.169.254/latest/meta-data/',
  ),
  'next-major': {
    describe: 'speaks 2.0.0, in another shape',
    code: 'VERSION_INCOMPATIBLE',
    answer: async () => jsonResponse({ protocol: { version: '2.0.0' }, ...OTHER_SHAPE }),
  },
  'previous-major': {
    describe: 'speaks 0.9.0, in another shape',
    code: 'VERSION_INCOMPATIBLE',
    answer: async () => jsonResponse({ protocol: { version: '0.9.0' }, ...OTHER_SHAPE }),
  },
} as const satisfies Record<string, BadAnswer>;

/** The same bad answer for a document that is not there, where index and descriptor differ in the code. */
export const absent = (code: FaultCode, number: number): BadAnswer => status(code, number);

function padding(length: number): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(2 ** 16).fill(0x20);
  let left = length;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk);
      left -= chunk.length;
      if (left <= 0) controller.close();
    },
  });
}

let bombBytes: Uint8Array<ArrayBuffer> | undefined;

function bomb(): BodyInit {
  bombBytes ??= Uint8Array.from(gzipSync(new Uint8Array(32 * MIB).fill(0x20)));
  return bombBytes;
}

/** A body that never ends by itself: one byte, and another one every `intervalMs` where that is given. */
function endless(signal: AbortSignal, intervalMs?: number): ReadableStream<Uint8Array> {
  const space = Uint8Array.of(0x20);
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(space);
      if (intervalMs !== undefined) timer = setInterval(() => controller.enqueue(space), intervalMs);
      const abort = () => {
        clearInterval(timer);
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
    },
    cancel: () => clearInterval(timer),
  });
}

function broken(): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(new ConnectionReset());
      sent = true;
      controller.enqueue(new TextEncoder().encode('{"protocol":{"version":"1.0.0"},'));
    },
  });
}
