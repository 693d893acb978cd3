export type { CacheEntry, CacheStore } from './cache-store.ts';
export type { Credential as HeaderCredential, Schedule } from './exchange.ts';
export type {
  CacheMode,
  Check,
  GetReport,
  GetRequest,
  GetResult,
  HttpGet,
  HttpResponse,
  KeptCopy,
} from './http-get.ts';
export type { HttpSend, SendReport } from './http-send.ts';
export type { Lookup } from './network.ts';
export { createTransport, type Transport, type TransportOptions } from './transport.ts';
