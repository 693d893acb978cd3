/**
 * Every code this library can report, with what it means and whether asking again later can help.
 * The class, the {@link ErrorCode} type and the table in the README all follow from this one object.
 *
 * The first seven are the protocol's own (section 6) and keep the protocol's meaning; the rest are additions.
 */
export const ERROR_CODES = {
  VALIDATION_ERROR: {
    retryable: false,
    meaning: 'The document breaks the protocol schema; the violations name each field.',
  },
  AUTH_REQUIRED: {
    retryable: false,
    meaning:
      'Credentials are needed: the server asks for them (401), or the skill does and none are configured.',
  },
  PERMISSION_DENIED: { retryable: false, meaning: 'The server refuses this caller (403).' },
  SKILL_NOT_FOUND: {
    retryable: false,
    meaning: 'There is no such skill: no descriptor at that URL (404, 410), or none that may be invoked.',
  },
  EXECUTION_TIMEOUT: { retryable: true, meaning: 'The execution of a skill took too long (408, 504).' },
  ENDPOINT_UNREACHABLE: { retryable: true, meaning: "A skill's invocation endpoint is down (502, 503)." },
  VERSION_INCOMPATIBLE: { retryable: false, meaning: 'The document speaks another MAJOR protocol version.' },

  INDEX_NOT_FOUND: { retryable: false, meaning: 'The domain offers no skill index (404, 410, 405).' },
  PAYMENT_REQUIRED: { retryable: false, meaning: 'The server wants payment (402).' },
  BLOCKED: { retryable: false, meaning: 'A challenge page stands where the document should be.' },
  RATE_LIMITED: {
    retryable: true,
    meaning: 'The server asks for fewer requests (429), for longer than we wait.',
  },
  SERVER_ERROR: { retryable: true, meaning: 'The server failed (408, 5xx).' },
  HTTP_STATUS: { retryable: false, meaning: 'Any other HTTP status that carries no document.' },

  HTML_INSTEAD: { retryable: false, meaning: 'A web page was served where JSON was expected.' },
  NOT_JSON: { retryable: false, meaning: 'The body is not JSON.' },
  EMPTY_BODY: { retryable: false, meaning: 'The body is empty.' },
  BAD_ENCODING: {
    retryable: false,
    meaning: 'The body is not valid text in its declared encoding, or its compression is broken.',
  },
  BODY_TOO_LARGE: { retryable: false, meaning: 'The body, after decompression, exceeds the size limit.' },
  TOO_DEEP: { retryable: false, meaning: 'The JSON is nested deeper than the limit.' },
  STRING_TOO_LONG: { retryable: false, meaning: 'A string in the document is longer than the limit.' },
  TOO_MANY_SKILLS: { retryable: false, meaning: 'The index lists more skills than the limit.' },
  DUPLICATE_ID: {
    retryable: false,
    meaning: 'Several entries of one index share this id; all of them are rejected.',
  },
  DESCRIPTOR_MISMATCH: {
    retryable: false,
    meaning: 'The descriptor contradicts its index entry in id, capability type or access.',
  },
  PRIVATE_EXPOSED: { retryable: false, meaning: 'A private skill is listed to an anonymous caller.' },

  TIMEOUT: { retryable: true, meaning: 'No complete answer within the time limit.' },
  DNS_FAILURE: { retryable: true, meaning: 'The host name does not resolve.' },
  TLS_FAILURE: { retryable: false, meaning: 'No trusted TLS connection could be made.' },
  NETWORK_FAILURE: { retryable: true, meaning: 'The connection was refused, reset or broke off.' },
  HEADERS_TOO_LARGE: { retryable: false, meaning: 'The response headers exceed the size limit.' },
  BUDGET_EXCEEDED: { retryable: true, meaning: "The domain's total of time, requests or bytes is used up." },

  INVALID_DOMAIN: {
    retryable: false,
    meaning: 'This is not a domain: expected host, host:port or an origin URL.',
  },
  ADDRESS_REFUSED: { retryable: false, meaning: 'The address is private, reserved or a metadata service.' },
  REDIRECT_REFUSED: {
    retryable: false,
    meaning: 'The redirect loops, is too long, leaves the site or leaves https.',
  },
  URL_REFUSED: {
    retryable: false,
    meaning: 'The URL has a scheme, port or user information that is not fetched.',
  },
  ORIGIN_REFUSED: {
    retryable: false,
    meaning:
      'The descriptor, or the status or result URL of an endpoint, lies on an origin that is not allowed.',
  },
  LOCK_MISMATCH: {
    retryable: false,
    meaning: 'The skill is not in the lock, or is not what was locked.',
  },
  CREDENTIAL_FAILED: {
    retryable: true,
    meaning: 'The credential for this origin could not be obtained or is unusable.',
  },

  INVALID_INPUTS: {
    retryable: false,
    meaning: "The inputs break the skill's definitions; the violations name each.",
  },
  SKILL_FLAGGED: {
    retryable: false,
    meaning: "The skill claims to be another's or can be mistaken for one; the message names the warnings.",
  },
  APPROVAL_REFUSED: { retryable: false, meaning: 'Whoever approves invocations did not approve this one.' },
  ENDPOINT_UNSUPPORTED: {
    retryable: false,
    meaning: "The skill's endpoint takes another method than POST, or something other than JSON.",
  },
  EXECUTION_FAILED: { retryable: false, meaning: 'The provider says that the execution failed.' },
  EXECUTION_CANCELLED: { retryable: false, meaning: 'The provider says that the execution was cancelled.' },
  RESULT_UNAVAILABLE: {
    retryable: false,
    meaning: 'The execution was accepted, and the descriptor names no URL to ask for its result.',
  },
  ANSWER_MISMATCH: {
    retryable: false,
    meaning: 'The answer is about another skill or execution than the one that was asked for.',
  },

  SNAPSHOT_INVALID: {
    retryable: false,
    meaning: 'The export to be read is none, is of a later version, or was cut off.',
  },
  STORE_NOT_FOUND: { retryable: false, meaning: 'There is no store at that place.' },
  STORE_BUSY: { retryable: true, meaning: 'The store is locked by another process.' },
  STORE_CORRUPT: { retryable: false, meaning: 'The store file is damaged.' },
  STORE_NOT_OURS: { retryable: false, meaning: 'The file is not a skillscout store.' },
  STORE_TOO_NEW: { retryable: false, meaning: 'The store was written by a newer version.' },
  STORE_TOO_OLD: {
    retryable: false,
    meaning: 'The store was written by an older version and is not migrated yet: open it writable once.',
  },
  STORE_READ_ONLY: { retryable: false, meaning: 'The store cannot be written.' },
  STORE_FAILED: {
    retryable: false,
    meaning: 'The store failed for another reason, which the message gives.',
  },
  STORE_FULL: { retryable: false, meaning: 'There is no space left for the store.' },
  CLIENT_CLOSED: { retryable: false, meaning: 'The client was closed.' },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>;

/** One of the codes of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * Why something from the outside world was not taken: plain data, safe to serialise and to show.
 * `details` follows the protocol's error envelope: `violations[]` for `VALIDATION_ERROR`, the two versions for
 * `VERSION_INCOMPATIBLE`, `status` where the server answered with one, `retry_after_ms` where it asked us to wait.
 */
export interface Failure {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/** What the caller's own process cannot go on with: a closed client, a store that cannot be used. */
export class SkillscoutError extends Error {
  override readonly name = 'SkillscoutError';
  readonly code: ErrorCode;
  readonly details?: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.details !== undefined) this.details = options.details;
  }

  /** Whether the same call can succeed later without a change. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }

  toJSON(): Failure {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) };
  }
}

/** True for a {@link SkillscoutError} of this or another copy of the package. */
export function isSkillscoutError(value: unknown): value is SkillscoutError {
  return (
    value instanceof Error &&
    value.name === 'SkillscoutError' &&
    typeof (value as { code?: unknown }).code === 'string'
  );
}
