export { type Client, createClient, type RequestOptions } from './client.ts';
export type { Credential, Credentials } from './credentials.ts';
export type { ClientOptions } from './options.ts';
