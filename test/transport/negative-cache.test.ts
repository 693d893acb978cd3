import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { NegativeCache, negativeLifetimeMs } from '../../src/transport/negative-cache.ts';

const lifetimes = {
  absentMs: 1000,
  forbiddenMs: 2000,
  pageMs: 3000,
  documentMs: 4000,
  nameMs: 5000,
  timeoutMs: 6000,
  serverMs: 7000,
  maxMs: 50_000,
};

describe('negativeLifetimeMs', () => {
  it.each<[ErrorCode, number]>([
    ['INDEX_NOT_FOUND', 1000],
    ['SKILL_NOT_FOUND', 1000],
    ['AUTH_REQUIRED', 2000],
    ['PERMISSION_DENIED', 2000],
    ['PAYMENT_REQUIRED', 2000],
    ['BLOCKED', 2000],
    ['HTML_INSTEAD', 3000],
    ['DNS_FAILURE', 5000],
    ['TLS_FAILURE', 5000],
    ['TIMEOUT', 6000],
    ['SERVER_ERROR', 7000],
    ['NETWORK_FAILURE', 7000],
    ['ADDRESS_REFUSED', 0],
    ['RATE_LIMITED', 0],
  ])('remembers a first %s for %i ms', (code, expected) => {
    expect(negativeLifetimeMs(code, 1, lifetimes)).toBe(expected);
  });

  it.each<ErrorCode>([
    'NOT_JSON',
    'EMPTY_BODY',
    'BAD_ENCODING',
    'BODY_TOO_LARGE',
    'TOO_DEEP',
    'STRING_TOO_LONG',
    'VALIDATION_ERROR',
    'VERSION_INCOMPATIBLE',
    'HTTP_STATUS',
    'HEADERS_TOO_LARGE',
    'REDIRECT_REFUSED',
  ])('remembers %s from the second time on', (code) => {
    expect([1, 2].map((n) => negativeLifetimeMs(code, n, lifetimes))).toEqual([0, 4000]);
  });

  it('never remembers a kind of 0 ms, however often it repeats', () => {
    expect(negativeLifetimeMs('TIMEOUT', 1, { ...lifetimes, timeoutMs: 0 })).toBe(0);
    expect(negativeLifetimeMs('TIMEOUT', 5000, { ...lifetimes, timeoutMs: 0 })).toBe(0);
  });

  it('doubles with each repetition, up to the most', () => {
    const times = (code: ErrorCode) => [1, 2, 3, 9, 5000].map((n) => negativeLifetimeMs(code, n, lifetimes));
    expect(times('INDEX_NOT_FOUND')).toEqual([1000, 2000, 4000, 50_000, 50_000]);
    expect(times('NOT_JSON')).toEqual([0, 4000, 8000, 50_000, 50_000]);
  });
});

describe('NegativeCache', () => {
  const failure = { code: 'TIMEOUT', message: 'late' } as const;

  it('knows a failure until its time is over, and not after the clock was set back [C11]', () => {
    const cache = new NegativeCache(lifetimes);
    cache.remember('key', failure, 100);
    expect(cache.get('key', 6099)).toMatchObject({ failure, failedAt: 100, until: 6100 });
    expect(cache.get('key', 6100)).toBeUndefined();
    expect(cache.get('key', 99)).toBeUndefined();
    expect(cache.get('other', 100)).toBeUndefined();
  });

  it('counts repetitions in a row, and starts anew once forgotten', () => {
    const cache = new NegativeCache(lifetimes);
    cache.remember('key', failure, 0);
    cache.remember('key', failure, 10_000);
    expect(cache.get('key', 10_000)?.until).toBe(22_000);
    cache.forget('key');
    cache.remember('key', failure, 30_000);
    expect(cache.get('key', 30_000)?.until).toBe(36_000);
  });

  it('keeps 50,000 failures, the latest', () => {
    const cache = new NegativeCache(lifetimes);
    for (let i = 0; i < 50_000; i += 1) cache.remember(`${i}`, failure, 0);
    expect(cache.get('0', 0)).toBeDefined();
    cache.remember('one more', failure, 0);
    expect(cache.get('1', 0)).toBeUndefined();
    expect(cache.get('2', 0)).toBeDefined();
  });

  it('keeps 16 Mi characters of keys and failures, the latest', () => {
    const cache = new NegativeCache(lifetimes);
    const rest = 'a'.length + JSON.stringify({ ...failure, message: '' }).length;
    const large = { ...failure, message: 'x'.repeat(2 ** 20 - rest) };
    const keys = [...'abcdefghijklmnopq'];
    for (const key of keys.slice(0, 16)) cache.remember(key, large, 0);
    expect(cache.get('a', 0)).toBeDefined();
    cache.remember('q', large, 0);
    expect(keys.filter((key) => cache.get(key, 0) === undefined)).toEqual(['b']);
  });

  it('counts by kind: the first document after an outage is asked for again at once', () => {
    const cache = new NegativeCache(lifetimes);
    const fail = (code: ErrorCode) => cache.remember('key', { code, message: '' }, 0);
    fail('SERVER_ERROR');
    fail('NETWORK_FAILURE');
    expect(cache.get('key', 0)?.until).toBe(14_000);
    fail('NOT_JSON');
    expect(cache.get('key', 0)).toBeUndefined();
    fail('EMPTY_BODY');
    expect(cache.get('key', 0)?.until).toBe(4000);
  });
});
