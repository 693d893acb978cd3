export {
  type ChangeListener,
  type Client,
  type CrawlCallOptions,
  createClient,
  type ExportOptions,
  type RefreshOptions,
  type RequestOptions,
} from './client.ts';
export type { Credential, Credentials } from './credentials.ts';
export type { ClientOptions } from './options.ts';
export type { ImportReport } from './snapshot.ts';
export type { LockVerdict } from './verify-lock.ts';
