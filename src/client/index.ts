export type {
  ChangeListener,
  Client,
  CrawlCallOptions,
  ExportOptions,
  InvokeOptions,
  RefreshOptions,
  RequestOptions,
} from './api.ts';
export { createClient } from './client.ts';
export type { Credential, Credentials } from './credentials.ts';
export type {
  InvocationCredential,
  InvocationCredentials,
} from './invocation-credentials.ts';
export type { ClientOptions } from './options.ts';
export type { ImportReport } from './snapshot.ts';
export type { LockVerdict } from './verify-lock.ts';
