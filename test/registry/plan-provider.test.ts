import { describe, expect, it } from 'vitest';
import type { ProviderStatus } from '../../src/protocol/index.ts';
import { type ProviderUpdate, planProvider } from '../../src/registry/index.ts';
import { storedSkill } from '../support/stored-skill.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const good = (at: number, parts: Partial<ProviderUpdate> = {}): ProviderUpdate => ({
  domain: 'a.example',
  view: 'anonymous',
  at,
  status: 'ok',
  skills: [],
  standIns: [],
  listed: [],
  forgetBefore: 0,
  ...parts,
});
const bad = (at: number, parts: Partial<ProviderUpdate> = {}): ProviderUpdate => {
  const { listed, ...update } = good(at, {
    status: 'failed',
    code: 'TIMEOUT',
    message: 'too slow',
    ...parts,
  });
  return update;
};
const given = (...looks: ProviderUpdate[]) =>
  looks.reduce<ProviderStatus | undefined>((before, look) => planProvider(before, look, 3), undefined);

describe('planProvider', () => {
  it('keeps what a good look was', () => {
    expect(given(good(1_000, { freshUntil: 5_000 }))).toEqual({
      domain: 'a.example',
      status: 'ok',
      lookedAt: 1_000,
      goodAt: 1_000,
      dueAt: 5_000,
      successes: 1,
      failures: 0,
      failuresInRow: 0,
      skills: 3,
    });
  });

  it('holds what we refused to ask against nobody, but asks ever later', () => {
    const refusal = { code: 'ADDRESS_REFUSED', message: 'private', wasRefused: true } as const;
    const known = given(good(1_000), bad(2_000));
    const refused = [bad(3_000, refusal), bad(4_000, refusal)];
    expect(given(good(1_000), bad(2_000), ...refused)).toEqual({
      ...known,
      code: 'ADDRESS_REFUSED',
      message: 'private',
      lookedAt: 4_000,
      dueAt: 4_000 + 10 * MINUTE,
    });
    expect(given(...refused)).toEqual({
      domain: 'a.example',
      status: 'failed',
      code: 'ADDRESS_REFUSED',
      message: 'private',
      lookedAt: 4_000,
      dueAt: 4_000 + 10 * MINUTE,
      successes: 0,
      failures: 0,
      failuresInRow: 0,
      skills: 3,
    });
    expect(given(good(5_000), bad(4_000, refusal))).toEqual(given(good(5_000)));
  });

  it('keeps what a failed look was, and since when', () => {
    expect(given(good(1_000), bad(2_000), bad(3_000, { code: 'DNS_FAILURE', message: 'gone' }))).toEqual({
      domain: 'a.example',
      status: 'failed',
      code: 'DNS_FAILURE',
      message: 'gone',
      lookedAt: 3_000,
      goodAt: 1_000,
      unreachableSince: 2_000,
      dueAt: 3_000 + 10 * MINUTE,
      successes: 1,
      failures: 2,
      failuresInRow: 2,
      skills: 3,
    });
  });

  it('forgets the trouble with the next good look', () => {
    const status = given(bad(1_000), good(2_000));
    expect(status).toMatchObject({ status: 'ok', successes: 1, failures: 1, failuresInRow: 0 });
    expect(Object.keys(status as object)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(code|message|unreachableSince)$/)]),
    );
  });

  it('keeps the code of a good look, whose index is a last good copy or has faults', () => {
    const status = given(good(1_000, { status: 'partial', code: 'TIMEOUT' }));
    expect(status).toMatchObject({ status: 'partial', code: 'TIMEOUT', failuresInRow: 0 });
  });

  it.each([
    ['of the index', 5_000, [9_000], 5_000],
    ['of a skill', 5_000, [9_000, 4_000], 4_000],
    ['but never before the look itself', 5_000, [500], 1_000],
    ['at once where nothing says how long', undefined, [], 1_000],
  ])('is due at the end of the freshness %s', (_, freshUntil, ofSkills, dueAt) => {
    const skills = ofSkills.map((until, i) => storedSkill({ id: `${i}`, freshUntil: until }));
    expect(given(good(1_000, { skills, ...(freshUntil && { freshUntil }) }))?.dueAt).toBe(dueAt);
  });

  it.each([
    ['what may pass by itself', 'TIMEOUT', [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]],
    ['anything else', 'INDEX_NOT_FOUND', [60, 120, 240, 480, 960, 1_440, 1_440]],
  ] as const)('waits ever longer after %s, up to a day', (_, code, minutes) => {
    let status: ProviderStatus | undefined;
    for (const wait of minutes) {
      status = planProvider(status, bad(1_000, { code }), 0);
      expect(status.dueAt).toBe(1_000 + wait * MINUTE);
    }
  });

  it('tries a descriptor again that could not be refreshed as soon as a provider would be', () => {
    const lost = storedSkill({ id: 'lost', freshUntil: 0 });
    const kept = storedSkill({ id: 'kept', freshUntil: HOUR });
    const look = good(1_000, { freshUntil: HOUR, skills: [lost, kept], standIns: ['lost'] });
    expect(given(look)?.dueAt).toBe(1_000 + 5 * MINUTE);
  });

  it('stays at a day however often it failed', () => {
    const before = { ...(given(bad(0)) as ProviderStatus), failuresInRow: 5_000 };
    expect(planProvider(before, bad(0), 0).dueAt).toBe(DAY);
  });

  it.each([
    ['as it is where it is the longer wait', 2 * HOUR, 2 * HOUR],
    ['not where it is the shorter one', 1, 5 * MINUTE],
    ['for a week at most', 365 * DAY, 7 * DAY],
  ])('believes Retry-After %s', (_, retryAfterMs, wait) => {
    expect(given(bad(1_000, { code: 'RATE_LIMITED', retryAfterMs }))?.dueAt).toBe(1_000 + wait);
  });

  it('only counts a look that came too late', () => {
    const before = given(good(5_000, { freshUntil: 9_000 })) as ProviderStatus;
    expect(planProvider(before, bad(4_000), 7)).toEqual({ ...before, failures: 1, skills: 7 });
    expect(planProvider(before, good(4_000), 7)).toEqual({ ...before, successes: 2, skills: 7 });
    expect(planProvider(before, bad(5_000), 7)).toMatchObject({ status: 'failed', lookedAt: 5_000 });
  });
});
