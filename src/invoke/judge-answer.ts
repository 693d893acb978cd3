import type { ErrorCode, Failure } from '../errors.ts';
import {
  checkVersion,
  type InvocationResponse,
  type JsonLimits,
  neutralize,
  ownMember,
  type ProtocolError,
  parseJson,
  type RetryAdvice,
  show,
  type Violation,
  validateErrorEnvelope,
  validateInvocationResponse,
  validateProtocolVersion,
} from '../protocol/index.ts';
import type { HttpResponse } from '../transport/index.ts';
import { EXECUTION_ID, isExecutionId } from './execution-url.ts';

/**
 * Why an answer is none, or what it says went wrong. `details`: `status` and `retry_after_ms` of HTTP, and what the provider said,
 * `provider_code` where it is not the code and `provider_details`.
 */
export interface AnswerFailure extends Failure {
  violations?: Violation[];
  retry?: RetryAdvice;
}

/** `askedMs`: the pause that the provider asks for, the longer of its advice and `Retry-After`. */
export type Judged = { askedMs?: number | undefined } & (
  | { ok: true; answer: InvocationResponse }
  | { ok: false; failure: AnswerFailure }
);

/** What the answer must be about. */
export interface Asked {
  /** Whether this is the POST: only there does 404 speak of the skill. */
  isStart: boolean;
  skillId: string;
  /** Once it is known. */
  executionId: string | undefined;
  /** That this consumer supports. */
  protocolVersion: string;
  json: JsonLimits;
  /** Takes out of text what must not be shown. */
  redact: Redact;
}

export interface Redact {
  text(text: string): string;
  /** Of a value that came from JSON. */
  value(value: unknown): unknown;
}

/** Of a provider's message, in characters. */
const MAX_MESSAGE = 500;
/** Of a provider's details, as JSON text. */
const MAX_DETAILS = 10_000;

/** The protocol's own codes (section 6), with the HTTP statuses that they go with. */
const STATUSES_OF = {
  VALIDATION_ERROR: [400, 422],
  AUTH_REQUIRED: [401],
  PERMISSION_DENIED: [403],
  SKILL_NOT_FOUND: [404, 410],
  EXECUTION_TIMEOUT: [408, 504],
  ENDPOINT_UNREACHABLE: [502, 503],
  VERSION_INCOMPATIBLE: [422],
} as const satisfies Partial<Record<ErrorCode, readonly number[]>>;

/** Judges an answer to the request that starts an execution, or to one that asks for it. */
export function judgeAnswer({ status, text, retryAfterMs }: HttpResponse, asked: Asked): Judged {
  const parsed = parseJson(text, asked.json);
  const value = parsed.ok ? asked.redact.value(parsed.value) : undefined;
  if (status < 200 || status > 299) {
    const envelope = validateErrorEnvelope(value);
    const http = { status, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) };
    const failure = statusFailure(http, envelope.ok ? envelope.value.error : undefined, asked);
    return { ok: false, failure, askedMs: longest(failure.retry, retryAfterMs) };
  }
  if (!parsed.ok) return { ok: false, failure: parseFailure(parsed.failure, text, asked.redact) };
  const incompatible = judgeVersion(value, asked.protocolVersion);
  if (incompatible) return { ok: false, failure: incompatible };
  const validation = validateInvocationResponse(acknowledged(value, asked.skillId));
  if (!validation.ok) {
    const { violations } = validation;
    const message = `the answer breaks the protocol: ${violations[0]?.message}`;
    return { ok: false, failure: { code: 'VALIDATION_ERROR', message, violations } };
  }
  const answer = validation.value;
  const mismatch = judgeIdentity(answer, asked);
  if (mismatch) return { ok: false, failure: mismatch };
  return { ok: true, answer, askedMs: longest(answer.error?.retry, retryAfterMs) };
}

/**
 * The flow of section 5 acknowledges a request with `execution_id` and `status` alone, so these are enough while the execution
 * goes on; how it ended takes a whole InvocationResponse.
 */
function acknowledged(value: unknown, skillId: string): unknown {
  const status = ownMember(value, 'status');
  if (typeof status !== 'string' || isFinal(status)) return value;
  return { skill_id: skillId, timestamps: {}, ...(value as object) };
}

/** Whether an execution with this status is over. */
export function isFinal(status: string): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function longest(retry: RetryAdvice | undefined, retryAfterMs: number | undefined): number | undefined {
  const asked = [retry?.suggested_delay_ms, retryAfterMs].filter((ms) => ms !== undefined);
  return asked.length > 0 ? Math.max(...asked) : undefined;
}

