import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type KnownSkill, type ProviderUpdate, planUpdate } from '../../src/registry/index.ts';
import { storedSkill } from '../support/stored-skill.ts';

const same = storedSkill({ id: 'x' }).contentHash;
const known = (parts: Partial<KnownSkill> = {}): KnownSkill => ({
  id: 'x',
  access: 'public',
  view: 'anonymous',
  fetchedAt: 1_000,
  freshUntil: 9_000,
  contentHash: same,
  ...parts,
});
const update = (parts: Partial<ProviderUpdate> = {}): ProviderUpdate => ({
  domain: 'a.example',
  view: 'anonymous',
  at: 2_000,
  status: 'ok',
  skills: [],
  standIns: [],
  forgetBefore: 0,
  ...parts,
});
const accepting = (skill: ReturnType<typeof storedSkill>, parts: Partial<ProviderUpdate> = {}) =>
  update({ skills: [skill], listed: [skill.entry.id], ...parts });
const nothing = { put: [], age: [], remove: [], forget: [], changes: [] };
const change = (kind: string, isPrivate = false, id = 'x') => ({ kind, id, isPrivate });
const gone = { ...nothing, remove: ['x'], changes: [change('removed')] };
const aged = { id: 'x', freshUntil: 2_000, unreachableSince: 2_000 };
const unreachable = { ...nothing, age: [aged], changes: [change('unreachable')] };

