import { fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { MAX_RIVALS, type Store, type StoredSkill } from '../../src/registry/index.ts';
import { foundSkill, storedSkill, updateOf } from '../support/stored-skill.ts';
import { eachStore, everything, idsOf } from './store-support.ts';

/** What a store knows of who can be mistaken for whom, and of what nobody has confirmed. */
export function storeTrustContract(open: () => Promise<Store>): void {
  describe('rivals', () => {
    const { store, find, ids, get, look, add, providers, changes, search } = eachStore(open);
    const put = (domain: string, id: string, parts: Parameters<typeof storedSkill>[0] = {}) =>
      store().apply(updateOf([storedSkill({ domain, id, name: `${domain} ${id}`, ...parts })]));
    const rivals = async (domain: string, id: string) => (await get(id, domain))?.rivals;

    it('are those of other domains that have the same look', async () => {
      await put('a.example', 'x.Y', { name: 'One' });
      await put('b.example', 'x.y', { name: 'Two' });
      await put('c.example', 'z', { name: 'ONE' });
      expect(await rivals('a.example', 'x.Y')).toEqual({
        byId: [{ domain: 'b.example', id: 'x.y' }],
        byName: [{ domain: 'c.example', id: 'z', name: 'ONE' }],
      });
      expect(await rivals('b.example', 'x.y')).toEqual({
        byId: [{ domain: 'a.example', id: 'x.Y' }],
        byName: [],
      });
      expect((await find()).skills.map((found) => found.rivals?.byId.length)).toEqual([1, 1, 0]);
      expect(await search('one', { trusted: true })).toEqual([]);
    });

    it('are not those of the same domain, nor of the very same name', async () => {
      await store().apply(
        updateOf([storedSkill({ id: 'x', name: 'One' }), storedSkill({ id: 'X', name: 'ONE' })]),
      );
      await put('b.example', 'y', { name: 'Two' });
      await put('c.example', 'z', { name: 'Two' });
      expect((await find()).skills.filter((found) => 'rivals' in found)).toEqual([]);
      expect(await ids({ trusted: true })).toEqual(['x', 'X', 'y', 'z']);
    });

    it('are never private, though a private skill has them', async () => {
      await put('a.example', 'x', { access: 'private' });
      await put('b.example', 'x', { access: 'private' });
      expect(await rivals('a.example', 'x')).toBeUndefined();
      expect(await ids({ trusted: true })).toEqual(['x', 'x']);
      await put('c.example', 'x');
      expect(await rivals('c.example', 'x')).toBeUndefined();
      expect(await rivals('a.example', 'x')).toEqual({
        byId: [{ domain: 'c.example', id: 'x' }],
        byName: [],
      });
      expect((await find({ trusted: true })).skills.map(({ entry }) => entry.domain)).toEqual(['c.example']);
      expect(await store().collisions()).toEqual({ total: 0, first: [] });
    });

    it.each<[string, () => Promise<unknown>]>([
      ['becomes private', () => put('a.example', 'x', { access: 'private', nameKey: 'same' })],
      ['is removed', () => look(1_200, { listed: [] })],
      ['gets another name', () => put('a.example', 'x', { name: 'Other' })],
    ])('are no more when their skill %s', async (_, change) => {
      await put('b.example', 'y', { nameKey: 'same' });
      await put('a.example', 'x', { nameKey: 'same' });
      expect((await rivals('b.example', 'y'))?.byName).toHaveLength(1);
      await change();
      expect(await rivals('b.example', 'y')).toBeUndefined();
      expect(await ids({ trusted: true, domains: ['b.example'] })).toEqual(['y']);
    });

    it('are the first of each kind by domain and id', async () => {
      const domains = Array.from({ length: MAX_RIVALS + 2 }, (_, i) => `d${i}.example`);
      for (const domain of domains.toReversed()) {
        await store().apply(
          updateOf([
            storedSkill({ domain, id: 'X', name: domain }),
            storedSkill({ domain, id: 'x', name: domain }),
          ]),
        );
      }
      const expected = ['d1.example', 'd2.example', 'd3.example'].flatMap((domain) => [
        { domain, id: 'X' },
        { domain, id: 'x' },
      ]);
      expect((await rivals('d0.example', 'x'))?.byId).toEqual(expected);
      expect((await rivals('d7.example', 'X'))?.byId).toEqual([
        { domain: 'd0.example', id: 'X' },
        { domain: 'd0.example', id: 'x' },
        ...expected.slice(0, 4),
      ]);
      expect(await store().collisions()).toEqual({
        total: 1,
        first: [{ id: 'X', domains: domains.slice(0, MAX_RIVALS) }],
      });
    });

    it('are told apart to the letter, whatever ids and names hold', async () => {
      const texts = [
        '"',
        "'; --",
        '\\',
        '%',
        '\0',
        '\ud800',
        '\udfff',
        '\ufffd',
        '__proto__',
        '😀',
        '\uff5e',
        '',
      ];
      for (const [i, name] of texts.entries()) {
        await put(`d${String(i).padStart(2, '0')}.example`, `i${i}'"%😀`, { name, nameKey: 'same' });
      }
      for (const [i, name] of texts.entries()) {
        const found = await rivals(`d${String(i).padStart(2, '0')}.example`, `i${i}'"%😀`);
        const others = texts.filter((other) => other !== name).slice(0, MAX_RIVALS);
        expect(found?.byName.map((rival) => rival.name)).toEqual(others);
      }
      expect(await ids({ trusted: true })).toEqual([]);
    });

    it('keep a skill from trusted answers, page by page and in what is counted', async () => {
      for (let i = 0; i < 9; i++) {
        await put(`d${i}.example`, i % 3 === 0 ? 'same' : `own${i}`, {
          ...(i % 3 === 1 && { warnings: [{ code: 'FOREIGN_ID', message: 'm' }] }),
          capability_type: 'task',
        });
      }
      const first = await find({ trusted: true, limit: 2, total: true, facets: true });
      expect(idsOf(first)).toEqual(['own2', 'own5']);
      expect(first).toMatchObject({ total: 3, facets: { capabilityType: { task: 3 } } });
      const after = first.next as NonNullable<typeof first.next>;
      expect(idsOf(await find({ trusted: true, limit: 2, after }))).toEqual(['own8']);
      expect(await find({ trusted: false, total: true })).toMatchObject({ total: 9 });
      expect(await find({ trusted: true, total: true, freshness: 'fresh' })).toMatchObject({ total: 3 });
    });

    it('are the same whatever the order of the looks', async () => {
      const domain = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
      const skill = fc.record({
        domain,
        id: fc.constantFrom('x', 'X', 'y', '\uff5e', '😀'),
        name: fc.constantFrom('One', 'ONE', 'Two', '\ud800', '\udfff'),
        nameKey: fc.constantFrom('one', 'two'),
        access: fc.constantFrom('public', 'restricted', 'private'),
      });
      const skills = fc.uniqueArray(skill, { selector: (one) => `${one.domain} ${one.id}`, maxLength: 12 });
      const orders = skills.chain((all) => {
        const domains = [...new Set(all.map((one) => one.domain))];
        const shuffled = fc.shuffledSubarray(domains, { minLength: domains.length });
        return fc.tuple(fc.constant(all), shuffled, shuffled);
      });
      await fc.assert(
        fc.asyncProperty(orders, async ([all, ...twice]) => {
          const [one, other] = await Promise.all(twice.map((order) => toldAfter(all, order)));
          expect(other).toEqual(one);
        }),
        { numRuns: 100 },
      );
    }, 300_000);

    async function toldAfter(all: Array<{ domain: string; id: string }>, order: string[]) {
      const fresh = await open();
      try {
        for (const domain of order) {
          const mine = all.filter((skill) => skill.domain === domain).map((skill) => storedSkill(skill));
          await fresh.apply(updateOf(mine as [StoredSkill]));
        }
        const told = await Promise.all(
          [true, false].map(async (trusted) => {
            const { skills } = await fresh.find({ ...everything, trusted });
            const keyOf = ({ entry }: (typeof skills)[number]) => `${entry.domain} ${entry.id}`;
            return skills.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
          }),
        );
        return { told, collisions: await fresh.collisions() };
      } finally {
        await fresh.close();
      }
    }

    describe('of an import', () => {
      const imported = (parts: Parameters<typeof storedSkill>[0] = {}) =>
        storedSkill({ id: 'x', origin: 'imported', freshUntil: 0, fetchedAt: 500, ...parts });
      const bring = (...skills: [StoredSkill, ...StoredSkill[]]) => {
        const { listed, ...update } = updateOf(skills, { at: 1_000, isImport: true });
        return store().apply(update);
      };
      const confirmed = storedSkill({ id: 'x' });

      it('are added as they are, flagged, and make their provider due', async () => {
        expect(await bring(imported())).toMatchObject({ stored: 1, changes: [{ kind: 'added', id: 'x' }] });
        expect(await get('x')).toEqual(foundSkill(imported()));
        expect(await ids({ trusted: true })).toEqual([]);
        expect(await providers()).toMatchObject([
          { status: 'imported', dueAt: 1_000, successes: 0, skills: 1 },
        ]);
      });

      it('never replace what is known', async () => {
        await add(confirmed);
        const result = await bring(imported({ name: 'Forged', fetchedAt: 9_000 }), imported({ id: 'y' }));
        expect(result).toMatchObject({ stored: 1, changes: [{ kind: 'added', id: 'y' }] });
        expect(await get('x')).toEqual(foundSkill(confirmed));
        expect(await bring(imported({ id: 'y', name: 'Forged' }))).toMatchObject({ stored: 0, changes: [] });
        expect((await get('y'))?.entry.name).toBe('A skill');
        expect(await providers()).toMatchObject([{ status: 'ok', dueAt: 1_000, successes: 1, skills: 2 }]);
      });

      it('are replaced by the first look that confirms them, without a change', async () => {
        await bring(imported({ warnings: [{ code: 'X', message: 'm' }] }));
        expect(await add(confirmed)).toMatchObject({ stored: 1, changes: [] });
        expect(await get('x')).toEqual(foundSkill(confirmed));
        expect(await ids({ trusted: true })).toEqual(['x']);
        expect(await search('skill', { trusted: true })).toEqual(['x']);
        expect(await find({ trusted: true, total: true, facets: true })).toMatchObject({
          total: 1,
          facets: { access: { public: 1 } },
        });
        expect(await changes()).toMatchObject([{ kind: 'added' }]);
        const flagged = storedSkill({ id: 'x', warnings: [{ code: 'MIXED_SCRIPT', message: 'm' }] });
        await add(flagged);
        expect(await ids({ trusted: true })).toEqual([]);
        expect(await ids()).toEqual(['x']);
      });

      it('are replaced by a look that gives something else', async () => {
        await bring(imported({ name: 'Forged' }), imported({ id: 'forged' }));
        const { changes: told } = await add(confirmed);
        expect(told.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['removed forged', 'changed x']);
        expect(await get('x')).toEqual(foundSkill(confirmed));
        expect(await search('forged')).toEqual([]);
      });
    });
  });
}
