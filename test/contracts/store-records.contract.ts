import { describe, expect, it } from 'vitest';
import type { Store, StoredSkill } from '../../src/registry/index.ts';
import { foundSkill as found, storedSkill, updateOf } from '../support/stored-skill.ts';
import { eachStore } from './store-support.ts';

/** What a store does with the skills it is given. */
export function storeRecordsContract(open: () => Promise<Store>): void {
  describe('records', () => {
    const { store, find, ids, search, get, add, look } = eachStore(open);
    const nothing = { changes: [], stored: 0, removed: 0, evictedProviders: 0, evictedSkills: 0 };

    it('has nothing at first', async () => {
      expect(await find({ total: true })).toEqual({ skills: [], total: 0 });
      expect(await get('x')).toBeUndefined();
    });

    it('gives back what was put, whole', async () => {
      const skill = storedSkill({
        tags: ['a', 'b'],
        auth: { type: 'api_key', header: 'x-key' },
        warnings: [{ code: 'VERSION_DRIFT', message: 'differs', field: '/version' }],
        fetchedAt: 1_700_000_000_000.25,
        freshUntil: Number.MAX_SAFE_INTEGER,
      });
      const { id } = skill.entry;
      expect(await add(skill)).toEqual({
        ...nothing,
        stored: 1,
        changes: [{ at: 1_700_000_000_000.25, kind: 'added', domain: 'a.example', id, isPrivate: false }],
      });
      expect(await get(id)).toEqual(found(skill));
      expect(await find({ descriptors: true })).toEqual({ skills: [found(skill)] });
      expect(await find()).toEqual({
        skills: [{ entry: skill.entry, contentHash: skill.contentHash }],
      });
    });

    it('keeps hostile texts to the letter', async () => {
      // biome-ignore format: one long list
      const texts = [
        '"', "'", "'; DROP TABLE skills; --", '*', 'OR', 'NEAR(a b)', 'a"b*', '^a', '-a', '{word}: a', 'word:a',
        '%', '_', '\\', '?', ':a', '$1', '\0', 'a\0b', '\ud800', 'a\udfffb', '\ufffd', '\ufeffa', '😀',
        '__proto__', 'constructor', 'toString', '𠮷野家', 'e\u0301', 'é', '\u202e', ' ', '',
      ];
      const skills = texts.map((text, i) =>
        storedSkill({ id: `s${i}`, name: text, description: text, tags: [text] }),
      );
      await store().apply(updateOf(skills as [StoredSkill]));
      for (const [i, text] of texts.entries()) {
        expect(await get(`s${i}`)).toEqual(found(skills[i] as StoredSkill));
        expect(await ids({ tags: [text] })).toEqual([`s${i}`]);
      }
      expect(await search('NEAR')).toEqual(['s5']);
      expect(await search('or')).toEqual(['s4']);
      expect(await search('DROP TABLE')).toEqual(['s2']);
    });

    it('keeps ids apart that programs confuse', async () => {
      // biome-ignore format: one long list
      const odd = ['__proto__', 'constructor', "a'b", 'a"b', 'A', 'a', 'é', 'e\u0301', '\ufffd', '😀', '\uff5e', '%', '*'];
      await store().apply(updateOf(odd.map((id) => storedSkill({ id })) as [StoredSkill]));
      for (const id of odd) expect((await get(id))?.entry.id).toBe(id);
      expect(await ids()).toEqual(odd);
      for (const id of ['\ud800', 'prototype', 'a%', '']) expect(await get(id)).toBeUndefined();
    });

    it('keeps equal ids of two domains apart', async () => {
      await add(storedSkill({ domain: 'b.example', id: 'x', name: 'B' }));
      await add(storedSkill({ domain: 'a.example', id: 'x', name: 'A' }));
      expect((await get('x', 'a.example'))?.entry.name).toBe('A');
      expect((await get('x', 'b.example'))?.entry.name).toBe('B');
      expect((await find()).skills.map(({ entry }) => entry.name)).toEqual(['B', 'A']);
    });

    it('keeps nothing of its givers', async () => {
      const skill = storedSkill({ id: 'x', tags: ['a'], warnings: [{ code: 'C', message: 'm' }] });
      const before = structuredClone(skill);
      await add(skill);
      Object.assign(skill.entry, { name: 'mine', access: 'private' });
      Object.assign(skill.entry.warnings[0] as object, { message: 'mine' });
      skill.tags[0] = 'mine';
      expect(await get('x')).toEqual(found(before));
      await look(1_500, { listed: [] });
      expect(await search('skill')).toEqual([]);
      expect(await ids({ tags: ['a'] })).toEqual([]);
    });

    const kept = storedSkill({ id: 'kept', tags: ['old'], description: 'before' });
    const lost = storedSkill({ id: 'lost', tags: ['old'], description: 'before' });

    it('replaces a record in all that finds it', async () => {
      await add(kept);
      await add(
        storedSkill({
          id: 'kept',
          capability_type: 'task',
          access: 'restricted',
          auth: { type: 'oauth2' },
          tags: ['new'],
          description: 'after',
        }),
      );
      expect(await ids({ capabilityTypes: ['api'] })).toEqual([]);
      expect(await ids({ capabilityTypes: ['task'] })).toEqual(['kept']);
      expect(await ids({ access: ['public'] })).toEqual([]);
      expect(await ids({ authTypes: ['none'] })).toEqual([]);
      expect(await ids({ authTypes: ['oauth2'] })).toEqual(['kept']);
      expect(await ids({ tags: ['old'] })).toEqual([]);
      expect(await ids({ tags: ['new'] })).toEqual(['kept']);
      expect(await search('before')).toEqual([]);
      expect(await search('after')).toEqual(['kept']);
    });

    it('removes what is gone from all that finds it', async () => {
      await add(kept, lost);
      const result = await look(1_500, { skills: [kept], listed: ['kept'] });
      expect(result).toMatchObject({ stored: 1, removed: 1, evictedProviders: 0, evictedSkills: 0 });
      expect(await get('lost')).toBeUndefined();
      for (const query of [{}, { capabilityTypes: ['api'] as const }, { tags: ['old'] }]) {
        expect(await ids(query)).toEqual(['kept']);
      }
      expect(await search('before')).toEqual(['kept']);
      expect(await find({ total: true })).toMatchObject({ total: 1 });
    });

    it('touches no other domain', async () => {
      const other = storedSkill({ domain: 'b.example', id: 'kept' });
      await add(kept);
      await add(other);
      await look(1_500, { listed: [] });
      expect((await find({ descriptors: true })).skills).toEqual([found(other)]);
    });

    it('empties a domain and fills it again', async () => {
      await add(kept);
      await look(1_500, { listed: [] });
      expect(await find({ total: true })).toEqual({ skills: [], total: 0 });
      await look(1_600, { skills: [kept], listed: ['kept'] });
      expect((await find({ descriptors: true })).skills).toEqual([found(kept)]);
      expect(await search('before')).toEqual(['kept']);
    });

    it('keeps what it has of a skill whose content is the same', async () => {
      await add(kept, lost);
      const again = storedSkill({
        ...kept.entry,
        tags: ['old'],
        fetchedAt: 1_500,
        freshUntil: 9_000,
        warnings: [{ code: 'C', message: 'm' }],
        descriptorUrl: 'https://cdn.example/skill.json',
        view: 'acme',
      });
      const reordered = JSON.stringify(
        Object.fromEntries(Object.entries(JSON.parse(kept.descriptor)).reverse()),
      );
      const result = await store().apply(updateOf([{ ...again, descriptor: reordered }, lost]));
      expect(result.changes).toEqual([]);
      expect(await get('kept')).toEqual(found({ ...again, descriptor: kept.descriptor }));
      expect(await search('before')).toEqual(['kept', 'lost']);
      expect(await ids({ tags: ['old'] })).toEqual(['kept', 'lost']);
    });

    it('takes nothing of an update that fails half way', async () => {
      await add(kept);
      const broken = storedSkill({ id: 'broken' });
      Object.assign(broken.entry, { warnings: [{ code: 'C', message: 1n }] });
      const revision = store().revision();
      await expect(add(storedSkill({ id: 'new' }), broken)).rejects.toThrow();
      expect((await find({ descriptors: true })).skills).toEqual([found(kept)]);
      expect(await search('skill')).toEqual(['kept']);
      expect(store().revision()).toBe(revision);
      expect(await store().providers({ order: 'domain', limit: 9 })).toMatchObject({
        providers: [{ successes: 1 }],
      });
      await add(kept, storedSkill({ id: 'new' }));
      expect(await ids()).toEqual(['kept', 'new']);
    });

    it('tells with dryRun what an update would do, and does nothing', async () => {
      await add(kept, lost);
      const update = updateOf(
        [storedSkill({ id: 'kept', description: 'after', fetchedAt: 1_500 }), storedSkill({ id: 'new' })],
        { at: 1_500 },
      );
      const before = [await find({ descriptors: true }), await store().changes(allChanges)];
      const revision = store().revision();
      const dry = await store().apply(update, { dryRun: true });
      expect([await find({ descriptors: true }), await store().changes(allChanges)]).toEqual(before);
      expect(await store().providers({ order: 'domain', limit: 9 })).toMatchObject({
        providers: [{ lookedAt: 1_000, successes: 1 }],
      });
      expect(store().revision()).toBe(revision);
      expect(dry.changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
        'removed lost',
        'changed kept',
        'added new',
      ]);
      expect(await store().apply(update)).toEqual(dry);
    });

    it('has another revision after every update that may have changed an answer', async () => {
      const seen = [store().revision()];
      const step = async (update: Promise<unknown>) => {
        await update;
        seen.push(store().revision());
      };
      await step(add(kept, lost));
      await step(look(1_200));
      await step(look(1_300, { listed: ['kept'] }));
      await step(add(storedSkill({ ...kept.entry, fetchedAt: 1_400 })));
      expect(new Set(seen).size).toBe(5);
    });

    it('answers nothing after it was closed', async () => {
      await store().close();
      await store().close();
      const closed = { code: 'CLIENT_CLOSED' };
      await expect(find()).rejects.toMatchObject(closed);
      await expect(get('x')).rejects.toMatchObject(closed);
      await expect(add(kept)).rejects.toMatchObject(closed);
      await expect(store().changes(allChanges)).rejects.toMatchObject(closed);
      await expect(store().providers({ order: 'due', limit: 1 })).rejects.toMatchObject(closed);
    });
  });
}

const allChanges = { includePrivate: true, limit: 1_000 };
