import { SkillscoutError } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';
import { show } from './text.ts';

/** A publisher's domain in its canonical form. */
export interface ParsedDomain {
  /** `host` or `host:port` for https, the origin for http. The key of a publisher. */
  domain: string;
  /** Scheme, host and port, without a trailing slash. */
  origin: string;
  /** ASCII, lower case; IPv6 in brackets. */
  host: string;
  /** 443 or 80 where none was given. */
  port: number;
}

const MAX_HOST_CHARACTERS = 253;
const MAX_INPUT_LENGTH = 1024;
const INPUT = /^(?:(https?):\/\/)?(\[[\da-f:.]+\]|[^\s:/\\?#@%[\]]+)(?::(\d{1,5}))?(\/?)$/i;
const LABEL = /^[a-z0-9_-]{1,63}$/;
// What IDNA maps to nothing, so that `exa<soft hyphen>mple.com` would silently be example.com. The joiners it keeps.
const DROPPED = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;

/**
 * Reads `host`, `host:port` or an http or https origin URL (a trailing slash is part of one) and makes it canonical:
 * IDNA and lower case as in the WHATWG URL Standard, the default port and one trailing dot dropped. Whatever spells an
 * IPv4 address (`127.1`, full-width digits) ends as that address. Canonical domains stay as they are.
 *
 * Throws a {@link SkillscoutError} `INVALID_DOMAIN` for anything else: another scheme, a path, query, fragment or user
 * information, white space, wildcards, percent-encoding, backslashes, characters that IDNA drops, port 0, an empty label,
 * a label past 63 or a name past 253 characters.
 */
export function parseDomain(input: string): ParsedDomain {
  const parsed = typeof input === 'string' ? canonicalize(input) : undefined;
  if (parsed !== undefined) return parsed;
  throw new SkillscoutError(
    'INVALID_DOMAIN',
    `${show(input)} is not a domain: expected host, host:port or an http or https origin without a path.`,
  );
}

function canonicalize(input: string): ParsedDomain | undefined {
  if (input.length > MAX_INPUT_LENGTH || DROPPED.test(input)) return undefined;
  const [, scheme, authority, givenPort, slash] = INPUT.exec(input) ?? [];
  if (authority === undefined || (slash !== '' && scheme === undefined)) return undefined;
  if (givenPort !== undefined && Number(givenPort) === 0) return undefined;
  const secure = scheme?.toLowerCase() !== 'http';
  const text = `${secure ? 'https' : 'http'}://${authority}${givenPort === undefined ? '' : `:${givenPort}`}`;
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const host = url.hostname.replace(/\.$/, '');
  if (!host.startsWith('[') && !isDnsName(host)) return undefined;
  const authorityOut = url.port === '' ? host : `${host}:${url.port}`;
  const origin = `${url.protocol}//${authorityOut}`;
  const port = Number(url.port || (secure ? 443 : 80));
  return { domain: secure ? authorityOut : origin, origin, host, port };
}

function isDnsName(host: string): boolean {
  return host.length <= MAX_HOST_CHARACTERS && host.split('.').every((label) => LABEL.test(label));
}

/** Where a domain publishes its skill index (protocol section 2). Takes and refuses what {@link parseDomain} does. */
export function wellKnownUrl(domain: string): string {
  return `${parseDomain(domain).origin}/.well-known/skill-sharing`;
}
