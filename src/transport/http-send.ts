import type { Failure } from '../errors.ts';
import type { Credential } from './exchange.ts';
import type { GetReport, HttpResponse } from './http-get.ts';

/** A message that is nobody else's: neither cached nor shared. */
export interface SendRequest {
  /** A POST is sent once: never retried, and redirected only by 307 and 308, which keep its method. */
  method: 'GET' | 'POST';
  url: string;
  /** Of a POST: JSON text. */
  body?: string;
  /** Sent to the origin of `url` alone. Nothing is sent that was configured for discovery. */
  credential?: Credential | undefined;
  /** For the whole chain, as the transport's own, which is the default. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** How an answer came about. URLs carry no query strings. */
export type SendReport = Pick<
  GetReport,
  'finalUrl' | 'redirects' | 'addressCheck' | 'requests' | 'bytes' | 'waitMs'
>;

export type SendResult =
  /** An answer of any status. */
  | { ok: true; response: HttpResponse; report: SendReport }
  | { ok: false; failure: Failure; report: SendReport };

/**
 * The port for messages: one request under the same guard, bounds, pacing and redirect rules as a document. Every failure of
 * the outside world is a value. Rejects only with `signal.reason` when the caller aborts.
 */
export type HttpSend = (request: SendRequest) => Promise<SendResult>;
