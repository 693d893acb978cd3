import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ProviderUpdate } from '../../src/registry/index.ts';
import { type KnownSkill, planUpdate } from '../../src/registry/plan-update.ts';
import { storedSkill } from '../support/stored-skill.ts';

const known = (parts: Partial<KnownSkill> = {}): KnownSkill => ({
  id: 'x',
  access: 'public',
  view: 'anonymous',
  fetchedAt: 1_000,
  ...parts,
});
const update = (parts: Partial<ProviderUpdate> = {}): ProviderUpdate => ({
  domain: 'a.example',
  view: 'anonymous',
  at: 2_000,
  skills: [],
  ...parts,
});
const nothing = { put: [], expire: [], remove: [] };

describe('planUpdate', () => {
  it('writes what was accepted', () => {
    const skill = storedSkill({ id: 'x', fetchedAt: 2_000 });
    expect(planUpdate([], update({ skills: [skill], listed: ['x'] }))).toEqual({ ...nothing, put: [skill] });
  });

  it('removes what a good index no longer lists', () => {
    expect(planUpdate([known()], update({ listed: [] }))).toEqual({ ...nothing, remove: ['x'] });
  });

  it('removes what is withdrawn though listed', () => {
    expect(planUpdate([known()], update({ listed: ['x'], withdrawn: ['x'] }))).toEqual({
      ...nothing,
      remove: ['x'],
    });
  });

  it('keeps what is listed but was not accepted as stale', () => {
    expect(planUpdate([known()], update({ listed: ['x'] }))).toEqual({ ...nothing, expire: ['x'] });
  });

  it('keeps everything as stale when no good index was read', () => {
    const plan = planUpdate([known({ id: 'x' }), known({ id: 'y' })], update());
    expect(plan).toEqual({ ...nothing, expire: ['x', 'y'] });
  });

  it('lets no view touch the private skills of another', () => {
    const secret = known({ access: 'private', view: 'acme' });
    for (const parts of [{}, { listed: [] }, { listed: ['x'] }, { listed: ['x'], withdrawn: ['x'] }]) {
      expect(planUpdate([secret], update(parts))).toEqual(nothing);
    }
    const other = storedSkill({ id: 'y', access: 'private' });
    const shown = update({ view: 'acme', skills: [other], listed: ['y'] });
    expect(planUpdate([secret], shown)).toEqual({ ...nothing, put: [other], remove: ['x'] });
  });

  it('makes private skills stale, and removes none, when its own view shows no private skill any more', () => {
    const secret = known({ access: 'private', view: 'acme' });
    expect(planUpdate([secret], update({ view: 'acme', listed: [] }))).toEqual({ ...nothing, expire: ['x'] });
    const withdrawal = update({ view: 'acme', listed: ['x'], withdrawn: ['x'] });
    expect(planUpdate([secret], withdrawal)).toEqual({ ...nothing, remove: ['x'] });
  });

  it('lets every view remove a skill that is not private', () => {
    const plan = planUpdate([known({ access: 'restricted', view: 'acme' })], update({ listed: [] }));
    expect(plan).toEqual({ ...nothing, remove: ['x'] });
  });

  it('replaces whatever record has the id of an accepted skill', () => {
    const skill = storedSkill({ id: 'x', fetchedAt: 2_000 });
    const plan = planUpdate(
      [known({ access: 'private', view: 'acme' })],
      update({ skills: [skill], listed: ['x'] }),
    );
    expect(plan).toEqual({ ...nothing, put: [skill] });
  });

  it('changes nothing that is newer', () => {
    const newer = known({ fetchedAt: 3_000 });
    const late = storedSkill({ id: 'x', fetchedAt: 2_000 });
    expect(planUpdate([newer], update({ listed: [] }))).toEqual(nothing);
    expect(planUpdate([newer], update())).toEqual(nothing);
    expect(planUpdate([newer], update({ skills: [late], listed: ['x'] }))).toEqual(nothing);
  });

  it('takes a confirmation of the same moment', () => {
    const same = storedSkill({ id: 'x', fetchedAt: 1_000 });
    const plan = planUpdate([known({ fetchedAt: 1_000 })], update({ skills: [same], listed: ['x'] }));
    expect(plan.put).toEqual([same]);
  });

  const id = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
  const ids = fc.uniqueArray(id);
  test.prop([ids, ids, ids, fc.option(ids, { nil: undefined })])(
    'never does two things to one id',
    (existing, accepted, withdrawn, listed) => {
      const { put, expire, remove } = planUpdate(
        existing.map((id) => known({ id })),
        update({ skills: accepted.map((id) => storedSkill({ id })), withdrawn, ...(listed && { listed }) }),
      );
      const touched = [...put.map((skill) => skill.id), ...expire, ...remove];
      expect(new Set(touched).size).toBe(touched.length);
      expect(put.map((skill) => skill.id)).toEqual(accepted);
    },
  );
});
