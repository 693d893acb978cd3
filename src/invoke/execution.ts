import { abortable } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { ERROR_CODES, type Failure } from '../errors.ts';
import {
  type InvocationEndpoint,
  type InvocationResponse,
  type JsonLimits,
  neutralize,
  type Warning,
} from '../protocol/index.ts';
import type { HeaderCredential, HttpSend, SendReport } from '../transport/index.ts';
import { executionUrl } from './execution-url.ts';
import { type AnswerFailure, executionFailure, type Judged, judgeAnswer } from './judge-answer.ts';
import { attemptsLeft, pollPauseMs, retryPauseMs } from './pauses.ts';
import type { Secrets } from './secrets.ts';

/** What is about to be sent to an endpoint, for a credential that depends on it. */
export interface InvocationMessage {
  method: 'GET' | 'POST';
  url: string;
  /** Of a POST: the JSON text. */
  body?: string;
}

/** Gives what a message is sent with, or why it is not sent. Never rejects. */
export type SignMessage = (
  message: InvocationMessage,
) => Promise<{ credential?: HeaderCredential } | { failure: Failure }>;

/** What every execution works with. */
export interface ExecutionContext {
  clock: Clock;
  send: HttpSend;
  /** That this consumer supports. */
  protocolVersion: string;
  json: JsonLimits;
  /** The longest pause that is waited for because a provider asked. */
  maxRetryAfterMs: number;
}

export interface ExecutionOrder {
  skillId: string;
  /** As the descriptor has it, and its URL as it was judged. */
  endpoint: InvocationEndpoint;
  endpointUrl: URL;
  /** The InvocationRequest. */
  body: string;
  timeoutMs: number;
  sign: SignMessage;
  secrets: Secrets;
  onStatus: (status: { executionId: string; status: string }) => void;
}

/** How an execution ended. */
export type Ending = { output: unknown } | { failure: AnswerFailure };

/** Of a status that a provider makes up. */
const MAX_STATUS_LENGTH = 100;

/** One execution at a provider, from the request that starts it to its result (protocol, section 5). */
export class Execution {
  requests = 0;
  bytes = 0;
  /** Once the provider has given one. */
  id: string | undefined;
  readonly #context: ExecutionContext;
  readonly #order: ExecutionOrder;
  readonly #signal: AbortSignal;
  #addressCheck: SendReport['addressCheck'] | undefined;
  #status: string | undefined;
  #polls = 0;

  constructor(context: ExecutionContext, order: ExecutionOrder, signal: AbortSignal) {
    this.#context = context;
    this.#order = order;
    this.#signal = signal;
  }

  /** What there is to say of how it went. */
  get warnings(): Warning[] {
    const warnings: Warning[] = [];
    if (this.#addressCheck === 'proxy') {
      const message = 'addresses are resolved, and so must be judged, by the proxy';
      warnings.push({ code: 'ADDRESS_CHECK_PROXIED', message });
    }
    if (this.#addressCheck === 'literal') {
      const message = 'this fetch hides what names resolve to: only literal addresses were judged';
      warnings.push({ code: 'ADDRESS_CHECK_LITERAL', message });
    }
    if (this.#order.secrets.found) {
      const message = 'the answer repeats a credential that was sent; it is not shown';
      warnings.push({ code: 'SECRET_REDACTED', message });
    }
    return warnings;
  }

  /** Rejects with the reason of the signal, and with what `onStatus` throws. */
  async run(): Promise<Ending> {
    const { endpoint } = this.#order;
    let judged = await this.#start();
    let isResult = false;
    while (judged.ok) {
      this.#tell(judged.answer);
      const step = nextStep(judged.answer, endpoint, isResult);
      if ('ending' in step) return step.ending;
      isResult = step.url === endpoint.result_url;
      judged = await this.#poll(step.url, step.isReady ? 0 : this.#pauseMs(judged.askedMs));
    }
    return judged;
  }