/** What an answer that says that the execution failed, or was cancelled, comes to. */
export function executionFailure({ status, error }: InvocationResponse): AnswerFailure {
  if (status === 'cancelled') return failureOf('EXECUTION_CANCELLED', 'the execution was cancelled', error);
  const code = error && isProtocolCode(error.code) ? error.code : 'EXECUTION_FAILED';
  return failureOf(code, 'the execution failed', error);
}

/** Its message quotes the text, cut where a secret may stand. */
function parseFailure({ code, message }: Failure, text: string, redact: Redact): AnswerFailure {
  const isClean = redact.text(text) === text;
  return { code, message: isClean ? message : 'the answer repeats a credential, so it is not shown' };
}

function judgeVersion(value: unknown, supported: string): AnswerFailure | undefined {
  const protocol = validateProtocolVersion(ownMember(value, 'protocol'));
  if (!protocol.ok) return undefined;
  const judgement = checkVersion(protocol.value.version, supported);
  if (judgement.compatible) return undefined;
  const { details } = judgement;
  const message = `the answer speaks protocol ${details.descriptor_version}; this consumer supports ${details.consumer_supported_range}`;
  return { code: 'VERSION_INCOMPATIBLE', message, details: { ...details } };
}

function judgeIdentity(answer: InvocationResponse, asked: Asked): AnswerFailure | undefined {
  const { execution_id, skill_id } = answer;
  const { skillId, executionId } = asked;
  if (skill_id !== skillId) {
    return mismatch(`the skill ${show(skill_id)}, not ${show(skillId)}`);
  }
  if (executionId !== undefined && execution_id !== executionId) {
    return mismatch(`the execution ${show(execution_id)}, not ${show(executionId)}`);
  }
  if (isExecutionId(execution_id)) return undefined;
  const actual = show(execution_id);
  const message = `/execution_id is ${actual}; expected ${EXECUTION_ID}.`;
  const violations = [{ field: '/execution_id', expected: EXECUTION_ID, actual, message }];
  return { code: 'VALIDATION_ERROR', message: `the answer breaks the protocol: ${message}`, violations };
}

function mismatch(of: string): AnswerFailure {
  return { code: 'ANSWER_MISMATCH', message: `the answer is about ${of}` };
}

/** The envelope's code counts where it is one of the protocol's own and goes with the status. */
function statusFailure(
  http: { status: number },
  error: ProtocolError | undefined,
  { isStart }: Asked,
): AnswerFailure {
  const { status } = http;
  const stated = error && isProtocolCode(error.code) ? error.code : undefined;
  const statuses: readonly number[] = stated ? STATUSES_OF[stated] : [];
  const code = stated && statuses.includes(status) ? stated : codeOfStatus(status, error, isStart);
  return failureOf(code, `the endpoint answers ${status}`, error, http);
}

function codeOfStatus(status: number, error: ProtocolError | undefined, isStart: boolean): ErrorCode {
  if (status === 401) return 'AUTH_REQUIRED';
  if (status === 402) return 'PAYMENT_REQUIRED';
  if (status === 403) return 'PERMISSION_DENIED';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 408 || status === 504) return 'EXECUTION_TIMEOUT';
  if (status === 502 || status === 503) return 'ENDPOINT_UNREACHABLE';
  if ((status === 404 || status === 410) && isStart) return 'SKILL_NOT_FOUND';
  if (error) return 'EXECUTION_FAILED';
  return status >= 500 ? 'SERVER_ERROR' : 'HTTP_STATUS';
}

function isProtocolCode(code: string): code is keyof typeof STATUSES_OF {
  return Object.hasOwn(STATUSES_OF, code);
}

function failureOf(
  code: ErrorCode,
  what: string,
  error: ProtocolError | undefined,
  http: Record<string, unknown> = {},
): AnswerFailure {
  const details = {
    ...http,
    ...(error && error.code !== code && { provider_code: neutralize(error.code, 100) }),
    ...(error?.details !== undefined && { provider_details: bounded(error.details) }),
  };
  return {
    code,
    message: error ? `${what}: ${neutralize(error.message, MAX_MESSAGE)}` : what,
    ...(Object.keys(details).length > 0 && { details }),
    ...(error?.retry && { retry: adviceOf(error.retry) }),
  };
}

/** Details that are too long are given as the beginning of their JSON text. */
function bounded(details: unknown): unknown {
  const text = JSON.stringify(details);
  return text.length > MAX_DETAILS ? neutralize(text, MAX_DETAILS) : details;
}

function adviceOf({ suggested_delay_ms, max_attempts }: RetryAdvice): RetryAdvice {
  return {
    ...(suggested_delay_ms !== undefined && { suggested_delay_ms }),
    ...(max_attempts !== undefined && { max_attempts }),
  };
}
