export {
  type ChangeListener,
  type Client,
  type CrawlCallOptions,
  createClient,
  type RefreshOptions,
  type RequestOptions,
} from './client.ts';
export type { Credential, Credentials } from './credentials.ts';
export type { ClientOptions } from './options.ts';
