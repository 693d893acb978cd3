import type { Failure } from '../errors.ts';
import type { AddressPolicy } from './address-policy.ts';

/** Judges a URL before anything is dialled; returns why it is not fetched, or undefined. */
export type TargetPolicy = (url: URL) => Failure | undefined;

/** The Fetch standard's "bad ports": services that could mistake an HTTP request for their own protocol. */
const REFUSED_PORTS = new Set(
  [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
    526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
    3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ].map(String),
);

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * `URL_REFUSED` for a scheme, user information or port that is not fetched; `ADDRESS_REFUSED` for a literal address that the
 * policy refuses and for `localhost` names (RFC 6761). The URL parser has made every spelling of an address canonical.
 */
export function createTargetPolicy(judgeAddress: AddressPolicy, allowHttp: boolean): TargetPolicy {
  return (url) => {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      return refusal('URL_REFUSED', url, `the scheme ${url.protocol} is not fetched`);
    }
    const reason = judgeHost(url.hostname, judgeAddress);
    if (reason !== undefined) return refusal('ADDRESS_REFUSED', url, `${url.hostname} is ${reason}`);
    if (url.protocol === 'http:' && !allowHttp) return refusal('URL_REFUSED', url, 'only https is fetched');
    if (url.username !== '' || url.password !== '') {
      return refusal('URL_REFUSED', url, 'user information in a URL is not sent');
    }
    if (REFUSED_PORTS.has(url.port)) return refusal('URL_REFUSED', url, `port ${url.port} is not fetched`);
    return undefined;
  };
}

/** The URL as it may be shown: without query string, fragment and user information. */
export function publicUrl(url: URL): string {
  return url.host === '' ? url.protocol : `${url.protocol}//${url.host}${url.pathname}`;
}

function judgeHost(hostname: string, judgeAddress: AddressPolicy): string | undefined {
  if (hostname.startsWith('[')) return judgeAddress(hostname.slice(1, -1));
  if (IPV4.test(hostname)) return judgeAddress(hostname);
  const isLocalhost = /(?:^|\.)localhost\.?$/.test(hostname);
  return isLocalhost ? judgeAddress('127.0.0.1') && judgeAddress('::1') : undefined;
}

function refusal(code: 'URL_REFUSED' | 'ADDRESS_REFUSED', url: URL, reason: string): Failure {
  return { code, message: `${publicUrl(url)} is not opened: ${reason}` };
}
