import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshUntil, isStorable, parseCacheControl, staleWindows } from '../../src/transport/freshness.ts';

const now = Date.UTC(2026, 0, 1);
const date = (ms: number) => new Date(ms).toUTCString();
const day = 86_400_000;
const lifetime = (headers: Record<string, string>, bounds = { minFreshMs: 0, maxFreshMs: 365 * day }) =>
  freshUntil(headers, now, bounds) - now;

describe('Cache-Control', () => {
  it.each([
    ['', { noStore: false, noCache: false }],
    ['max-age=60', { noStore: false, noCache: false, maxAge: 60 }],
    ['MAX-AGE=60, No-Store', { noStore: true, noCache: false, maxAge: 60 }],
    ['max-age="60"', { noStore: false, noCache: false, maxAge: 60 }],
    ['max-age=60, max-age=5, max-age=90', { noStore: false, noCache: false, maxAge: 5 }],
    ['max-age=soon', { noStore: false, noCache: false, maxAge: 0 }],
    ['max-age=-1', { noStore: false, noCache: false, maxAge: 0 }],
    ['max-age', { noStore: false, noCache: false, maxAge: 0 }],
    ['max-age=99999999999999999999', { noStore: false, noCache: false, maxAge: 2 ** 31 }],
    ['no-cache="set-cookie, x"', { noStore: false, noCache: true }],
    ['x="no-store, max-age=1", s-maxage=9', { noStore: false, noCache: false }],
    ['x="a \\" no-store", public', { noStore: false, noCache: false }],
    ['max-age =\t60', { noStore: false, noCache: false, maxAge: 60 }],
    ['max-age=60;no-store', { noStore: true, noCache: false, maxAge: 60 }],
    ['no-storee, xno-store', { noStore: false, noCache: false }],
    ['Must-Revalidate', { noStore: false, noCache: false, mustRevalidate: true }],
    [
      'stale-while-revalidate=9, stale-while-revalidate="5", stale-if-error=7, stale-if-error="3"',
      { noStore: false, noCache: false, staleWhileRevalidate: 5, staleIfError: 3 },
    ],
    [
      'stale-while-revalidate, stale-if-error=x',
      { noStore: false, noCache: false, staleWhileRevalidate: 0, staleIfError: 0 },
    ],
  ])('%j', (value, control) => {
    expect(parseCacheControl(value)).toEqual({ mustRevalidate: false, ...control });
  });
});