describe('planUpdate', () => {
  const skill = storedSkill({ id: 'x', fetchedAt: 2_000, freshUntil: 5_000 });

  describe('of what was accepted', () => {
    it.each<[string, KnownSkill[], boolean, string[]]>([
      ['writes what is new', [], false, ['added']],
      ['confirms what is the same', [known()], true, []],
      ['replaces what differs', [known({ contentHash: 'other' })], false, ['changed']],
      ['tells what is confirmed again', [known({ unreachableSince: 1_500 })], true, ['back']],
      [
        'tells what is confirmed again and differs',
        [known({ unreachableSince: 1_500, contentHash: 'other' })],
        false,
        ['back', 'changed'],
      ],
      ['writes anew what was gone', [known({ goneSince: 1_500 })], false, ['back']],
      ['tells what was private until now', [known({ access: 'private', view: 'acme' })], true, ['added']],
    ])('%s', (_, existing, isSameContent, kinds) => {
      expect(planUpdate(existing, accepting(skill))).toEqual({
        ...nothing,
        put: [{ skill, isSameContent }],
        changes: kinds.map((kind) => change(kind)),
      });
    });

    it.each<[string, KnownSkill[], string[], number]>([
      ['that is new', [], ['added', 'unreachable'], 2_000],
      ['that was confirmed before', [known()], ['unreachable'], 2_000],
      ['that was unreachable before', [known({ unreachableSince: 1_500 })], [], 1_500],
    ])('keeps a stand-in %s as stale and unreachable', (_, existing, kinds, unreachableSince) => {
      const plan = planUpdate(existing, accepting(skill, { standIns: ['x'] }));
      expect(plan.put[0]?.skill).toEqual({
        ...skill,
        entry: { ...skill.entry, freshUntil: 2_000, unreachableSince },
      });
      expect(plan.changes).toEqual(kinds.map((kind) => change(kind)));
    });

    it('marks what is told of a private skill', () => {
      const secret = storedSkill({ id: 'x', access: 'private', fetchedAt: 2_000 });
      expect(planUpdate([], accepting(secret)).changes).toEqual([change('added', true)]);
    });

    it('keeps what differs of a skill that was private to those who may see private ones', () => {
      const published = known({ access: 'private', contentHash: 'other', unreachableSince: 1_500 });
      expect(planUpdate([published], accepting(skill)).changes).toEqual([
        change('back'),
        change('changed', true),
        change('added'),
      ]);
    });

    it('tells everybody that a skill was made private, and nothing else of it', () => {
      const secret = storedSkill({ id: 'x', access: 'private', view: 'acme', fetchedAt: 2_000 });
      const plan = planUpdate([known({ contentHash: 'other' })], accepting(secret, { view: 'acme' }));
      expect(plan.changes).toEqual([change('changed', true), change('removed')]);
    });

    it('takes a confirmation of the same moment, and nothing older', () => {
      expect(planUpdate([known({ fetchedAt: 2_000 })], accepting(skill)).put).toHaveLength(1);
      expect(planUpdate([known({ fetchedAt: 2_001 })], accepting(skill))).toEqual(nothing);
      expect(planUpdate([known({ goneSince: 2_000 })], accepting(skill)).put).toHaveLength(1);
      expect(planUpdate([known({ goneSince: 2_001 })], accepting(skill))).toEqual(nothing);
      expect(planUpdate([known({ goneSince: 1_501 })], accepting(skill, { indexAt: 1_500 }))).toEqual(
        nothing,
      );
    });
  });

  describe('of what was not', () => {
    it('removes what a good index does not list or withdraws', () => {
      expect(planUpdate([known()], update({ listed: [] }))).toEqual(gone);
      expect(planUpdate([known()], update({ listed: ['x'], withdrawn: ['x'] }))).toEqual(gone);
      expect(planUpdate([known({ access: 'restricted', view: 'acme' })], update({ listed: [] }))).toEqual(
        gone,
      );
    });

    it('makes stale what is listed all the same, and everything without a good index', () => {
      expect(planUpdate([known()], update({ listed: ['x'] }))).toEqual(unreachable);
      expect(planUpdate([known()], update())).toEqual(unreachable);
    });

    it('tells only once that something is unreachable, and since when', () => {
      const lost = known({ freshUntil: 1_200, unreachableSince: 1_500 });
      expect(planUpdate([lost], update())).toEqual(nothing);
      expect(planUpdate([known({ unreachableSince: 1_500 })], update())).toEqual({
        ...nothing,
        age: [{ id: 'x', freshUntil: 2_000, unreachableSince: 1_500 }],
      });
      expect(planUpdate([known({ freshUntil: 1_200 })], update()).age).toEqual([
        { ...aged, freshUntil: 1_200 },
      ]);
    });

    it('removes what was unreachable for too long', () => {
      const lost = known({ freshUntil: 1_200, unreachableSince: 1_500 });
      expect(planUpdate([lost], update({ forgetBefore: 1_500 }))).toEqual(nothing);
      expect(planUpdate([lost], update({ forgetBefore: 1_501 }))).toEqual(gone);
    });

    it('forgets what was gone for too long, whatever the look gave', () => {
      const past = known({ goneSince: 1_500 });
      for (const parts of [{}, { listed: [] }, { listed: ['x'] }]) {
        expect(planUpdate([past], update({ ...parts, forgetBefore: 1_500 }))).toEqual(nothing);
        expect(planUpdate([past], update({ ...parts, forgetBefore: 1_501 }))).toEqual({
          ...nothing,
          forget: ['x'],
        });
      }
    });

    it('lets no view touch the private skills of another', () => {
      const secret = known({ access: 'private', view: 'acme' });
      for (const parts of [{}, { listed: [] }, { listed: ['x'] }, { listed: ['x'], withdrawn: ['x'] }]) {
        expect(planUpdate([secret], update(parts))).toEqual(nothing);
      }
    });

    it('removes private skills only for a look that shows private ones', () => {
      const secret = known({ access: 'private', view: 'acme' });
      const other = storedSkill({ id: 'y', access: 'private' });
      expect(planUpdate([secret], accepting(other, { view: 'acme' })).remove).toEqual(['x']);
      const blind = planUpdate([secret], update({ view: 'acme', listed: [] }));
      expect(blind).toEqual({ ...unreachable, changes: [change('unreachable', true)] });
      const withdrawal = update({ view: 'acme', listed: ['x'], withdrawn: ['x'] });
      expect(planUpdate([secret], withdrawal)).toEqual({ ...gone, changes: [change('removed', true)] });
    });

    it('removes nothing that was read after the index, which may be a copy', () => {
      const copy = update({ listed: [], indexAt: 1_500 });
      expect(planUpdate([known({ fetchedAt: 1_500 })], copy)).toEqual(gone);
      expect(planUpdate([known({ fetchedAt: 1_501 })], copy)).toEqual(nothing);
    });

    it('leaves alone what a rule of ours refused', () => {
      expect(planUpdate([known()], update({ listed: ['x'], spared: ['x'] }))).toEqual(nothing);
    });

    it('lets any look judge what was imported, whatever view it names', () => {
      const forged = known({ access: 'private', view: 'made up', fetchedAt: 0 });
      const plan = planUpdate([forged], update({ listed: [] }));
      expect(plan).toEqual({ ...gone, changes: [change('removed', true)] });
    });

    it('concludes nothing where the provider was not asked', () => {
      expect(planUpdate([known()], update({ status: 'failed', wasRefused: true }))).toEqual(nothing);
    });

    it('ages only what the same view had shown where it is turned away', () => {
      const away = update({ status: 'failed', code: 'PERMISSION_DENIED' });
      expect(planUpdate([known()], away)).toEqual(unreachable);
      expect(planUpdate([known({ view: 'acme' })], away)).toEqual(nothing);
      expect(planUpdate([known({ view: 'acme' })], update({ status: 'failed', code: 'TIMEOUT' }))).toEqual(
        unreachable,
      );
    });

    it('changes nothing that is newer', () => {
      const newer = known({ fetchedAt: 3_000 });
      expect(planUpdate([newer], update({ listed: [] }))).toEqual(nothing);
      expect(planUpdate([newer], update())).toEqual(nothing);
    });
  });

  const id = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
  const ids = fc.uniqueArray(id);
  const records = fc.uniqueArray(
    fc.record(
      { id, goneSince: fc.nat(3_000), unreachableSince: fc.nat(3_000), fetchedAt: fc.nat(3_000) },
      { requiredKeys: ['id'] },
    ),
    { selector: (record) => record.id },
  );
  test.prop([records, ids, ids, ids, fc.option(ids, { nil: undefined }), fc.nat(3_000)], { numRuns: 300 })(
    'does one thing to one id at most, and removes and ages only what is there',
    (existing, accepted, standIns, withdrawn, listed, forgetBefore) => {
      const { put, age, remove, forget } = planUpdate(
        existing.map((parts) => known(parts)),
        update({
          skills: accepted.map((id) => storedSkill({ id })),
          standIns,
          withdrawn,
          forgetBefore,
          ...(listed && { listed }),
        }),
      );
      const written = put.map(({ skill: { entry } }) => entry.id);
      const touched = [...written, ...age.map(({ id }) => id), ...remove, ...forget];
      expect(new Set(touched).size).toBe(touched.length);
      expect(accepted).toEqual(expect.arrayContaining(written));
      const goneIds = existing.filter(({ goneSince }) => goneSince !== undefined).map(({ id }) => id);
      expect(goneIds).toEqual(expect.arrayContaining(forget));
      for (const id of [...remove, ...age.map((aging) => aging.id)]) {
        expect(goneIds).not.toContain(id);
        expect(existing.map((record) => record.id)).toContain(id);
      }
    },
  );
});

