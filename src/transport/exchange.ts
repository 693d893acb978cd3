import { abortable } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { type Failure, isSkillscoutError } from '../errors.ts';
import { discardBody, readBody } from './body.ts';
import { Deadline } from './deadline.ts';
import { decodeLeniently, decodeText, unknownContentCoding } from './decode.ts';
import { describeNetworkError } from './failures.ts';
import { kyHop } from './ky-hop.ts';
import { isRedirect, nextTarget, type RedirectPolicy, redirectRefused } from './redirects.ts';
import { isRetryable, retryDelayMs } from './retry.ts';
import { publicUrl } from './target-policy.ts';

/**
 * Runs `run` when there is room for one more request to `origin`; rejects with `signal.reason` if that comes first, or with a
 * SkillscoutError that becomes the failure of the request.
 */
export type Schedule = <T>(origin: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>;

/** A header that proves who is asking; `label` is its public name. */
export interface Credential {
  label: string;
  header: string;
  value: string;
}

export interface ExchangeContext extends RedirectPolicy {
  clock: Clock;
  fetch: typeof globalThis.fetch;
  /** Loads what the first request needs; it does not count against the time limit. */
  prepare: () => Promise<unknown>;
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
  signal: AbortSignal;
}

/** A complete response of any status; text that does not decode is a failure only where it would be a document. */
export interface Received {
  status: number;
  headers: Headers;
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

type Hop =
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
 * Rejects only with `signal.reason`.
 */
export async function exchange(ask: Ask, context: ExchangeContext): Promise<Answer> {
  await abortable(context.prepare(), ask.signal);
  const { clock } = context;
  const { method, body, timeoutMs = context.timeoutMs } = ask;
  const trace = {
    redirects: [] as string[],
    view: 'anonymous',
    requests: 0,
    retries: 0,
    bytes: 0,
    waitMs: 0,
  };
  const answer: Omit<Answer, 'outcome'> = { ...trace, url: ask.url };
  const deadline = new Deadline(clock, timeoutMs, ask.signal);
  let credential = ask.credential;

  const send = async (): Promise<Hop> => {
    const { url } = answer;
    const headers = {
      accept: 'application/json, */*;q=0.5',
      'user-agent': context.userAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(credential && { [credential.header]: credential.value }),
      ...(ask.validators?.url === url.href && ask.validators.headers),
    };
    answer.requests += 1;
    try {
      const response = await kyHop(context.fetch, { method, url, headers, body }, deadline.signal);
      return await receive(response, url, context.maxBodyBytes, deadline.signal, (count) => {
        answer.bytes += count;
      });
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      const { failure, reset } = describeNetworkError(error, url.host);
      if (NOTHING_SENT.has(failure.code)) answer.requests -= 1;
      return { type: 'failed', failure, reset };
    }
  };

  const scheduled = async (): Promise<Hop> => {
    deadline.pause();
    const queuedAt = clock.now();
    try {
      return await context.schedule(answer.url.origin, deadline.signal, () => {
        deadline.signal.throwIfAborted();
        deadline.resume();
        const now = clock.now();
        answer.sentAt = now;
        answer.waitMs += Math.max(0, now - queuedAt);
        return send();
      });
    } finally {
      deadline.resume();
    }
  };

  const run = async (): Promise<Answer['outcome']> => {
    const visited = [ask.url];
    for (;;) {
      answer.view = credential?.label ?? 'anonymous';
      const hop = await scheduled();
      if (method === 'GET' && isRetryable(hop) && answer.retries < context.retries) {
        const delayMs = retryDelayMs(answer.retries, clock.random());
        if (delayMs < deadline.remainingMs) {
          answer.retries += 1;
          await clock.sleep(delayMs, deadline.signal);
          continue;
        }
      }
      if (hop.type === 'received') return { ok: true, received: hop.received };
      if (hop.type === 'failed') return { ok: false, failure: hop.failure };

      if (method === 'POST' && hop.status !== 307 && hop.status !== 308) {
        const reason = `status ${hop.status} would turn a POST into a GET`;
        return { ok: false, failure: redirectRefused(visited, reason) };
      }
      const next = await nextTarget(visited, hop.location, context);
      if (!next.ok) return next;
      answer.redirects.push(publicUrl(answer.url));
      answer.url = next.url;
      visited.push(next.url);
      if (next.url.origin !== ask.url.origin) credential = undefined;
    }
  };

  try {
    const outcome = await run();
    return { ...answer, outcome };
  } catch (error) {
    if (ask.signal.aborted) throw ask.signal.reason;
    if (isSkillscoutError(error)) return { ...answer, outcome: { ok: false, failure: error.toJSON() } };
    if (!deadline.expired) throw error;
    const message = `${answer.url.host}: no complete answer within ${timeoutMs} ms`;
    return { ...answer, outcome: { ok: false, failure: { code: 'TIMEOUT', message } } };
  } finally {
    deadline.end();
  }
}

async function receive(
  response: Response,
  url: URL,
  maxBodyBytes: number,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Hop> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect') {
    return { type: 'failed', failure: redirectRefused([url], 'this platform hides where redirects lead') };
  }
  const location = headers.get('location');
  if (isRedirect(status) && location !== null) {
    discardBody(response);
    return { type: 'redirect', status, location };
  }
  const isDocument = status >= 200 && status < 300;
  if (!isDocument) {
    // The body only explains: whatever becomes of it, the status stands.
    const read = await readBody(response.body, MAX_ERROR_BODY_BYTES, signal, onBytes).catch(() => undefined);
    const bytes = read?.bytes ?? new Uint8Array();
    return {
      type: 'received',
      received: { status, headers, text: decodeLeniently(bytes), bytes: bytes.byteLength },
    };
  }
  const refuse = (code: 'BODY_TOO_LARGE' | 'BAD_ENCODING', reason: string): Hop => {
    discardBody(response);
    return {
      type: 'failed',
      failure: { code, message: `${publicUrl(url)}: ${reason}`, details: { status } },
    };
  };
  const coding = unknownContentCoding(headers.get('content-encoding') ?? '');
  if (coding !== undefined) return refuse('BAD_ENCODING', `the content coding "${coding}" is not known`);
  const tooLarge = () => refuse('BODY_TOO_LARGE', `the body has more than ${maxBodyBytes} bytes`);
  if (Number(headers.get('content-length')) > maxBodyBytes) return tooLarge();
  const { bytes, complete } = await readBody(response.body, maxBodyBytes, signal, onBytes);
  if (!complete) return tooLarge();
  const decoded = decodeText(bytes, headers.get('content-type') ?? '');
  if (!decoded.ok) return refuse('BAD_ENCODING', decoded.reason);
  return { type: 'received', received: { status, headers, text: decoded.text, bytes: bytes.byteLength } };
}
