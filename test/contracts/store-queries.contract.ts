import { beforeEach, describe, expect, it } from 'vitest';
import { type Store, type StoredSkill, type StoreQuery, versionKey } from '../../src/registry/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';
import { allPages, eachStore, everything, idsOf } from './store-support.ts';

const span = (from: string, to: string, releasesOnly = true) => ({
  from: versionKey(from),
  to: versionKey(to),
  afterFrom: false,
  beforeTo: true,
  releasesOnly,
});

/** What a store finds, and in which order. */
export function storeQueriesContract(open: () => Promise<Store>): void {
  describe('queries', () => {
    const { store, find, ids, search, add } = eachStore(open);

    describe('by members', () => {
      beforeEach(async () => {
        await add(
          storedSkill({ id: '1', capability_type: 'plugin', tags: ['a'], freshUntil: 10, version: '1.2.0' }),
          storedSkill({
            id: '2',
            capability_type: 'task',
            tags: ['a', 'b'],
            freshUntil: 20,
            access: 'restricted',
            version: '1.10.0-rc.1',
          }),
          storedSkill({
            id: '3',
            tags: ['A'],
            freshUntil: 30,
            access: 'private',
            version: '2.0.0',
            protocolVersion: '1.4.0',
          }),
        );
        await add(
          storedSkill({
            domain: 'http://b.example',
            id: '4',
            auth: { type: 'oauth2' },
            freshUntil: 20,
            version: 'latest',
          }),
        );
      });

      it.each<[string, Partial<StoreQuery>, string[]]>([
        ['nothing', {}, ['1', '2', '3', '4']],
        ['no private ones', { includePrivate: false }, ['1', '2', '4']],
        ['one type', { capabilityTypes: ['task'] }, ['2']],
        ['two types', { capabilityTypes: ['task', 'api'] }, ['2', '3', '4']],
        ['a type nobody has', { capabilityTypes: ['knowledge'] }, []],
        ['access', { access: ['restricted', 'private'] }, ['2', '3']],
        ['access that is not given out', { access: ['private'], includePrivate: false }, []],
        ['authentication', { authTypes: ['oauth2', 'custom'] }, ['4']],
        ['one tag', { tags: ['a'] }, ['1', '2']],
        ['all of two tags', { tags: ['a', 'b'] }, ['2']],
        ['a tag nobody has', { tags: ['a', 'c'] }, []],
        ['one domain', { domains: ['a.example'] }, ['1', '2', '3']],
        [
          'domains in any order',
          { domains: ['http://b.example', 'a.example', 'c.example'] },
          ['1', '2', '3', '4'],
        ],
        ['a domain nobody has', { domains: ['c.example'] }, []],
        ['fresh', { freshness: 'fresh', now: 20 }, ['3']],
        ['stale', { freshness: 'stale', now: 20 }, ['1', '2', '4']],
        ['a span of versions', { versions: [span('1.0.0', '2.0.0')] }, ['1']],
        ['pre-releases too', { versions: [span('1.0.0', '2.0.0', false)] }, ['1', '2']],
        ['two spans', { versions: [span('1.0.0', '1.3.0'), span('2.0.0', '3.0.0')] }, ['1', '3']],
        [
          'an open span',
          { versions: [{ afterFrom: false, beforeTo: false, releasesOnly: false }] },
          ['1', '2', '3'],
        ],
        ['no span', { versions: [] }, []],
        ['the protocol', { protocolVersions: [span('1.1.0', '2.0.0')] }, ['3']],
        [
          'all at once',
          {
            capabilityTypes: ['task'],
            access: ['restricted'],
            authTypes: ['none'],
            tags: ['a'],
            domains: ['a.example'],
            words: ['2'],
            versions: [span('1.0.0', '2.0.0', false)],
            protocolVersions: [span('1.0.0', '1.1.0')],
            freshness: 'fresh',
            now: 19,
            includePrivate: false,
          },
          ['2'],
        ],
      ])('filters by %s', async (_, query, expected) => {
        expect(await ids(query)).toEqual(expected);
        const page = await find({ ...query, limit: 1, total: true });
        expect(page.total).toBe(expected.length);
        expect(page.next !== undefined).toBe(expected.length > 1);
      });

      it('counts all matches, wherever the page begins', async () => {
        const { next } = await find({ limit: 2 });
        const page = await find({ ...(next && { after: next }), limit: 1, total: true, facets: true });
        expect(idsOf(page)).toEqual(['3']);
        expect(page.total).toBe(4);
        expect(page.facets).toEqual({
          capabilityType: { plugin: 1, task: 1, api: 2 },
          access: { public: 2, restricted: 1, private: 1 },
          authType: { none: 3, oauth2: 1 },
        });
      });

      it('counts only what matches, and only when asked', async () => {
        const { facets } = await find({
          includePrivate: false,
          versions: [span('1.0.0', '3.0.0', false)],
          words: ['skill'],
          facets: true,
        });
        expect(facets).toEqual({
          capabilityType: { plugin: 1, task: 1 },
          access: { public: 1, restricted: 1 },
          authType: { none: 2 },
        });
        expect(Object.keys(await find())).toEqual(['skills']);
        expect((await find({ domains: ['c.example'], facets: true })).facets).toEqual({
          capabilityType: {},
          access: {},
          authType: {},
        });
      });
    });

    describe('by words', () => {
      it('needs all words, the last one as a beginning', async () => {
        await add(
          storedSkill({ id: '1', name: 'Weather forecast', description: 'Crème brûlée' }),
          storedSkill({ id: '2', name: 'Weather archive', tags: ['forecasting'] }),
          storedSkill({ id: 'com.weather-3', name: '3' }),
        );
        expect(await search('WEATHER')).toEqual(['1', '2', 'com.weather-3']);
        expect(await search('forecast weather')).toEqual(['1']);
        expect(await search('weather fore')).toEqual(['1', '2']);
        expect(await search('fore weather')).toEqual([]);
        expect(await search('CREME brule')).toEqual(['1']);
        expect(await search('rule')).toEqual([]);
        expect(await search('a.example weather')).toEqual(['1', '2', 'com.weather-3']);
      });

      it('gives the name first, then tags, description and key, and what is older first within each', async () => {
        await add(
          storedSkill({ id: 'wind' }),
          storedSkill({ id: '2', description: 'of wind' }),
          storedSkill({ id: '3', tags: ['wind'] }),
          storedSkill({ id: '4', name: 'Windows' }),
          storedSkill({ id: '5', name: 'Wind', description: 'wind' }),
          storedSkill({ id: '6', tags: ['wind'], description: 'wind' }),
        );
        const inOrder = ['4', '5', '3', '6', '2', 'wind'];
        expect(await search('wind')).toEqual(inOrder);
        for (const limit of [1, 2, 4]) {
          const page = (after: StoreQuery['after']) =>
            find({ words: ['wind'], limit, ...(after && { after }) });
          expect(await allPages(page, idsOf)).toEqual(inOrder);
        }
      });

      it('ranks by the word that stands worst', async () => {
        await add(
          storedSkill({ id: '1', name: 'red', description: 'blue' }),
          storedSkill({ id: '2', name: 'red', tags: ['blue'] }),
          storedSkill({ id: '3', name: 'blue red' }),
          storedSkill({ id: '4', name: 'blue', tags: ['red'], description: 'bluest' }),
        );
        expect(await search('red blue')).toEqual(['3', '2', '4', '1']);
      });

      it('finds Chinese and Japanese parts of a sentence', async () => {
        await add(
          storedSkill({ id: '1', description: '高质量翻译服务' }),
          storedSkill({ id: '2', description: '日本語の天気予報を翻訳するAPI' }),
          storedSkill({ id: '3', description: '服务很好，翻译也快' }),
        );
        for (const text of ['高质量', '量翻', '务 高']) expect(await search(text)).toEqual(['1']);
        for (const text of ['翻译', '翻译服务', '服务翻译', '务'])
          expect(await search(text)).toEqual(['1', '3']);
        for (const text of ['天気', '翻訳', 'の', '天気 API', 'api 日本語']) {
          expect(await search(text)).toEqual(['2']);
        }
        expect(await search('翻')).toEqual(['1', '2', '3']);
      });

      it('takes as many words as a question can have', async () => {
        const han = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
        await add(storedSkill({ id: '1', description: han }));
        expect(await search(han)).toEqual(['1']);
        expect(await search(`${han} z`)).toEqual([]);
      });
    });

    it('finds the few and the many among many', async () => {
      const many = Array.from({ length: 1_500 }, (_, i) =>
        storedSkill({
          id: String(i).padStart(4, '0'),
          description: i % 2 ? 'odd number' : 'even number',
          tags: ['all', i % 2 ? 'odd' : 'even', ...(i % 500 === 0 ? ['rare'] : [])],
        }),
      );
      await store().apply(updateOf(many as [StoredSkill]));
      const first = (query: Partial<StoreQuery>) => ids({ ...query, limit: 2 });
      expect(await first({ tags: ['all'] })).toEqual(['0000', '0001']);
      expect(await first({ tags: ['all', 'odd'] })).toEqual(['0001', '0003']);
      expect(await first({ tags: ['all', 'rare'] })).toEqual(['0000', '0500']);
      expect(await first({ words: ['number'] })).toEqual(['0000', '0001']);
      expect(await first({ words: ['number', 'od'] })).toEqual(['0001', '0003']);
      expect(await first({ tags: ['rare'], words: ['number'] })).toEqual(['0000', '0500']);
      const common = { tags: ['all'], words: ['number'] };
      const { next } = await find({ ...common, limit: 701 });
      expect(await first({ ...common, ...(next && { after: next }) })).toEqual(['0701', '0702']);
      expect(await find({ ...common, limit: 1, total: true })).toMatchObject({ total: 1_500 });
    });

    it('pages through what stays, once each, while others come and go', async () => {
      const domains = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `${name}.example`);
      const stayingAt = (domain: string) =>
        Array.from({ length: 6 }, (_, i) => storedSkill({ domain, id: `stay-${i}` })) as [StoredSkill];
      for (const domain of domains) await store().apply(updateOf(stayingAt(domain)));

      let turn = 0;
      const seen = await allPages(
        (after: StoreQuery['after']) => store().find({ ...everything, limit: 3, ...(after && { after }) }),
        ({ skills }) => skills.map(({ entry }) => `${entry.domain} ${entry.id}`),
        async () => {
          const domain = domains[turn % domains.length] as string;
          const others = turn < 20 ? [storedSkill({ domain, id: `new-${turn}` })] : [];
          await store().apply(updateOf([...stayingAt(domain), ...others]));
          turn++;
        },
      );
      expect(seen.filter((key) => key.includes('stay'))).toEqual(
        domains.flatMap((domain) => stayingAt(domain).map(({ entry }) => `${domain} ${entry.id}`)),
      );
      expect(new Set(seen).size).toBe(seen.length);
    });
  });
}