describe('planUpdate where a clock was ahead', () => {
  const HOUR = 3_600_000;
  const ahead = 2_001 + HOUR;
  const skill = storedSkill({ id: 'x', fetchedAt: 2_000, freshUntil: 5_000 });

  it.each<[string, KnownSkill]>([
    ['was fetched', known({ fetchedAt: ahead, contentHash: 'other' })],
    ['was removed', known({ fetchedAt: 1_000, goneSince: ahead })],
  ])('replaces what %s in the future', (_, existing) => {
    expect(planUpdate([existing], accepting(skill)).put).toEqual([{ skill, isSameContent: false }]);
  });

  it('removes what is not listed', () => {
    expect(planUpdate([known({ fetchedAt: ahead })], update({ listed: [] }))).toEqual(gone);
  });

  it('dates no failure after the look that tells it', () => {
    expect(planUpdate([known({ unreachableSince: ahead })], update()).age).toEqual([aged]);
  });

  it('may itself be the one that is behind: then a look that saw nothing changes nothing', () => {
    const forgetBefore = 1_500;
    for (const existing of [known({ fetchedAt: ahead }), known({ goneSince: ahead })]) {
      expect(planUpdate([existing], update({ forgetBefore }))).toEqual(nothing);
    }
    const dated = known({ fetchedAt: ahead, unreachableSince: 1_000 });
    expect(planUpdate([dated], update({ at: ahead + 1, forgetBefore })).remove).toEqual([]);
  });

  it('takes an hour for the look of somebody else', () => {
    expect(planUpdate([known({ fetchedAt: ahead - 1 })], accepting(skill)).put).toEqual([]);
  });
});
