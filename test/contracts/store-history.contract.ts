import { describe, expect, it } from 'vitest';
import type { ChangeQuery, ProviderQuery, Store } from '../../src/registry/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';
import { allPages, eachStore } from './store-support.ts';

/** What a store remembers from look to look. */
export function storeHistoryContract(open: () => Promise<Store>): void {
  describe('history', () => {
    const { store, ids, get, add, look, changes, providers } = eachStore(open);
    const kinds = (told: Array<{ kind: string; id: string }>) => told.map(({ kind, id }) => `${kind} ${id}`);
    const x = storedSkill({ id: 'x' });
    const y = storedSkill({ id: 'y' });
    const xAt = (fetchedAt: number, parts: Parameters<typeof storedSkill>[0] = {}) =>
      storedSkill({ id: 'x', fetchedAt, freshUntil: fetchedAt + 1_000, ...parts });

    describe('of a skill', () => {
      it('is stale and unreachable from the first look that cannot confirm it', async () => {
        await add(x);
        expect(kinds((await look(1_500)).changes)).toEqual(['unreachable x']);
        expect((await get('x'))?.entry).toEqual({ ...x.entry, freshUntil: 1_500, unreachableSince: 1_500 });
        expect(await ids({ freshness: 'fresh', now: 1_500 })).toEqual([]);
        expect((await look(1_800)).changes).toEqual([]);
        expect((await get('x'))?.entry).toMatchObject({ freshUntil: 1_500, unreachableSince: 1_500 });
      });

      it('is unreachable when its index lists it but its descriptor cannot be read', async () => {
        await add(x, y);
        const { changes: told } = await look(1_500, { skills: [xAt(1_500)], listed: ['x', 'y'] });
        expect(kinds(told)).toEqual(['unreachable y']);
      });

      it('is back once it is confirmed', async () => {
        await add(x);
        await look(1_500);
        expect(kinds((await add(xAt(2_000))).changes)).toEqual(['back x']);
        expect((await get('x'))?.entry).toEqual(xAt(2_000).entry);
      });

      it('is unreachable while a copy stands in for it', async () => {
        await add(x);
        const standIn = (at: number) => look(at, { skills: [x], standIns: ['x'], listed: ['x'] });
        expect(kinds((await standIn(1_500)).changes)).toEqual(['unreachable x']);
        expect((await standIn(1_800)).changes).toEqual([]);
        expect((await get('x'))?.entry).toMatchObject({ unreachableSince: 1_500 });
        expect(kinds((await add(xAt(2_000))).changes)).toEqual(['back x']);
      });

      it('is removed when it was unreachable for too long', async () => {
        await add(x);
        await look(1_500);
        expect((await look(5_000, { forgetBefore: 1_500 })).changes).toEqual([]);
        expect(await look(5_001, { forgetBefore: 1_501 })).toMatchObject({ removed: 1 });
        expect(await get('x')).toBeUndefined();
      });

      it('comes back to its place after it was gone', async () => {
        await add(x, y);
        expect(kinds((await look(1_500, { skills: [y], listed: ['y'] })).changes)).toEqual(['removed x']);
        expect(await ids()).toEqual(['y']);
        const { changes: told } = await look(2_000, { skills: [y, xAt(2_000)], listed: ['y', 'x'] });
        expect(kinds(told)).toEqual(['back x']);
        expect(await ids()).toEqual(['x', 'y']);
      });

      it('is new when it comes back after it was forgotten', async () => {
        await add(x, y);
        await look(1_500, { skills: [y], listed: ['y'] });
        await look(5_000, { skills: [y], listed: ['y'], forgetBefore: 1_501 });
        const { changes: told } = await look(6_000, { skills: [y, xAt(6_000)], listed: ['y', 'x'] });
        expect(kinds(told)).toEqual(['added x']);
        expect(await ids()).toEqual(['y', 'x']);
      });

      it('is not touched by a look that came too late', async () => {
        await add(xAt(3_000));
        for (const parts of [{}, { listed: [] }, { skills: [x], listed: ['x'] }]) {
          expect((await look(2_000, parts)).changes).toEqual([]);
        }
        expect((await get('x'))?.entry).toEqual(xAt(3_000).entry);
      });

      it('is hidden from views that could not have shown it', async () => {
        const secret = storedSkill({ id: 'secret', access: 'private', view: 'acme' });
        await add(secret);
        expect((await look(1_500, { listed: [] })).changes).toEqual([]);
        expect(kinds((await look(1_600, { view: 'acme', listed: [] })).changes)).toEqual([
          'unreachable secret',
        ]);
        const withdrawal = { view: 'acme', listed: ['secret'], withdrawn: ['secret'] };
        expect(kinds((await look(1_700, withdrawal)).changes)).toEqual(['removed secret']);
      });
    });

    describe('of changes', () => {
      it('tells which members differ, with old and new values', async () => {
        const odd = JSON.parse('{"__proto__": {"a": 1}, "b/~": "\\ud800", "same": [1]}');
        const other = JSON.parse('{"__proto__": {"a": 2}, "c": null, "same": [1]}');
        await add(storedSkill({ id: 'x', descriptor: { output: odd } }));
        const result = await add(xAt(1_500, { description: 'after', descriptor: { output: other } }));
        const members = [
          { field: '/description', old: 'Does a thing.', new: 'after' },
          { field: '/descriptor/description', old: 'Does a thing.', new: 'after' },
          { field: '/descriptor/output/__proto__/a', old: 1, new: 2 },
          { field: '/descriptor/output/b~1~0', old: '\ud800' },
          { field: '/descriptor/output/c', new: null },
        ];
        const change = { at: 1_500, kind: 'changed', domain: 'a.example', id: 'x', members };
        expect(result.changes).toEqual([{ ...change, isPrivate: false }]);
        expect((await changes()).at(-1)).toEqual(change);
      });

      it('gives every caller a copy', async () => {
        await add(x);
        await add(xAt(1_500, { name: 'after' }));
        const [, first] = await changes();
        first?.members?.splice(0);
        expect((await changes())[1]?.members).toHaveLength(2);
      });

      it('is in the order of time, then of arrival', async () => {
        await store().apply(updateOf([xAt(3_000), storedSkill({ id: 'y', fetchedAt: 3_000 })]));
        await store().apply(updateOf([xAt(2_000, { domain: 'b.example' })]));
        await store().apply(updateOf([xAt(3_000, { domain: 'c.example' })]));
        const keys = (told: Awaited<ReturnType<typeof changes>>) =>
          told.map(({ domain, id }) => `${domain} ${id}`);
        const inOrder = ['b.example x', 'a.example x', 'a.example y', 'c.example x'];
        expect(keys(await changes())).toEqual(inOrder);
        expect(keys(await changes({ since: 2_001 }))).toEqual(inOrder.slice(1));
        expect(keys(await changes({ since: 3_000 }))).toEqual(inOrder.slice(1));
        expect(keys(await changes({ since: 3_001 }))).toEqual([]);
        expect(keys(await changes({ domains: ['c.example', 'b.example', 'z.example'] }))).toEqual([
          'b.example x',
          'c.example x',
        ]);
        for (const limit of [1, 2, 3]) {
          const page = (after: ChangeQuery['after']) =>
            store().changes({ includePrivate: true, limit, ...(after && { after }) });
          expect(keys(await allPages(page, (part) => part.changes))).toEqual(inOrder);
        }
      });

      it('goes on behind a position while changes are added', async () => {
        await add(x, y);
        const { next } = await store().changes({ includePrivate: true, limit: 1 });
        await add(storedSkill({ domain: 'b.example', id: 'z' }));
        expect(kinds(await changes({ ...(next && { after: next }) }))).toEqual(['added y', 'added z']);
      });

      it('keeps private ones from those who may not see them', async () => {
        await add(x, storedSkill({ id: 'secret', access: 'private' }));
        await look(1_500);
        expect(kinds(await changes({ includePrivate: false }))).toEqual(['added x', 'unreachable x']);
        expect(kinds(await changes())).toEqual([
          'added x',
          'added secret',
          'unreachable x',
          'unreachable secret',
        ]);
        const first = await store().changes({ includePrivate: false, limit: 1 });
        expect(kinds(first.changes)).toEqual(['added x']);
      });

      it('forgets what is too old', async () => {
        await add(x);
        await look(1_500);
        await look(2_000, { forgetBefore: 1_500 });
        expect(kinds(await changes())).toEqual(['unreachable x']);
      });
    });

    describe('of a provider', () => {
      it('counts its looks and says when the next one is due', async () => {
        await store().apply(updateOf([x, y], { freshUntil: 1_900 }));
        const good = {
          domain: 'a.example',
          status: 'ok',
          lookedAt: 1_000,
          goodAt: 1_000,
          dueAt: 1_900,
          successes: 1,
          failures: 0,
          failuresInRow: 0,
          skills: 2,
        };
        expect(await providers()).toEqual([good]);
        await look(2_000, { code: 'TIMEOUT', message: 'too slow' });
        expect(await providers()).toEqual([
          {
            ...good,
            status: 'failed',
            code: 'TIMEOUT',
            message: 'too slow',
            lookedAt: 2_000,
            unreachableSince: 2_000,
            dueAt: 302_000,
            failures: 1,
            failuresInRow: 1,
          },
        ]);
        await look(3_000, { listed: ['x'] });
        expect(await providers()).toMatchObject([
          { status: 'ok', successes: 2, failuresInRow: 0, skills: 1 },
        ]);
      });

      it('is known without skills', async () => {
        await look(1_000, { status: 'none', code: 'INDEX_NOT_FOUND' });
        expect(await providers()).toMatchObject([{ domain: 'a.example', status: 'none', skills: 0 }]);
      });

      it('stands in the order of domains, or the most overdue first', async () => {
        const dues: Array<[string, number]> = [
          ['b.example', 5_000],
          ['a.example', 7_000],
          ['http://a.example', 5_000],
          ['a.example:81', 6_000],
        ];
        for (const [domain, freshUntil] of dues) {
          await store().apply(updateOf([storedSkill({ domain, freshUntil })], { freshUntil }));
        }
        const domains = async (query: Partial<ProviderQuery>) =>
          (await providers(query)).map(({ domain }) => domain);
        const inOrder = {
          domain: ['a.example', 'a.example:81', 'b.example', 'http://a.example'],
          due: ['b.example', 'http://a.example', 'a.example:81', 'a.example'],
        };
        for (const order of ['domain', 'due'] as const) {
          expect(await domains({ order })).toEqual(inOrder[order]);
          expect(await domains({ order, dueAt: 4_999 })).toEqual([]);
          const early = inOrder[order].filter((domain) => domain !== 'a.example');
          expect(await domains({ order, dueAt: 6_000 })).toEqual(early);
          const some = ['b.example', 'c.example', 'a.example', 'b.example'];
          expect(await domains({ order, domains: some })).toEqual(
            inOrder[order].filter((domain) => some.includes(domain)),
          );
          for (const limit of [1, 2, 3]) {
            expect(await pagesOfProviders(store(), { order, limit })).toEqual(inOrder[order]);
            expect(await pagesOfProviders(store(), { order, limit, dueAt: 6_000 })).toEqual(early);
          }
        }
      });

      it('moves in the order of due times with every look', async () => {
        for (const domain of ['a.example', 'b.example']) {
          await store().apply(updateOf([storedSkill({ domain })], { freshUntil: 2_000 }));
        }
        await store().apply(updateOf([xAt(2_000)], { freshUntil: 9_000 }));
        expect(await providers({ order: 'due' })).toMatchObject([
          { domain: 'b.example', dueAt: 2_000 },
          { domain: 'a.example', dueAt: 3_000 },
        ]);
      });
    });
  });
}

async function pagesOfProviders(store: Store, query: ProviderQuery): Promise<string[]> {
  const all: string[] = [];
  for (let after: ProviderQuery['after']; ; ) {
    const { providers, more } = await store.providers({ ...query, ...(after && { after }) });
    all.push(...providers.map(({ domain }) => domain));
    if (!more) return all;
    after = providers.at(-1);
  }
}
