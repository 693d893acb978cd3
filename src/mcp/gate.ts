import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '../index.ts';

/** Why a request gets no further. */
export interface Refusal {
  status: number;
  message: string;
  headers?: OutgoingHttpHeaders;
}

export interface GateOptions {
  /** Names, lower case and without a port, by which the server may be addressed. */
  hosts: ReadonlySet<string>;
  token: string;
  /** Requests with the right token in one second, and how many may be saved up. */
  perSecond: number;
  burst: number;
  clock: Pick<Clock, 'now'>;
}

/** The one place that is served. */
export const PATH = '/mcp';
const METHODS = ['POST', 'GET', 'DELETE'];

/**
 * Judges requests by their heads. A page on the web can make a browser send requests here: under its own name, whose address
 * then changes (DNS rebinding, told by Host), or across origins (told by Origin).
 */
export function createGate(options: GateOptions): (request: IncomingMessage) => Refusal | undefined {
  const { hosts, clock, perSecond, burst } = options;
  const expected = digest(options.token);
  let saved = burst;
  let savedAt = clock.now();

  function isTooSoon(): boolean {
    const now = clock.now();
    saved = Math.min(burst, saved + (Math.max(now - savedAt, 0) * perSecond) / 1000);
    savedAt = now;
    if (saved < 1) return true;
    saved -= 1;
    return false;
  }

  return ({ headers, method = '', url }) => {
    const host = headers.host?.toLowerCase() ?? '';
    if (!hosts.has(host.replace(/:\d{1,5}$/, ''))) {
      return { status: 403, message: 'Host: this server goes by another name' };
    }
    if (headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${host}`) {
      return { status: 403, message: 'Origin: pages of other origins are not served' };
    }
    const [, token] = /^bearer +([\w.~+/=-]+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token === undefined || !timingSafeEqual(digest(token), expected)) {
      const challenge = `Bearer realm="skillscout"${headers.authorization === undefined ? '' : ', error="invalid_token"'}`;
      return {
        status: 401,
        message: 'Authorization: expected the bearer token that was printed at the start',
        headers: { 'www-authenticate': challenge },
      };
    }
    if (isTooSoon()) {
      return { status: 429, message: 'too many requests', headers: { 'retry-after': '1' } };
    }
    if (url !== PATH) return { status: 404, message: `there is only ${PATH}` };
    if (!METHODS.includes(method)) {
      return {
        status: 405,
        message: `expected ${METHODS.join(', ')}`,
        headers: { allow: METHODS.join(', ') },
      };
    }
    return undefined;
  };
}

/** Of one length for all tokens, so that comparing takes one time. */
const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