describe('freshness', () => {
  it.each<[string, Record<string, string>, number]>([
    ['nothing said', {}, 0],
    ['max-age', { 'cache-control': 'max-age=60' }, 60_000],
    [
      'max-age over Expires',
      { 'cache-control': 'max-age=60', expires: date(now + day), date: date(now) },
      60_000,
    ],
    ['max-age less Age', { 'cache-control': 'max-age=60', age: '20' }, 40_000],
    ['Age beyond max-age [C11]', { 'cache-control': 'max-age=60', age: '999999999' }, 0],
    ['Age without end [C11]', { 'cache-control': 'max-age=60', age: '9'.repeat(40) }, 0],
    ['Age that is garbage', { 'cache-control': 'max-age=60', age: 'old' }, 60_000],
    ['the first of several Ages', { 'cache-control': 'max-age=60', age: '20, 30' }, 40_000],
    ['Expires less Date', { expires: date(now + 90_000), date: date(now + 30_000) }, 60_000],
    ['two Expires', { expires: `${date(now + day)}, ${date(now + day)}`, date: date(now) }, 0],
    ['Expires beside a Date that is garbage', { expires: date(now + 60_000), date: 'now' }, 60_000],
    ['Expires less Age', { expires: date(now + 60_000), date: date(now), age: '20' }, 40_000],
    ['Expires over Last-Modified', { expires: date(now + 1000), 'last-modified': date(now - day) }, 1000],
    ['Last-Modified that is garbage', { 'last-modified': 'yesterday' }, 0],
    ['Last-Modified without Date', { 'last-modified': date(now - 1000_000) }, 100_000],
    ['Expires without Date', { expires: date(now + 60_000) }, 60_000],
    ['Expires in the past', { expires: date(now - 1000), date: date(now) }, 0],
    ['Expires: 0', { expires: '0', 'last-modified': date(now - 100 * day) }, 0],
    [
      'a tenth of the age of the document',
      { date: date(now), 'last-modified': date(now - 1000_000) },
      100_000,
    ],
    ['at most a day of it', { date: date(now), 'last-modified': date(now - 1000 * day) }, day],
    ['Last-Modified in the future', { date: date(now), 'last-modified': date(now + day) }, 0],
    ['a Date far from our clock', { 'cache-control': 'max-age=60', date: date(now - day) }, 60_000],
    ['must-revalidate', { 'cache-control': 'max-age=60, must-revalidate' }, 60_000],
    ['private', { 'cache-control': 'private, max-age=60' }, 60_000],
  ])('%s', (_case, headers, expected) => {
    expect(lifetime(headers)).toBe(expected);
  });

  const bounds = { minFreshMs: 5000, maxFreshMs: day };

  it.each<[string, Record<string, string>, number]>([
    ['max-age=0 gets the floor [C12]', { 'cache-control': 'max-age=0, must-revalidate' }, 5000],
    ['nothing said gets the floor', {}, 5000],
    ['a year gets the ceiling [C12]', { 'cache-control': 'max-age=31536000' }, day],
    ['no-cache gets neither', { 'cache-control': 'no-cache, max-age=60' }, 0],
    ['no-store gets neither', { 'cache-control': 'no-store' }, 0],
    ['Vary: * gets neither', { 'cache-control': 'max-age=60', vary: '*' }, 0],
    ['nor does a Vary that holds *', { 'cache-control': 'max-age=60', vary: 'accept, * , x' }, 0],
    ['a Vary on names does', { 'cache-control': 'max-age=60', vary: 'accept, x-*' }, 60_000],
  ])('%s', (_case, headers, expected) => {
    expect(lifetime(headers, bounds)).toBe(expected);
  });

  it.each<[Record<string, string>, number, number]>([
    [{}, 0, 100_000],
    [{ 'cache-control': 'max-age=60' }, 0, 100_000],
    [{ 'cache-control': 'stale-while-revalidate=30' }, 30_000, 100_000],
    [{ 'cache-control': 'stale-while-revalidate=999' }, 100_000, 100_000],
    [{ 'cache-control': 'stale-if-error=30' }, 0, 30_000],
    [{ 'cache-control': 'stale-if-error=999' }, 0, 100_000],
    [{ 'cache-control': 'stale-if-error=0' }, 0, 0],
    [{ 'cache-control': 'stale-while-revalidate=30, stale-if-error=60, must-revalidate' }, 0, 0],
    [{ 'cache-control': 'stale-while-revalidate=30, stale-if-error=60, no-cache' }, 0, 0],
    [{ 'cache-control': 'stale-while-revalidate=30, stale-if-error=60', vary: 'accept, *' }, 0, 0],
    [{ 'cache-control': 'stale-while-revalidate=30', vary: 'accept' }, 30_000, 100_000],
  ])('%j goes %i ms past freshness during a refresh, %i after a failed one', (headers, during, after) => {
    expect(staleWindows(headers, 100_000)).toEqual({
      whileRevalidateMs: during,
      ifErrorMs: after,
    });
  });

  it('never leaves the bounds, whatever a server sends', () => {
    const field = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.constantFrom('max-age=1', 'max-age=99999999999'),
    );
    fc.assert(
      fc.property(field, field, field, (control, age, expires) => {
        const headers: Record<string, string> = {};
        for (const [name, value] of [
          ['cache-control', control],
          ['age', age],
          ['expires', expires],
        ] as const) {
          if (/^[\x20-\x7e]*$/.test(value)) headers[name] = value;
        }
        const until = freshUntil(headers, now, bounds) - now;
        expect(until === 0 || (until >= 5000 && until <= day)).toBe(true);
      }),
    );
  });

  it.each([
    ['max-age=60', true],
    ['private', true],
    ['no-cache', true],
    ['No-Store', false],
    ['max-age=60, no-store', false],
  ])('%j may be kept: %s', (control, storable) => {
    expect(isStorable({ 'cache-control': control })).toBe(storable);
  });
});
