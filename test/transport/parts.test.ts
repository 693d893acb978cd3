import { describe, expect, it } from 'vitest';
import { describeNetworkError } from '../../src/transport/failures.ts';
import { createLruCacheStore } from '../../src/transport/lru-cache-store.ts';
import { isRetryable, retryDelayMs } from '../../src/transport/retry.ts';

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code} happened`), { code, ...more });

describe('network errors', () => {
  it.each([
    ['ENOTFOUND', 'DNS_FAILURE', false],
    ['EAI_AGAIN', 'DNS_FAILURE', false],
    ['CERT_HAS_EXPIRED', 'TLS_FAILURE', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_FAILURE', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS_FAILURE', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS_FAILURE', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS_FAILURE', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_FAILURE', false],
    ['EPROTO', 'TLS_FAILURE', false],
    ['UND_ERR_HEADERS_OVERFLOW', 'HEADERS_TOO_LARGE', false],
    ['Z_DATA_ERROR', 'BAD_ENCODING', false],
    ['ETIMEDOUT', 'TIMEOUT', false],
    ['UND_ERR_CONNECT_TIMEOUT', 'TIMEOUT', false],
    ['ECONNREFUSED', 'NETWORK_FAILURE', false],
    ['EHOSTUNREACH', 'NETWORK_FAILURE', false],
    ['HPE_INVALID_CONSTANT', 'NETWORK_FAILURE', false],
    ['ECONNRESET', 'NETWORK_FAILURE', true],
    ['EPIPE', 'NETWORK_FAILURE', true],
    ['UND_ERR_SOCKET', 'NETWORK_FAILURE', true],
  ])('%s is %s', (cause, code, reset) => {
    const described = describeNetworkError(new TypeError('fetch failed', { cause: withCode(cause) }), 'host');
    expect(described).toMatchObject({ failure: { code }, reset });
    expect(described.failure.message).toContain(cause);
  });

  it.each([
    ['EPROTO', 'SSL routines:ssl3_get_record:wrong version number', '; perhaps the server speaks plain http'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', '', '; perhaps the server speaks plain http'],
    ['EPROTO', 'SSL routines:ssl3_read_bytes:tlsv1 alert protocol version', ''],
    ['EPROTO', 'SSL routines:ssl3_read_bytes:sslv3 alert handshake failure', ''],
  ])('says what %s with "%s" mostly means', (code, message, hint) => {
    expect(describeNetworkError(Object.assign(new Error(message), { code }), 'host').failure.message).toBe(
      `host: no trusted TLS connection: ${code}${hint}`,
    );
  });

  it('finds the reasons inside an AggregateError without a message [F14]', () => {
    const errors = [
      withCode('ETIMEDOUT', { address: '192.0.2.1', port: 443 }),
      withCode('ECONNREFUSED', { address: '2001:db8::1', port: 443 }),
    ];
    const { failure } = describeNetworkError(
      new TypeError('fetch failed', { cause: new AggregateError(errors) }),
      'host',
    );
    expect(failure).toEqual({
      code: 'NETWORK_FAILURE',
      message:
        'host: the connection failed: ETIMEDOUT, ECONNREFUSED (tried 192.0.2.1:443, [2001:db8::1]:443)',
    });
    expect(describeNetworkError(new AggregateError([errors[0]]), 'host').failure.code).toBe('TIMEOUT');
  });

  it('names an address whose port is not known', () => {
    const { failure } = describeNetworkError(withCode('EHOSTUNREACH', { address: '192.0.2.1' }), 'host');
    expect(failure.message).toBe('host: the connection failed: EHOSTUNREACH (tried 192.0.2.1)');
  });

  it.each([['a string'], [undefined], [{}]])('takes %j for an error', (thrown) => {
    expect(describeNetworkError(thrown, 'host').failure.code).toBe('NETWORK_FAILURE');
  });

  it('ends on a cause that leads in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(describeNetworkError(error, 'host').failure.message).toContain('round');
  });
});

describe('retries', () => {
  it.each([
    [{ type: 'failed', reset: true }, true],
    [{ type: 'failed', reset: false }, false],
    [{ type: 'redirect' }, false],
    ...[408, 500, 503, 599].map(
      (status) => [{ type: 'received', received: { status, fields: {} } }, true] as const,
    ),
    ...[200, 304, 404, 407, 409, 429, 499, 600].map(
      (status) => [{ type: 'received', received: { status, fields: {} } }, false] as const,
    ),
    [{ type: 'received', received: { status: 503, fields: { 'retry-after': '1' } } }, false],
  ] as const)('%j: %s', (hop, retryable) => {
    expect(isRetryable(hop)).toBe(retryable);
  });

  it('wait longer each time, to a cap, jittered downwards', () => {
    expect([0, 1, 2, 3, 4, 50].map((retried) => retryDelayMs(retried, 0))).toEqual([
      250, 500, 1000, 2000, 4000, 4000,
    ]);
    expect(retryDelayMs(0, 0.5)).toBe(187.5);
    expect(retryDelayMs(50, 0.999)).toBeGreaterThan(2000);
  });
});

describe('the cache in memory', () => {
  const entry = (bytes: number) => ({
    url: 'https://provider.example/',
    redirects: [],
    headers: [],
    text: 'x'.repeat(bytes),
    bytes,
    view: 'anonymous',
    fetchedAt: 0,
    freshUntil: 0,
  });
  const kept = (store: ReturnType<typeof createLruCacheStore>, keys: string[]) =>
    keys.filter((key) => store.get(key));

  it('lets the least recently used go, by number', () => {
    const store = createLruCacheStore({ maxEntries: 2, maxBytes: 1000 });
    store.set('a', entry(1));
    store.set('b', entry(1));
    store.get('a');
    store.set('c', entry(1));
    expect(kept(store, ['a', 'b', 'c'])).toEqual(['a', 'c']);
  });

  it('and by bytes; what is too large alone is not kept', () => {
    const overhead = entry(0).url.length + 1;
    const store = createLruCacheStore({ maxEntries: 10, maxBytes: overhead + 10 });
    store.set('a', entry(6));
    store.set('b', entry(6));
    store.set('c', entry(11));
    expect(kept(store, ['a', 'b', 'c'])).toEqual(['b']);
    store.delete('b');
    expect(kept(store, ['b'])).toEqual([]);
  });
});
