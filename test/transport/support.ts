import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  createTransport,
  type GetRequest,
  type HttpGet,
  type HttpSend,
  type TransportOptions,
} from '../../src/transport/index.ts';
import { serve } from '../support/loopback-server.ts';
import { createManualClock } from '../support/manual-clock.ts';

export type TransportFactory = (options: TransportOptions) => {
  get: HttpGet;
  send: HttpSend;
  close(): Promise<void>;
};

export type Overrides = Partial<Omit<TransportOptions, 'http' | 'cache' | 'unsafe'>> & {
  http?: Partial<TransportOptions['http']>;
  cache?: Partial<TransportOptions['cache']>;
  unsafe?: Partial<TransportOptions['unsafe']>;
};

/** Failures are asked for again at once. */
export const NOTHING_REMEMBERED = {
  absentMs: 0,
  forbiddenMs: 0,
  pageMs: 0,
  documentMs: 0,
  nameMs: 0,
  timeoutMs: 0,
  serverMs: 0,
  maxMs: 0,
};

/** A transport for one test: it may use http and loopback, follows any redirect, and is closed after the test. */
export function transportFor(overrides: Overrides = {}, create: TransportFactory = createTransport) {
  const clock = createManualClock();
  const transport = create({
    clock,
    userAgent: 'test/1 (+https://example.test)',
    credential: async () => undefined,
    sameSite: async () => true,
    maxIdleSockets: 64,
    schedule: async (_origin, signal, run) => {
      signal.throwIfAborted();
      return run();
    },
    ...overrides,
    http: { timeoutMs: 1000, maxBodyBytes: 100_000, maxRedirects: 5, retries: 0, ...overrides.http },
    cache: {
      maxEntries: 100,
      maxBytes: 1_000_000,
      minFreshMs: 0,
      maxFreshMs: 86_400_000,
      staleIfErrorMs: 3_600_000,
      negative: NOTHING_REMEMBERED,
      ...overrides.cache,
    },
    unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'], ...overrides.unsafe },
  });
  onTestFinished(() => transport.close());
  return { clock, ...transport };
}

/** Takes any text that is not empty and not "bad". */
export const text: GetRequest<string>['check'] = ({ status, text }) => {
  if (status < 200 || status > 299)
    return { ok: false, failure: { code: 'HTTP_STATUS', message: `${status}` } };
  if (text === '') return { ok: false, failure: { code: 'EMPTY_BODY', message: 'empty' } };
  if (text === 'bad') return { ok: false, failure: { code: 'NOT_JSON', message: 'bad' } };
  return { ok: true, value: text };
};

export const wanted = (url: string, more: Partial<GetRequest<string>> = {}): GetRequest<string> => ({
  url,
  kind: 'text',
  check: text,
  cacheMode: 'use',
  ...more,
});

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server for one test. */
export async function site(...parameters: Parameters<typeof serve>) {
  const server = await serve(...parameters);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A server that answers by path, and 404 for the rest. */
export const paths = (handlers: Record<string, Handler>) =>
  site((request, response) => {
    const handler = handlers[request.url ?? ''];
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  });

export const body =
  (content: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(200, headers).end(content);
  };

export const redirect =
  (location: string, status = 302): Handler =>
  (_request, response) => {
    response.writeHead(status, { location }).end('moved');
  };
