import type { ErrorCode, Failure } from '../errors.ts';
import type { InvocationMessage, InvokeContext } from '../invoke/index.ts';
import { excerpt } from '../protocol/index.ts';
import type { HeaderCredential } from '../transport/index.ts';
import { type Credential, credentialOrigin, isFieldValue, toHeader } from './credentials.ts';

/**
 * What proves to one origin who invokes. `apiKey` is sent for skills with `auth.type` `api_key`, in the header that the skill's
 * `auth.header` names (default `X-API-Key`); `bearer` for `oauth2`, as `Authorization: Bearer …`. A function is asked for every
 * message and serves every type but `none`, above all `custom`; `undefined` from it means that there is none.
 */
export type InvocationCredential =
  | { apiKey: string }
  | { bearer: string }
  | ((message: InvocationMessage) => Promise<Credential | undefined>);

/** By origin, such as `https://api.example`. Only https and loopback origins are taken. */
export type InvocationCredentials = Record<string, InvocationCredential>;

type SignerFor = InvokeContext['signerFor'];

const DEFAULT_HEADER = 'x-api-key';
/**
 * What a descriptor may not have set, besides what no credential may set: headers that speak for a browser's session, for a
 * proxy's view of the request, or for another request than this one.
 */
const FOREIGN_HEADERS =
  /^(?:cookie2?|set-cookie2?|origin|referer|sec-.*|via|forwarded|x-forwarded-.*|x-http-method.*|expect|range|http2-settings|__proto__)$/i;

/** What goes with an origin and a skill's way of authentication. Throws TypeError for what can be judged at once. */
export function invocationSigners(credentials: InvocationCredentials = {}): SignerFor {
  if (typeof credentials !== 'object' || credentials === null) {
    throw new TypeError('invocation.credentials: expected an object');
  }
  const byOrigin = new Map(
    Object.entries(credentials).map(([key, credential]) => {
      const origin = credentialOrigin(key);
      requireUsable(credential, origin);
      return [origin, credential];
    }),
  );
  return (origin, auth) => {
    const { type, header = DEFAULT_HEADER } = auth;
    if (type === 'none') return async () => ({});
    const given = byOrigin.get(origin);
    if (typeof given === 'function') return (message) => askFunction(given, message, origin);
    if (given && 'bearer' in given && type === 'oauth2') return always(toHeader(given, origin));
    if (given && 'apiKey' in given && type === 'api_key') {
      const credential = apiKeyHeader(header, given.apiKey, origin);
      if (credential) return always(credential);
      return failure(
        'CREDENTIAL_FAILED',
        `the skill wants the key in ${excerpt(header)}, a header that is not set for it`,
      );
    }
    const lack = given ? 'another kind of credential is' : 'no credential is';
    const wanted = type === 'api_key' ? `api_key in ${excerpt(header)}` : type;
    return failure('AUTH_REQUIRED', `the skill wants ${wanted}, and ${lack} configured for ${origin}`);
  };
}

const failure = (code: ErrorCode, message: string): Failure => ({ code, message });

const always = (credential: HeaderCredential) => async () => ({ credential });

async function askFunction(
  give: Extract<InvocationCredential, (...args: never[]) => unknown>,
  message: InvocationMessage,
  origin: string,
): Promise<{ credential: HeaderCredential } | { failure: Failure }> {
  try {
    const given = await give(message);
    if (given) return { credential: toHeader(given, origin) };
    return { failure: failure('AUTH_REQUIRED', `there is no credential for ${origin}`) };
  } catch {
    // What it threw may hold a secret.
    return { failure: failure('CREDENTIAL_FAILED', `no usable credential for ${origin}`) };
  }
}

function apiKeyHeader(header: string, value: string, origin: string): HeaderCredential | undefined {
  if (FOREIGN_HEADERS.test(header)) return undefined;
  try {
    return toHeader({ header, value }, origin);
  } catch {
    return undefined;
  }
}

function requireUsable(credential: unknown, origin: string): void {
  if (typeof credential === 'function') return;
  const members = typeof credential === 'object' && credential !== null ? Object.entries(credential) : [];
  const [name, value] = members[0] ?? [];
  if (members.length === 1 && (name === 'apiKey' || name === 'bearer') && isFieldValue(value)) return;
  throw new TypeError(`invocation.credentials: expected { apiKey }, { bearer } or a function for ${origin}`);
}
