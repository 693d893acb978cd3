import { fc } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderUpdate, SkillKey, Store, StoredSkill, StoreQuery } from '../../src/registry/index.ts';
import { tokenize } from '../../src/registry/index.ts';
import { skillWords } from '../../src/registry/tokenize.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

/** What every store must do, however it keeps its records. `open` gives a new, empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`Store: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const everything: StoreQuery = { now: 0, includePrivate: true, limit: 1_000, total: false };
    const find = (query: Partial<StoreQuery> = {}) => store.find({ ...everything, ...query });
    const ids = async (query: Partial<StoreQuery> = {}) => (await find(query)).skills.map(({ id }) => id);
    const search = (text: string) => ids({ words: [...tokenize(text)] });
    const add = (...skills: [StoredSkill, ...StoredSkill[]]) => store.apply(updateOf(skills));

    it('has nothing at first', async () => {
      expect(await find({ total: true })).toEqual({ skills: [], more: false, total: 0 });
      expect(await store.get({ domain: 'a.example', id: 'x' })).toBeUndefined();
    });

    it('gives back what was put, whole', async () => {
      const skill = storedSkill({
        tags: ['a', 'b'],
        auth: { type: 'api_key', header: 'x-key' },
        warnings: [{ code: 'VERSION_DRIFT', message: 'differs', field: '/version' }],
        fetchedAt: 1_700_000_000_000.25,
        freshUntil: Number.MAX_SAFE_INTEGER,
      });
      expect(await add(skill)).toEqual({ stored: 1, removed: 0, evictedProviders: 0, evictedSkills: 0 });
      expect(await store.get(skill)).toEqual(skill);
      expect(await find()).toEqual({ skills: [skill], more: false });
    });

    it('keeps hostile texts to the letter', async () => {
      const texts = [
        '"', "'", "'; DROP TABLE skills; --", '*', 'OR', 'NEAR(a b)', 'a"b*', '^a', '-a', '{word}: a', 'word:a',
        '%', '_', '\\', '?', ':a', '$1', '\0', 'a\0b', '\ud800', 'a\udfffb', '\ufffd', '\ufeffa', '😀',
        '__proto__', 'constructor', 'toString', '𠮷野家', 'e\u0301', 'é', '\u202e', ' ', '',
      ]; // biome-ignore format: one long list
      const skills = texts.map((text, i) =>
        storedSkill({ id: `s${i}`, name: text, description: text, tags: [text, text] }),
      );
      await store.apply(updateOf(skills as [StoredSkill]));
      for (const [i, text] of texts.entries()) {
        expect(await store.get({ domain: 'a.example', id: `s${i}` })).toEqual(skills[i]);
        expect(await ids({ tags: [text] })).toEqual([`s${i}`]);
      }
      expect(await search('NEAR')).toEqual(['s5']);
      expect(await search('or')).toEqual(['s4']);
      expect(await search('DROP TABLE')).toEqual(['s2']);
    });

    it('keeps ids apart that programs confuse', async () => {
      const odd = [
        '__proto__',
        'constructor',
        "a'b",
        'a"b',
        'A',
        'a',
        'é',
        'e\u0301',
        '\ufffd',
        '😀',
        '\uff5e',
        '%',
        '*',
      ];
      await store.apply(updateOf(odd.map((id) => storedSkill({ id })) as [StoredSkill]));
      for (const id of odd) expect((await store.get({ domain: 'a.example', id }))?.id).toBe(id);
      expect(await ids()).toEqual([...odd].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      for (const id of ['\ud800', 'prototype', 'a%', '']) {
        expect(await store.get({ domain: 'a.example', id })).toBeUndefined();
      }
    });

    it('keeps an own member __proto__ of a descriptor', async () => {
      const skill = storedSkill();
      const { output } = skill.descriptor;
      Object.defineProperty(output, '__proto__', { value: { x: 1 }, enumerable: true });
      await add(skill);
      const found = await store.get(skill);
      expect(Object.getOwnPropertyDescriptor(found?.descriptor.output, '__proto__')?.value).toEqual({ x: 1 });
    });

    it('shares no record with its callers', async () => {
      const skill = storedSkill({ id: 'x', tags: ['a'] });
      await add(skill);
      skill.descriptor.tags?.push('mine');
      const found = await store.get(skill);
      found?.descriptor.tags?.push('theirs');
      expect((await store.get(skill))?.descriptor.tags).toEqual(['a']);
      expect((await find()).skills[0]?.descriptor.tags).toEqual(['a']);
    });

    it('keeps equal ids of two domains apart', async () => {
      await add(storedSkill({ domain: 'a.example', id: 'x', name: 'A' }));
      await add(storedSkill({ domain: 'b.example', id: 'x', name: 'B' }));
      expect(await store.get({ domain: 'a.example', id: 'x' })).toMatchObject({ name: 'A' });
      expect(await store.get({ domain: 'b.example', id: 'x' })).toMatchObject({ name: 'B' });
      expect((await find()).skills.map(({ name }) => name)).toEqual(['A', 'B']);
    });

    describe('apply', () => {
      const kept = storedSkill({ id: 'kept', tags: ['old'], description: 'before' });
      const lost = storedSkill({ id: 'lost', tags: ['old'], description: 'before' });
      const later = { domain: 'a.example', view: 'anonymous', at: 1_500 };

      it('replaces a record in all that finds it', async () => {
        await add(kept);
        await add(
          storedSkill({ ...entryOf(kept), capability_type: 'task', tags: ['new'], description: 'after' }),
        );
        expect(await ids({ capabilityTypes: ['api'] })).toEqual([]);
        expect(await ids({ capabilityTypes: ['task'] })).toEqual(['kept']);
        expect(await ids({ tags: ['old'] })).toEqual([]);
        expect(await ids({ tags: ['new'] })).toEqual(['kept']);
        expect(await search('before')).toEqual([]);
        expect(await search('after')).toEqual(['kept']);
      });

      it('removes what is gone from all that finds it', async () => {
        await add(kept, lost);
        const result = await store.apply({ ...later, skills: [kept], listed: ['kept'] });
        expect(result).toEqual({ stored: 1, removed: 1, evictedProviders: 0, evictedSkills: 0 });
        expect(await store.get(lost)).toBeUndefined();
        expect(await ids()).toEqual(['kept']);
        expect(await ids({ capabilityTypes: ['api'] })).toEqual(['kept']);
        expect(await ids({ tags: ['old'] })).toEqual(['kept']);
        expect(await search('before')).toEqual(['kept']);
      });

      it('keeps as stale what it cannot renew', async () => {
        await add(kept, lost);
        await store.apply({ ...later, skills: [] });
        expect(await ids({ freshness: 'fresh', now: 1_500 })).toEqual([]);
        expect(await store.get(kept)).toEqual({ ...kept, freshUntil: 1_500 });
        await store.apply({ ...later, at: 1_800, skills: [] });
        expect(await store.get(kept)).toEqual({ ...kept, freshUntil: 1_500 });
        await add(kept);
        expect(await store.get(kept)).toEqual(kept);
      });

      it('touches no other domain', async () => {
        const other = storedSkill({ domain: 'b.example', id: 'kept' });
        await add(kept);
        await add(other);
        await store.apply({ ...later, skills: [], listed: [] });
        expect((await find()).skills).toEqual([other]);
      });

      it('empties a domain and fills it again', async () => {
        await add(kept);
        await store.apply({ ...later, skills: [], listed: [] });
        expect(await find({ total: true })).toEqual({ skills: [], more: false, total: 0 });
        await add(kept);
        expect((await find()).skills).toEqual([kept]);
      });

      it('takes nothing of an update that fails half way', async () => {
        await add(kept);
        const broken = storedSkill({ id: 'broken' });
        Object.assign(broken, { warnings: [1n] });
        await expect(store.apply(updateOf([storedSkill({ id: 'new' }), broken]))).rejects.toThrow(TypeError);
        expect((await find()).skills).toEqual([kept]);
      });
    });

    describe('find', () => {
      beforeEach(async () => {
        await store.apply(
          updateOf([
            storedSkill({ id: '1', capability_type: 'plugin', tags: ['a'], freshUntil: 10 }),
            storedSkill({
              id: '2',
              capability_type: 'task',
              tags: ['a', 'b'],
              freshUntil: 20,
              access: 'restricted',
            }),
            storedSkill({ id: '3', capability_type: 'api', tags: ['A'], freshUntil: 30, access: 'private' }),
          ]),
        );
        await add(
          storedSkill({ domain: 'http://b.example', id: '4', auth: { type: 'oauth2' }, freshUntil: 20 }),
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
        ['fresh', { freshness: 'fresh', now: 20 }, ['3']],
        ['stale', { freshness: 'stale', now: 20 }, ['1', '2', '4']],
        [
          'all at once',
          { capabilityTypes: ['task'], tags: ['a'], domains: ['a.example'], words: ['2'] },
          ['2'],
        ],
      ])('filters by %s', async (_, query, expected) => {
        expect(await ids(query)).toEqual(expected);
        expect(await find({ ...query, limit: 1, total: true })).toMatchObject({
          total: expected.length,
          more: expected.length > 1,
        });
      });

      it('counts all matches, wherever the page begins', async () => {
        const page = await find({ after: { domain: 'a.example', id: '2' }, limit: 1, total: true });
        expect(page).toMatchObject({ skills: [{ id: '3' }], more: true, total: 4 });
      });

      it('begins after a key that is not there', async () => {
        expect(await ids({ after: { domain: 'a.example', id: '25' } })).toEqual(['3', '4']);
        expect(await ids({ after: { domain: 'b.example', id: '' } })).toEqual(['4']);
        expect(await ids({ after: { domain: 'zzz', id: '' } })).toEqual([]);
      });
    });

    describe('find by words', () => {
      it('needs all words, the last one as a beginning', async () => {
        await store.apply(
          updateOf([
            storedSkill({ id: '1', name: 'Weather forecast', description: 'Crème brûlée' }),
            storedSkill({ id: '2', name: 'Weather archive', tags: ['forecasting'] }),
            storedSkill({ id: 'com.weather-3', name: '3' }),
          ]),
        );
        expect(await search('WEATHER')).toEqual(['1', '2', 'com.weather-3']);
        expect(await search('forecast weather')).toEqual(['1']);
        expect(await search('weather fore')).toEqual(['1', '2']);
        expect(await search('fore weather')).toEqual([]);
        expect(await search('CREME brule')).toEqual(['1']);
        expect(await search('rule')).toEqual([]);
      });

      it('finds Chinese and Japanese parts of a sentence', async () => {
        await store.apply(
          updateOf([
            storedSkill({ id: '1', description: '高质量翻译服务' }),
            storedSkill({ id: '2', description: '日本語の天気予報を翻訳するAPI' }),
          ]),
        );
        for (const text of ['翻译', '高质量', '务', '量翻']) expect(await search(text)).toEqual(['1']);
        for (const text of ['天気', '翻訳', 'の', '天気 API', 'api 日本語'])
          expect(await search(text)).toEqual(['2']);
        expect(await search('翻')).toEqual(['1', '2']);
        expect(await search('译翻')).toEqual([]);
      });

      it('takes as many words as a text can have', async () => {
        const han = Array.from({ length: 250 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
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
      await store.apply(updateOf(many as [StoredSkill]));
      const first = (query: Partial<StoreQuery>) => ids({ ...query, limit: 2 });
      expect(await first({ tags: ['all'] })).toEqual(['0000', '0001']);
      expect(await first({ tags: ['all', 'odd'] })).toEqual(['0001', '0003']);
      expect(await first({ tags: ['all', 'rare'] })).toEqual(['0000', '0500']);
      expect(await first({ words: ['number'] })).toEqual(['0000', '0001']);
      expect(await first({ words: ['number', 'od'] })).toEqual(['0001', '0003']);
      expect(
        await first({ tags: ['all'], words: ['number'], after: { domain: 'a.example', id: '0700' } }),
      ).toEqual(['0701', '0702']);
      expect(await first({ tags: ['rare'], words: ['number'] })).toEqual(['0000', '0500']);
      expect(await find({ tags: ['all'], words: ['number'], limit: 1, total: true })).toMatchObject({
        total: 1_500,
      });
    });

    it('pages through what stays, once each, while others come and go', async () => {
      const stayingAt = (domain: string) =>
        Array.from({ length: 6 }, (_, i) => storedSkill({ domain, id: `stay-${i}` })) as [StoredSkill];
      const domains = [
        'a.example',
        'b.example',
        'c.example',
        'd.example',
        'e.example',
        'f.example',
        'g.example',
      ];
      for (const domain of domains) await store.apply(updateOf(stayingAt(domain)));

      const seen: SkillKey[] = [];
      let after: SkillKey | undefined;
      for (let turn = 0; ; turn++) {
        const page = await find({ limit: 3, ...(after && { after }) });
        seen.push(...page.skills);
        if (!page.more) break;
        after = page.skills.at(-1);
        const domain = domains[turn % domains.length] as string;
        await store.apply(updateOf([...stayingAt(domain), storedSkill({ domain, id: `new-${turn}` })]));
      }
      const stayed = seen.filter(({ id }) => id.startsWith('stay'));
      expect(stayed).toHaveLength(42);
      expect(new Set(seen.map(({ domain, id }) => `${domain} ${id}`)).size).toBe(seen.length);
    });

    it('answers nothing after it was closed', async () => {
      await store.close();
      await store.close();
      await expect(find()).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      await expect(store.get({ domain: 'a.example', id: 'x' })).rejects.toMatchObject({
        code: 'CLIENT_CLOSED',
      });
      await expect(add(storedSkill())).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    });

    it('answers every query as going through all records one by one does', async () => {
      await fc.assert(
        fc.asyncProperty(
          updates,
          fc.array(queries, { minLength: 5, maxLength: 5 }),
          async (history, asked) => {
            const tested = await open();
            try {
              const model = new Map<string, StoredSkill>();
              for (const update of history) {
                await tested.apply(update);
                const showsPrivate = update.skills.some(({ access }) => access === 'private');
                for (const [key, skill] of model) {
                  if (skill.domain !== update.domain) continue;
                  if (skill.access !== 'private' || showsPrivate) model.delete(key);
                  else model.set(key, { ...skill, freshUntil: Math.min(skill.freshUntil, update.at) });
                }
                for (const skill of update.skills) model.set(`${skill.domain} ${skill.id}`, skill);
              }
              for (const query of asked) {
                const expected = naive([...model.values()], query);
                expect(await allPages(tested, query)).toEqual(expected);
                expect(await tested.find({ ...query, total: true })).toMatchObject({
                  total: expected.length,
                });
              }
            } finally {
              await tested.close();
            }
          },
        ),
        { numRuns: 150 },
      );
    });
  });
}

function entryOf({ descriptor, ...entry }: StoredSkill) {
  return entry;
}

async function allPages(store: Store, query: StoreQuery): Promise<StoredSkill[]> {
  const all: StoredSkill[] = [];
  for (let after: SkillKey | undefined; ; after = all.at(-1)) {
    const page = await store.find({ ...query, ...(after && { after }) });
    expect(page.skills.length).toBe(page.more ? query.limit : Math.min(page.skills.length, query.limit));
    all.push(...page.skills);
    if (!page.more) return all;
  }
}

function naive(skills: StoredSkill[], query: StoreQuery): StoredSkill[] {
  const anyOf = <T>(wanted: readonly T[] | undefined, value: T) => !wanted || wanted.includes(value);
  const kept = skills.filter((skill) => {
    const words = [...skillWords(skill)];
    const [last, ...others] = [...(query.words ?? [])].reverse();
    if (skill.access === 'private' && !query.includePrivate) return false;
    if (query.freshness === 'fresh' && !(query.now < skill.freshUntil)) return false;
    if (query.freshness === 'stale' && query.now < skill.freshUntil) return false;
    if (!others.every((word) => words.includes(word))) return false;
    if (last !== undefined && !words.some((word) => word.startsWith(last))) return false;
    if (!(query.tags ?? []).every((tag) => skill.descriptor.tags?.includes(tag))) return false;
    return (
      anyOf(query.capabilityTypes, skill.capability_type) &&
      anyOf(query.access, skill.access) &&
      anyOf(query.authTypes, skill.descriptor.auth.type) &&
      anyOf(query.domains, skill.domain)
    );
  });
  const bytes = ({ domain, id }: StoredSkill) => Buffer.from(`${domain}\0${id}`);
  return kept.sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
}

const domain = fc.constantFrom('a.example', 'a.example:8443', 'b.example', 'http://a.example');
const id = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '\uffee', '😀', '翻'),
  minLength: 1,
  maxLength: 3,
});
const capabilityType = fc.constantFrom('plugin', 'api', 'knowledge', 'task');
const access = fc.constantFrom('public', 'restricted', 'private');
const authType = fc.constantFrom('api_key', 'oauth2', 'custom', 'none');
const tag = fc.constantFrom('a', 'A', '\ud800', '"', '😀');
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', 'É', '翻', '译', '"', '*', ' ', '-'),
  maxLength: 8,
});
const moment = fc.integer({ min: 0, max: 9 });

const updates = fc.array(
  fc
    .record({
      domain,
      skills: fc.uniqueArray(
        fc.record({
          id,
          name: text,
          description: text,
          capability_type: capabilityType,
          access,
          auth: fc.record({ type: authType }),
          tags: fc.array(tag, { maxLength: 3 }),
          freshUntil: moment,
        }),
        { selector: (skill) => skill.id, maxLength: 12 },
      ),
    })
    .map(
      ({ domain, skills }): ProviderUpdate => ({
        domain,
        view: 'anonymous',
        at: 1_000,
        skills: skills.map((parts) => storedSkill({ ...parts, domain })),
        listed: skills.map((skill) => skill.id),
      }),
    ),
  { maxLength: 6 },
);

const anyOf = <T>(value: fc.Arbitrary<T>) => fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const queries: fc.Arbitrary<StoreQuery> = fc.record(
  {
    capabilityTypes: anyOf(capabilityType),
    access: anyOf(access),
    authTypes: anyOf(authType),
    tags: fc.uniqueArray(tag, { maxLength: 2 }),
    domains: anyOf(domain),
    words: text.map((typed) => [...tokenize(typed)]).filter((words) => words.length > 0),
    freshness: fc.constantFrom('fresh', 'stale'),
    now: moment,
    includePrivate: fc.boolean(),
    limit: fc.integer({ min: 1, max: 5 }),
    total: fc.boolean(),
  },
  { requiredKeys: ['now', 'includePrivate', 'limit', 'total'] },
);
