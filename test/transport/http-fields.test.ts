import { describe, expect, it } from 'vitest';
import { parseHttpDate, parseRetryAfter } from '../../src/transport/http-fields.ts';

describe('HTTP dates', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    '%s',
    (text) => {
      expect(parseHttpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    },
  );

  it.each([
    [' Wed, 16 Nov 1994 08:49:37 GMT\t', Date.UTC(1994, 10, 16, 8, 49, 37)],
    ['Wed Nov 16 08:49:37 1994', Date.UTC(1994, 10, 16, 8, 49, 37)],
    ['Wednesday, 01-Jan-20 00:00:00 GMT', Date.UTC(2020, 0, 1)],
  ])('%j', (text, time) => {
    expect(parseHttpDate(text)).toBe(time);
  });

  it.each([
    'x Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT+0200',
    'x Sunday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT+0200',
    'x Sun Nov  6 08:49:37 1994',
    'Sun Nov  6 08:49:37 19940',
    'Sun Nov +6 08:49:37 1994',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    '',
    '0',
    '-1',
    '1994',
    '1994-11-06T08:49:37Z',
    'tomorrow',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 +0200',
  ])('%j is none', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['86400', 86_400_000],
    ['9'.repeat(400), 2 ** 31 * 1000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 2 ** 31 * 1000],
    ['', undefined],
    ['2147483648', 2 ** 31 * 1000],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
    ['Thu Jan  1 00:01:00 2026', 60_000],
    ['-5', undefined],
    ['+5', undefined],
    ['5s', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['120, 60', undefined],
  ])('%j', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});
