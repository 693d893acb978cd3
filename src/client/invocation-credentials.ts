import type { Credential } from './credentials.ts';

/** What is about to be sent to an endpoint, for a credential that depends on it. */
export interface InvocationMessage {
  method: 'GET' | 'POST';
  url: string;
  /** Of a POST: the JSON text. */
  body?: string;
}

/**
 * What proves to one origin who invokes. `apiKey` is sent in the header that the skill's `auth.header` names (default
 * `X-API-Key`), `bearer` as `Authorization: Bearer …` for `oauth2`. A function is asked for every message and serves every
 * `auth.type` but `none`, above all `custom`; `undefined` from it means that there is none.
 */
export type InvocationCredential =
  | { apiKey: string }
  | { bearer: string }
  | ((message: InvocationMessage) => Promise<Credential | undefined>);

/** By origin, such as `https://api.example`. Only https and loopback origins are taken. */
export type InvocationCredentials = Record<string, InvocationCredential>;
