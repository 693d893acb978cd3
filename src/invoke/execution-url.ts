import type { Failure } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';

const PLACEHOLDER = '{execution_id}';
const MAX_ID_LENGTH = 1024;
/** What keeps an id from being a part of a path: made of dots alone it would be a step up, and a lone surrogate is no text. */
const UNUSABLE_ID = /^\.*$|[\p{Cc}\p{Cs}]/u;

/** What an execution id must be for us to ask for it. */
export const EXECUTION_ID = `1 to ${MAX_ID_LENGTH} Unicode characters without control characters, not dots alone`;

export function isExecutionId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && !UNUSABLE_ID.test(id);
}

/**
 * Where to ask for an execution: the status or result URL of an endpoint with the id, percent-encoded, in place of each
 * `{execution_id}`, or else after the path and a slash. A relative URL is resolved against the endpoint's. No id leads to another
 * path or query than the descriptor says; `ORIGIN_REFUSED` for another origin than the endpoint's, `URL_REFUSED` for what is no
 * URL. `id` must be one that {@link isExecutionId} takes.
 */
export function executionUrl(
  template: string,
  endpoint: URL,
  id: string,
): { ok: true; url: URL } | { ok: false; failure: Failure } {
  const encoded = encodeURIComponent(id);
  const url = parseUrl(template.replaceAll(PLACEHOLDER, encoded), endpoint);
  if (url === undefined) {
    return { ok: false, failure: { code: 'URL_REFUSED', message: 'the status or result URL is no URL' } };
  }
  if (url.origin !== endpoint.origin) {
    const message = `the status or result URL lies at ${url.host}, not at the endpoint's origin ${endpoint.origin}`;
    return { ok: false, failure: { code: 'ORIGIN_REFUSED', message } };
  }
  if (!template.includes(PLACEHOLDER)) url.pathname = `${url.pathname.replace(/\/$/, '')}/${encoded}`;
  return { ok: true, url };
}
