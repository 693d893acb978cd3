import { type Abort, type Abortable, abortable } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { type Failure, isSkillscoutError } from '../errors.ts';
import type { Alarms } from './alarms.ts';
import { Deadline } from './deadline.ts';
import { decodeLeniently, decodeText, refusedContentCoding } from './decode.ts';
import { describeNetworkError } from './failures.ts';
import type { Fields, Hop, HopAnswer } from './hop.ts';
import { isRedirect, nextTarget, type RedirectPolicy, redirectRefused } from './redirects.ts';
import { isRetryable, retryDelayMs } from './retry.ts';
import { publicUrl } from './target-policy.ts';

/**
 * Runs `run` when there is room for one more request to `origin`; rejects with `signal.reason` if that comes first, or with a
 * SkillscoutError that becomes the failure of the request.
 */
export type Schedule = <T>(origin: string, signal: Abortable, run: () => Promise<T>) => Promise<T>;

/** A header that proves who is asking; `label` is its public name. */
export interface Credential {
  label: string;
  header: string;
  value: string;
}

export interface ExchangeContext extends RedirectPolicy {
  clock: Clock;
  alarms: Alarms;
  hop: Hop;
  /** Loads what the first request needs, which does not count against the time limit; undefined once it is there. */
  prepare: () => Promise<unknown> | undefined;
  userAgent: string;
  timeoutMs: number;
  maxBodyBytes: number;
  retries: number;
  schedule: Schedule;
}

export interface Ask {
  /** A POST is sent once: never retried, and redirected only by 307 and 308, which keep its method. */
  method: 'GET' | 'POST';
  url: URL;
  /** Of a POST: JSON text. */
  body?: string;
  credential: Credential | undefined;
  /** Default: the context's. */
  timeoutMs?: number;
  /** Conditional headers for the one URL whose copy is at hand. */
  validators?: { url: string; headers: Record<string, string> } | undefined;
  abort: Abort;
}

/** A complete response of any status; text that does not decode is a failure only where it would be a document. */
export interface Received {
  status: number;
  fields: Fields;
  text: string;
  /** Size of this body after decompression. */
  bytes: number;
}

/** What a whole chain of requests came to, and what it took. */
export interface Answer {
  /** Last URL that was asked. */
  url: URL;
  redirects: string[];
  /** `anonymous`, or the label of the credential if the last URL got it. */
  view: string;
  requests: number;
  /** Of the requests, those that repeated one that failed. */
  retries: number;
  bytes: number;
  /** When the last try began; absent where nothing was tried. Milliseconds since the epoch. */
  sentAt?: number;
  /** Waited in `schedule`, all hops together. */
  waitMs: number;
  outcome: { ok: true; received: Received } | { ok: false; failure: Failure };
}

type Came =
  | { type: 'received'; received: Received }
  | { type: 'redirect'; status: number; location: string }
  | { type: 'failed'; failure: Failure; reset?: boolean };

/** Enough of an error body to recognise what it is. */
const MAX_ERROR_BODY_BYTES = 65_536;

/** Failures that happen before a request goes out. */
const NOTHING_SENT = new Set(['ADDRESS_REFUSED', 'DNS_FAILURE', 'TLS_FAILURE']);

/**
 * One document: retries, redirects and the time limit over single hops. Each hop runs inside `schedule`; the time spent
 * waiting there does not count, everything else does. The first URL has been judged; each further one is judged before its hop.
 * The credential goes to the first origin only, and never again once the chain has left it.
 * Rejects only with the reason of `abort`.
 */
export async function exchange(ask: Ask, context: ExchangeContext): Promise<Answer> {
  const loading = context.prepare();
  if (loading) await abortable(loading, ask.abort);
  const { timeoutMs = context.timeoutMs } = ask;
  const deadline = new Deadline(context.alarms, timeoutMs, ask.abort);
  const answer = {
    url: ask.url,
    redirects: [],
    view: 'anonymous',
    requests: 0,
    retries: 0,
    bytes: 0,
    waitMs: 0,
  };
  try {
    return Object.assign(answer, { outcome: await follow(ask, answer, deadline, context) });
  } catch (error) {
    if (ask.abort.aborted) throw ask.abort.reason;
    const failed = (failure: Failure) => Object.assign(answer, { outcome: { ok: false as const, failure } });
    if (isSkillscoutError(error)) return failed(error.toJSON());
    if (!deadline.expired) throw error;
    const message = `${answer.url.host}: no complete answer within ${timeoutMs} ms`;
    return failed({ code: 'TIMEOUT', message });
  } finally {
    deadline.end();
  }
}

