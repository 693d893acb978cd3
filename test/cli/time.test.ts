import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { dueText, isoTime, parseSince, shortSpan } from '../../src/cli/time.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const NOW = Date.UTC(2026, 5, 15, 12, 30);
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('the time since when', () => {
  it.each([
    ['90m', NOW - 90 * MINUTE],
    ['24h', NOW - DAY],
    ['7d', NOW - 7 * DAY],
    ['45s', NOW - 45 * SECOND],
    ['0s', NOW],
    ['0', 0],
    ['1781526600000', 1_781_526_600_000],
    ['2026-06-15', Date.UTC(2026, 5, 15)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2026-06-15T08:30', Date.UTC(2026, 5, 15, 8, 30)],
    ['2026-06-15T08:30:15.250', Date.UTC(2026, 5, 15, 8, 30, 15, 250)],
    ['2026-06-15T08:30:15Z', Date.UTC(2026, 5, 15, 8, 30, 15)],
    ['2026-06-15T08:30+02:00', Date.UTC(2026, 5, 15, 6, 30)],
    ['2026-06-15T00:30+02:00', Date.UTC(2026, 5, 14, 22, 30)],
  ])('is taken as %s', (text, expected) => {
    expect(parseSince(text, NOW)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '7 d',
    '7w',
    '-7d',
    '1.5h',
    '-1',
    '1e3',
    '2026',
    '20260615',
    '2026-6-15',
    '2026-02-30',
    '2025-02-29T10:00',
    '2026-13-01',
    '2026-06-15T25:00',
    '2026-06-15 08:30',
    'June 15, 2026',
  ])('is not %j', (text) => {
    expect(() => parseSince(text, NOW)).toThrow(UsageError);
    expect(() => parseSince(text, NOW)).toThrow(/^--since: /);
  });

  test.prop([fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(253_402_300_799_999) })])(
    'is read back as it is printed',
    (date) => {
      expect(parseSince(isoTime(date.getTime()), NOW)).toBe(date.getTime());
    },
  );
});

describe('a span', () => {
  it.each([
    [-5 * SECOND, '0s'],
    [0, '0s'],
    [59 * SECOND + 999, '59s'],
    [MINUTE, '1m'],
    [HOUR - 1, '59m'],
    [2 * HOUR + 59 * MINUTE, '2h'],
    [DAY - 1, '23h'],
    [400 * DAY, '400d'],
  ])('of %d ms is %s', (ms, expected) => {
    expect(shortSpan(ms)).toBe(expected);
  });

  test.prop([fc.integer({ min: 0, max: 99_999 }), fc.constantFrom('s', 'm', 'h', 'd')])(
    'that is printed can be asked for, and does not reach further back',
    (count, unit) => {
      const ms = count * { s: SECOND, m: MINUTE, h: HOUR, d: DAY }[unit];
      const back = NOW - parseSince(shortSpan(ms), NOW);
      expect(back).toBeLessThanOrEqual(ms);
      expect(back).toBeGreaterThanOrEqual(ms / 2);
    },
  );

  it.each([
    [NOW + 2 * HOUR, 'in 2h'],
    [NOW + 1, 'in 0s'],
    [NOW, 'now'],
    [NOW - 59 * SECOND, 'now'],
    [NOW - MINUTE, 'overdue by 1m'],
    [NOW - 5 * DAY, 'overdue by 5d'],
  ])('until a time that is due is told, %#', (dueAt, expected) => {
    expect(dueText(dueAt, NOW)).toBe(expected);
  });
});
