import { parseUrl } from '../parse-url.ts';
import { quote } from './text.ts';

export type ParsedUrl = { ok: true; url: URL } | { ok: false; reason: string };

/** Longest URL that is followed, in UTF-16 units. */
const MAX_URL_LENGTH = 8192;

/**
 * Judges a URL that is to be followed: absolute, http or https, with a host, without user information, at most 8192
 * characters, free of control characters. Parsed as the WHATWG URL Standard says. Never throws.
 */
export function parseHttpUrl(text: string): ParsedUrl {
  const refuse = (why: string): ParsedUrl => ({
    ok: false,
    reason: `The URL ${quote(withoutSecrets(text))} ${why}.`,
  });
  if (text.length > MAX_URL_LENGTH) return refuse(`is longer than ${MAX_URL_LENGTH} characters`);
  if (/\p{Cc}/u.test(text)) return refuse('contains control characters');
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return refuse('is not an absolute http or https URL');
  const url = parseUrl(text);
  if (url === undefined) return refuse('cannot be parsed');
  if (url.username !== '' || url.password !== '') return refuse('contains user information');
  return { ok: true, url };
}

/** Takes out of a text what would be the query and the user information of a URL. */
function withoutSecrets(text: string): string {
  return text.replace(/[?#].*$/s, '').replace(/\/\/[^/\\]*@/, '//…@');
}

/** A URL fit for logs and reports: no query, which may hold secrets, no fragment, no user information. */
export function withoutQuery(url: string | URL): string {
  const shown = parseUrl(`${url}`);
  if (shown === undefined) return withoutSecrets(`${url}`);
  shown.search = '';
  shown.hash = '';
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/**
 * Whether two http or https URLs belong to one publisher: for names, the same registrable domain by the Public Suffix
 * List with its private part (`a.github.io` and `b.github.io` differ), whatever scheme and port; for IP addresses and
 * single-label hosts such as `localhost`, the same host and port. A promise where the list is to be loaded first.
 */
export function isSameSite(a: URL, b: URL): boolean | Promise<boolean> {
  const [hostA, hostB] = [a.hostname.replace(/\.$/, ''), b.hostname.replace(/\.$/, '')];
  if (!isName(hostA) || !isName(hostB)) return hostA === hostB && portOf(a) === portOf(b);
  if (hostA === hostB) return true;
  const judge = ({ getDomain }: typeof import('tldts')) => {
    const site = getDomain(hostA, { allowPrivateDomains: true });
    return site !== null && site === getDomain(hostB, { allowPrivateDomains: true });
  };
  const list = loadSuffixList();
  return list instanceof Promise ? list.then(judge) : judge(list);
}

let suffixList: typeof import('tldts') | undefined;

/** The Public Suffix List, loaded on first use: it takes some 15 ms, and most descriptors lie on the very host of their index. */
export function loadSuffixList(): typeof import('tldts') | Promise<typeof import('tldts')> {
  if (suffixList) return suffixList;
  return import('tldts').then((loaded) => {
    suffixList = loaded;
    return loaded;
  });
}

/** Of several labels and no IP address; the URL parser has already normalised whatever spells one. */
function isName(host: string): boolean {
  return host.includes('.') && !host.startsWith('[') && !/\.\d+$/.test(host);
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