/** Hop after hop until there is an outcome; writes down in `answer` how it goes. */
async function follow(
  ask: Ask,
  answer: Omit<Answer, 'outcome'>,
  deadline: Deadline,
  context: ExchangeContext,
): Promise<Answer['outcome']> {
  const { method } = ask;
  const { clock } = context;
  const visited = [ask.url];
  let { credential } = ask;
  let queuedAt = 0;
  const send = () => {
    deadline.throwIfAborted();
    deadline.resume();
    const now = clock.now();
    answer.sentAt = now;
    answer.waitMs += Math.max(0, now - queuedAt);
    return sendOnce(ask, credential, answer, deadline, context);
  };
  for (;;) {
    answer.view = credential?.label ?? 'anonymous';
    deadline.pause();
    queuedAt = clock.now();
    const came = await context.schedule(answer.url.origin, deadline, send);
    if (method === 'GET' && isRetryable(came) && answer.retries < context.retries) {
      const delayMs = retryDelayMs(answer.retries, clock.random());
      if (delayMs < deadline.remainingMs) {
        answer.retries += 1;
        await clock.sleep(delayMs, deadline.signal);
        continue;
      }
    }
    if (came.type === 'received') return { ok: true, received: came.received };
    if (came.type === 'failed') return { ok: false, failure: came.failure };

    if (method === 'POST' && came.status !== 307 && came.status !== 308) {
      const reason = `status ${came.status} would turn a POST into a GET`;
      return { ok: false, failure: redirectRefused(visited, reason) };
    }
    const next = await nextTarget(visited, came.location, context);
    if (!next.ok) return next;
    answer.redirects.push(publicUrl(answer.url));
    answer.url = next.url;
    visited.push(next.url);
    if (next.url.origin !== ask.url.origin) credential = undefined;
  }
}

async function sendOnce(
  { method, body, validators }: Ask,
  credential: Credential | undefined,
  answer: Omit<Answer, 'outcome'>,
  deadline: Deadline,
  { hop, userAgent, maxBodyBytes }: ExchangeContext,
): Promise<Came> {
  const { url } = answer;
  const headers: Record<string, string> = {
    accept: 'application/json, */*;q=0.5',
    'user-agent': userAgent,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (credential) headers[credential.header] = credential.value;
  if (validators?.url === url.href) Object.assign(headers, validators.headers);
  answer.requests += 1;
  try {
    const head = await hop({ method, url, headers, body }, deadline);
    return await receive(head, url, maxBodyBytes, (count) => {
      answer.bytes += count;
    });
  } catch (error) {
    if (deadline.aborted) throw error;
    const { failure, reset } = describeNetworkError(error, url.host);
    if (NOTHING_SENT.has(failure.code)) answer.requests -= 1;
    return { type: 'failed', failure, reset };
  }
}

async function receive(
  answer: HopAnswer,
  url: URL,
  maxBodyBytes: number,
  onBytes: (count: number) => void,
): Promise<Came> {
  const { status, fields } = answer;
  if (status === 0) {
    answer.discard();
    return { type: 'failed', failure: redirectRefused([url], 'this platform hides where redirects lead') };
  }
  if (isRedirect(status) && fields.location !== undefined) {
    answer.discard();
    return { type: 'redirect', status, location: fields.location };
  }
  const isDocument = status >= 200 && status < 300;
  if (!isDocument) {
    // The body only explains: whatever becomes of it, the status stands.
    const read = await answer.read(MAX_ERROR_BODY_BYTES, onBytes).catch(() => undefined);
    const bytes = read?.bytes ?? new Uint8Array();
    return {
      type: 'received',
      received: { status, fields, text: decodeLeniently(bytes), bytes: bytes.byteLength },
    };
  }
  const refuse = (code: 'BODY_TOO_LARGE' | 'BAD_ENCODING', reason: string): Came => ({
    type: 'failed',
    failure: { code, message: `${publicUrl(url)}: ${reason}`, details: { status } },
  });
  const coding = refusedContentCoding(fields['content-encoding']);
  if (coding !== undefined) {
    answer.discard();
    return refuse('BAD_ENCODING', coding);
  }
  const tooLarge = () => refuse('BODY_TOO_LARGE', `the body has more than ${maxBodyBytes} bytes`);
  if (Number(fields['content-length']) > maxBodyBytes) {
    answer.discard();
    return tooLarge();
  }
  const { bytes, complete } = await answer.read(maxBodyBytes, onBytes);
  if (!complete) return tooLarge();
  const decoded = decodeText(bytes, fields['content-type'] ?? '');
  if (!decoded.ok) return refuse('BAD_ENCODING', decoded.reason);
  return { type: 'received', received: { status, fields, text: decoded.text, bytes: bytes.byteLength } };
}
