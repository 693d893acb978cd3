import { parseUrl } from '../parse-url.ts';
import type { HeaderCredential } from '../transport/index.ts';

/** What proves to one origin who is asking. `label` names the resulting view of its index; default `authenticated`. */
export type Credential =
  | { header: string; value: string; label?: string }
  /** Sent as `Authorization: Bearer …` (RFC 6750). */
  | { bearer: string; label?: string };

/**
 * Credentials by origin, such as `https://skills.example`. A function is asked once per request chain; `undefined` from it
 * means anonymous. Only https and loopback origins are taken.
 */
export type Credentials = Record<string, Credential | (() => Promise<Credential | undefined>)>;

/** Headers that belong to the connection or to the client, never to a credential. */
const RESERVED_HEADERS =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-.*|accept.*|if-.*|user-agent)$/i;

export type CredentialLookup = (origin: string) => Promise<HeaderCredential | undefined> | undefined;

/** Visible characters, blanks between them (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** The lookup that the transport asks, by origin. Throws TypeError for what can be judged at once. */
export function credentialLookup(credentials: Credentials = {}): CredentialLookup {
  if (typeof credentials !== 'object' || credentials === null)
    throw new TypeError('credentials: expected an object');
  const byOrigin = new Map<string, () => Promise<HeaderCredential | undefined>>();
  for (const [key, credential] of Object.entries(credentials)) {
    const origin = credentialOrigin(key);
    if (typeof credential === 'function') {
      byOrigin.set(origin, async () => {
        const given = await credential();
        return given ? toHeader(given, key) : undefined;
      });
    } else {
      const header = toHeader(credential, key);
      byOrigin.set(origin, async () => header);
    }
  }
  return (origin) => byOrigin.get(origin)?.();
}

/** Throws TypeError for what is no origin that credentials are sent to. */
export function credentialOrigin(key: string): string {
  const url = parseUrl(key);
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw new TypeError(`credentials: ${shown(key)} is not an origin such as "https://skills.example"`);
  }
  const loopback = /^(?:localhost|(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !loopback) {
    throw new TypeError(`credentials: ${shown(key)} must be https: credentials are not sent in clear`);
  }
  return url.origin;
}

/** Without what may be a password in it. */
const shown = (key: string) => JSON.stringify(key.replace(/\/\/[^/\\]*@/, '//…@'));

/** Throws TypeError for what cannot be sent. */
export function toHeader(credential: Credential, origin: string): HeaderCredential {
  if (typeof credential !== 'object' || credential === null) {
    throw new TypeError(`credentials: expected { header, value }, { bearer } or a function for ${origin}`);
  }
  const { label = 'authenticated' } = credential;
  const [header, value] =
    'bearer' in credential
      ? ['authorization', `Bearer ${credential.bearer}`]
      : [credential.header, credential.value];
  if (typeof label !== 'string' || label === '' || label === 'anonymous') {
    throw new TypeError(
      `credentials: the label for ${origin} must be a non-empty string other than "anonymous"`,
    );
  }
  if (!isHeader(header, value)) {
    throw new TypeError(`credentials: the credential for ${origin} is empty or not a usable request header`);
  }
  return { label, header: header.toLowerCase(), value };
}

/** Whether a text can be the value of a request header. */
export function isFieldValue(value: unknown): boolean {
  return typeof value === 'string' && FIELD_VALUE.test(value);
}

function isHeader(name: unknown, value: unknown): boolean {
  if (typeof name !== 'string' || typeof value !== 'string') return false;
  if (RESERVED_HEADERS.test(name) || !isFieldValue(value)) return false;
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