  /** Sends the request once more only where the provider says both that nothing ran and that it may be sent again. */
  async #start(): Promise<Judged> {
    const { clock, maxRetryAfterMs } = this.#context;
    const { endpointUrl, body, timeoutMs } = this.#order;
    const endsAt = clock.now() + timeoutMs;
    for (let attempts = 1; ; attempts += 1) {
      const judged = await this.#ask({ method: 'POST', url: endpointUrl.href, body });
      if (judged.ok) return judged;
      const { retry, details } = judged.failure;
      const ranNot = details?.status === 429 || details?.status === 503;
      if (!ranNot || retry === undefined || !attemptsLeft(attempts, retry)) return judged;
      const maxMs = Math.min(maxRetryAfterMs, endsAt - clock.now());
      const pauseMs = retryPauseMs(judged.askedMs, maxMs);
      if (pauseMs === undefined) return judged;
      await clock.sleep(pauseMs, this.#signal);
    }
  }

  /** Asks for the state of the execution. What only a server in trouble answers is asked again, twice. */
  async #poll(template: string, firstPauseMs: number): Promise<Judged> {
    const url = executionUrl(template, this.#order.endpointUrl, this.id as string);
    if (!url.ok) return url;
    let pauseMs = firstPauseMs;
    for (let attempts = 1; ; attempts += 1) {
      if (pauseMs > 0) await this.#context.clock.sleep(pauseMs, this.#signal);
      const judged = await this.#ask({ method: 'GET', url: url.url.href });
      if (judged.ok) return judged;
      const { code, retry } = judged.failure;
      if (!ERROR_CODES[code].retryable || !attemptsLeft(attempts, retry)) return judged;
      pauseMs = this.#pauseMs(judged.askedMs);
    }
  }

  async #ask(message: InvocationMessage): Promise<Judged> {
    const { send, protocolVersion, json } = this.#context;
    const { sign, secrets, skillId, timeoutMs } = this.#order;
    const signed = await abortable(sign(message), this.#signal);
    if ('failure' in signed) return { ok: false, ...signed };
    const { credential } = signed;
    if (credential) secrets.addHeader(credential.value);
    const isStart = message.method === 'POST';
    // An endpoint may take its time; a status is there or not.
    const limit = isStart ? { timeoutMs } : {};
    const result = await send({ ...message, ...limit, credential, signal: this.#signal });
    this.requests += result.report.requests;
    this.bytes += result.report.bytes;
    this.#addressCheck = result.report.addressCheck;
    if (!result.ok) return { ok: false, failure: secrets.value(result.failure) as Failure };
    const asked = { isStart, skillId, executionId: this.id, protocolVersion, json, redact: secrets };
    const judged = judgeAnswer(result.response, asked);
    if (judged.ok) this.id ??= judged.answer.execution_id;
    return judged;
  }

  #pauseMs(askedMs: number | undefined): number {
    const { clock, maxRetryAfterMs } = this.#context;
    return pollPauseMs(this.#polls++, clock.random(), askedMs, maxRetryAfterMs);
  }

  #tell({ execution_id, status }: InvocationResponse): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#order.onStatus({ executionId: execution_id, status: neutralize(status, MAX_STATUS_LENGTH) });
  }
}

/** How an execution ended, or where to ask next: of what is ready at once. */
function nextStep(
  answer: InvocationResponse,
  { status_url, result_url }: InvocationEndpoint,
  isResult: boolean,
): { ending: Ending } | { url: string; isReady: boolean } {
  const { status, output } = answer;
  if (status === 'failed' || status === 'cancelled') return { ending: { failure: executionFailure(answer) } };
  if (status === 'completed') {
    const isWhole = isResult || result_url === undefined || Object.hasOwn(answer, 'output');
    return isWhole ? { ending: { output } } : { url: result_url, isReady: true };
  }
  const url = status_url ?? result_url;
  if (url !== undefined) return { url, isReady: false };
  const message = `the execution is ${neutralize(status, MAX_STATUS_LENGTH)}, and the descriptor names neither a status_url nor a result_url`;
  return { ending: { failure: { code: 'RESULT_UNAVAILABLE', message } } };
}
