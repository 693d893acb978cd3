import type { ErrorCode, Failure } from '../errors.ts';
import { type IndexReading, parseIndex, type ReadOptions } from '../protocol/index.ts';
import type { Check, HttpResponse } from '../transport/index.ts';
import { DescriptorReading } from './descriptor-reading.ts';

export type CheckOptions = Required<Pick<ReadOptions, 'protocolVersion'>> & ReadOptions;

/** Judges an answer of the well-known URI. */
export const indexCheck =
  (options: CheckOptions): Check<IndexReading> =>
  (response) => {
    const failure = statusFailure(response, 'INDEX_NOT_FOUND');
    if (failure) return { ok: false, failure };
    const reading = inContext(response, parseIndex(response.text, options));
    return reading.ok ? { ...reading, bytes: jsonBytes(response.text) } : reading;
  };

/** Judges an answer of a descriptor URL. */
export const descriptorCheck =
  (options: CheckOptions): Check<DescriptorReading> =>
  (response) => {
    const failure = statusFailure(response, 'SKILL_NOT_FOUND');
    if (failure) return { ok: false, failure };
    const reading = inContext(response, DescriptorReading.of(response.text, options));
    return reading.ok ? { ...reading, bytes: reading.value.bytes } : reading;
  };

/** What one more object, array or member takes at most, besides its text. */
const PART_BYTES = 64;

/** An upper estimate of the memory that parsed JSON takes. */
function jsonBytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text[i];
    if (unit === ',' || unit === '{' || unit === '[') bytes += PART_BYTES;
  }
  return bytes;
}

/** Whether the media type is one that JSON documents are served with (RFC 6839, RFC 8259). */
export function isJsonMediaType(contentType: string): boolean {
  return /^\s*(?:application|text)\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(contentType);
}

function statusFailure(response: HttpResponse, absent: ErrorCode): Failure | undefined {
  const { status, retryAfterMs } = response;
  if (isChallenge(response)) {
    return {
      code: 'BLOCKED',
      message: `a challenge page answered instead: ${describe(response)}`,
      details: { status },
    };
  }
  if (status >= 200 && status < 300 && status !== 206) return undefined;
  const code = statusCode(status, absent);
  const asksForPause = retryAfterMs !== undefined && (status === 429 || status === 503);
  return {
    code,
    message: `the server answered ${describe(response)}`,
    details: { status, ...(asksForPause && { retry_after_ms: retryAfterMs }) },
  };
}

function statusCode(status: number, absent: ErrorCode): ErrorCode {
  switch (status) {
    case 404:
    case 410:
      return absent;
    case 405:
      return absent === 'INDEX_NOT_FOUND' ? absent : 'HTTP_STATUS';
    case 401:
      return 'AUTH_REQUIRED';
    case 402:
      return 'PAYMENT_REQUIRED';
    case 403:
      return 'PERMISSION_DENIED';
    case 429:
      return 'RATE_LIMITED';
    case 408:
      return 'SERVER_ERROR';
    default:
      return status >= 500 && status < 600 ? 'SERVER_ERROR' : 'HTTP_STATUS';
  }
}

/** Markers of the interstitials that bot filters show; looked for only in web pages. */
const CHALLENGE_MARKERS =
  /\/cdn-cgi\/challenge-platform|cf-chl-|<title>(?:just a moment|attention required|access denied|checking your browser|security check)|g-recaptcha|h-captcha|px-captcha|_incapsula_resource|awswaf/i;

function isChallenge(response: HttpResponse): boolean {
  if (response.header('cf-mitigated')?.toLowerCase() === 'challenge') return true;
  return /^\s*</.test(response.text) && CHALLENGE_MARKERS.test(response.text.slice(0, 65_536));
}

/** A document that fails says where it came from: the cause is often the server's set-up, not its author's JSON. */
function inContext<T>(
  response: HttpResponse,
  reading: { ok: true; value: T } | { ok: false; failure: Failure },
): { ok: true; value: T } | { ok: false; failure: Failure } {
  if (
    reading.ok ||
    reading.failure.code === 'VALIDATION_ERROR' ||
    reading.failure.code === 'VERSION_INCOMPATIBLE'
  ) {
    return reading;
  }
  const { failure } = reading;
  return { ok: false, failure: { ...failure, message: `${failure.message} (${describe(response)})` } };
}

function describe({ status, contentType, url }: HttpResponse): string {
  const type = contentType === '' ? 'no content type' : JSON.stringify(contentType.slice(0, 100));
  return `status ${status}, ${type}, from ${url.replace(/[?#].*$/s, '')}`;
}
