import { fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type Collisions, contentOf, MAX_COLLISIONS, type ProviderStatus } from '../../src/protocol/index.ts';
import {
  compareContent,
  type FoundSkill,
  type KnownSkill,
  MAX_RIVALS,
  type ProviderUpdate,
  passes,
  planProvider,
  planUpdate,
  queryWords,
  type Rivals,
  type Store,
  type StoredChange,
  type StoredSkill,
  type StoreQuery,
  tokenize,
  versionKey,
} from '../../src/registry/index.ts';
import { storedSkill } from '../support/stored-skill.ts';
import { allPages, everything } from './store-support.ts';

/** After any history a store must answer any query as going through all records one by one does. */
export function storeModelContract(open: () => Promise<Store>): void {
  describe('histories', () => {
    // Opening a store is slow where it means a file and a thread.
    it('answers every query as going through all records one by one does', async () => {
      const questions = fc.array(queries, { minLength: 5, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(updates, questions, async (history, asked) => {
          const store = await open();
          try {
            const model = new Model();
            for (const update of history) {
              const expected = model.apply(update);
              expect(await store.apply(update, { dryRun: true })).toEqual(expected);
              expect(await store.apply(update)).toEqual(expected);
            }
            for (const query of asked) await expectAnswer(store, model, query);
            await expectHistory(store, model);
          } finally {
            await store.close();
          }
        }),
        { numRuns: 150 },
      );
    }, 300_000);
  });
}

async function expectAnswer(store: Store, model: Model, query: StoreQuery): Promise<void> {
  const expected = model.find(query);
  const page = (after: StoreQuery['after']) => store.find({ ...query, ...(after && { after }) });
  const found = await allPages(page, ({ skills, next }) => {
    expect(skills.length).toBe(next ? query.limit : Math.min(skills.length, query.limit));
    return skills;
  });
  expect(found).toEqual(expected.map((skill) => model.found(skill, query.descriptors)));
  const counted = await store.find({ ...query, total: true, facets: true });
  expect(counted.total).toBe(expected.length);
  expect(counted.facets).toEqual({
    capabilityType: countsOf(expected.map(({ entry }) => entry.capability_type)),
    access: countsOf(expected.map(({ entry }) => entry.access)),
    authType: countsOf(expected.map(({ authType }) => authType)),
  });
}

async function expectHistory(store: Store, model: Model): Promise<void> {
  for (const { skill, goneSince } of model.records) {
    expect(await store.get(skill.entry)).toEqual(
      goneSince === undefined ? model.found(skill, true) : undefined,
    );
  }
  expect(await store.collisions()).toEqual(model.collisions());
  for (const includePrivate of [true, false]) {
    const expected = model.changes
      .filter(({ isPrivate }) => includePrivate || !isPrivate)
      .map(({ isPrivate, ...change }) => change);
    expect((await store.changes({ includePrivate, limit: 10_000 })).changes).toEqual(expected);
  }
  const { providers } = await store.providers({ order: 'domain', limit: 100 });
  expect(providers).toEqual([...model.providers.values()].sort((a, b) => (a.domain < b.domain ? -1 : 1)));
}

/** A store that is slow and simple. */
class Model {
  /** In the order in which they were stored first, the gone ones among them. */
  records: Array<{ skill: StoredSkill; goneSince?: number }> = [];
  changes: StoredChange[] = [];
  readonly providers = new Map<string, ProviderStatus>();

  apply(update: ProviderUpdate) {
    const { domain, at, forgetBefore } = update;
    const mine = this.records.filter(({ skill }) => skill.entry.domain === domain);
    const recordOf = (id: string) => mine.find(({ skill }) => skill.entry.id === id);
    const plan = planUpdate(
      mine.map(
        ({ skill: { entry, contentHash }, goneSince }): KnownSkill => ({
          ...entry,
          contentHash,
          ...(goneSince !== undefined && { goneSince }),
        }),
      ),
      update,
    );
    const accepted = new Map(plan.put.map(({ skill }) => [skill.entry.id, skill]));
    const changes = plan.changes.map(({ kind, id, isPrivate }): StoredChange => {
      const [before, after] = [recordOf(id)?.skill, accepted.get(id)].map(
        (skill) => skill && contentOf(skill.entry, JSON.parse(skill.descriptor)),
      );
      const members = kind === 'changed' && { members: compareContent(before, after) };
      return { at, kind, domain, id, ...members, isPrivate };
    });
    for (const { skill, isSameContent } of plan.put) {
      const record = recordOf(skill.entry.id);
      if (record === undefined) this.records.push({ skill });
      else {
        const { entry, isFlagged } = skill;
        record.skill = isSameContent ? { ...record.skill, entry, isFlagged } : skill;
        delete record.goneSince;
      }
    }
    for (const { id, ...age } of plan.age) {
      const record = recordOf(id);
      if (record) record.skill = { ...record.skill, entry: { ...record.skill.entry, ...age } };
    }
    for (const id of plan.remove) Object.assign(recordOf(id) as object, { goneSince: at });
    const forgotten = new Set(plan.forget.map(recordOf));
    this.records = this.records.filter((record) => !forgotten.has(record));
    this.changes = [...this.changes, ...changes]
      .sort((a, b) => a.at - b.at)
      .filter((change) => change.at >= forgetBefore);
    const kept = this.records.filter(
      ({ skill, goneSince }) => skill.entry.domain === domain && goneSince === undefined,
    );
    this.providers.set(domain, planProvider(this.providers.get(domain), update, kept.length));
    return {
      changes,
      stored: plan.put.length,
      removed: plan.remove.length,
      evictedProviders: 0,
      evictedSkills: 0,
    };
  }

  find(query: StoreQuery): StoredSkill[] {
    return this.records
      .filter(({ skill, goneSince }) => goneSince === undefined && passes(query, skill))
      .filter(({ skill }) => !query.trusted || this.rivals(skill) === undefined)
      .map(({ skill }) => ({ skill, rank: naiveRank(skill, query.words ?? []) }))
      .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.rank - b.rank)
      .map(({ skill }) => skill);
  }

  found(skill: StoredSkill, withDescriptor: boolean): FoundSkill {
    const { entry, contentHash, descriptor } = skill;
    const rivals = this.rivals(skill);
    return { entry, contentHash, ...(withDescriptor && { descriptor }), ...(rivals && { rivals }) };
  }

  rivals(skill: StoredSkill): Rivals | undefined {
    const others = this.#shown().filter(({ entry }) => entry.domain !== skill.entry.domain);
    const byId = others.filter(({ idKey }) => idKey === skill.idKey);
    const byName = others.filter(
      ({ entry, nameKey }) => looks(nameKey) === looks(skill.nameKey) && entry.name !== skill.entry.name,
    );
    if (byId.length + byName.length === 0) return undefined;
    return {
      byId: byId.slice(0, MAX_RIVALS).map(({ entry: { domain, id } }) => ({ domain, id })),
      byName: byName.slice(0, MAX_RIVALS).map(({ entry: { domain, id, name } }) => ({ domain, id, name })),
    };
  }

  collisions(): Collisions {
    const shown = this.#shown();
    const keys = [...new Set(shown.map(({ idKey }) => idKey))].sort(byCodePoints);
    const all = keys.flatMap((key) => {
      const entries = shown.filter(({ idKey }) => idKey === key).map(({ entry }) => entry);
      const domains = [...new Set(entries.map(({ domain }) => domain))];
      return domains.length > 1
        ? [{ id: entries[0]?.id as string, domains: domains.slice(0, MAX_RIVALS) }]
        : [];
    });
    return { total: all.length, first: all.slice(0, MAX_COLLISIONS) };
  }

  /** What can be a rival, in the order of domain and id. */
  #shown(): StoredSkill[] {
    return this.records
      .filter(({ skill, goneSince }) => goneSince === undefined && skill.entry.access !== 'private')
      .map(({ skill }) => skill)
      .sort((a, b) => byCodePoints(a.entry.domain, b.entry.domain) || byCodePoints(a.entry.id, b.entry.id));
  }
}

const looks = (key: string) => key.replace(/\p{Surrogate}/gu, '\ufffd');
const byCodePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function naiveRank({ entry, tags }: StoredSkill, words: readonly string[]): number {
  const places = [entry.name, tags.join(' '), entry.description, `${entry.id} ${entry.domain}`].map(
    (text) => [...tokenize(text)],
  );
  return Math.max(
    0,
    ...words.map((word, i) => {
      const isLast = i === words.length - 1;
      const place = places.findIndex((there) =>
        there.some((known) => (isLast ? known.startsWith(word) : known === word)),
      );
      return place < 0 ? Number.POSITIVE_INFINITY : place;
    }),
  );
}

function countsOf(values: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const domain = fc.constantFrom('a.example', 'a.example:8443', 'b.example', 'http://a.example');
const id = fc.string({
  unit: fc.constantFrom('a', 'A', '.', '\uffee', '😀', '翻'),
  minLength: 1,
  maxLength: 2,
});
const capabilityType = fc.constantFrom('plugin', 'api', 'knowledge', 'task');
const access = fc.constantFrom('public', 'restricted', 'private');
const authType = fc.constantFrom('api_key', 'oauth2', 'custom', 'none');
const version = fc.constantFrom('1.0.0', '1.2.0-rc.1', '1.2.0', '1.10.0', '2.0.0', 'latest');
const view = fc.constantFrom('anonymous', 'anonymous', 'acme');
const tag = fc.constantFrom('a', 'A', '\ud800', '"', '😀', '译');
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', 'É', '翻', '译', '服', '务', '"', '*', ' ', '-'),
  maxLength: 8,
});
const name = fc.oneof(fc.constantFrom('a', 'A', 'Á', '\ud800', '\ufffd', '\udfff😀', ''), text);
const warnings = fc.constantFrom('FOREIGN_ID', 'X').map((code) => [{ code, message: 'm' }]);
const moment = fc.integer({ min: 0, max: 9 });

const skills = fc.uniqueArray(
  fc.record({
    id,
    name,
    warnings,
    description: text,
    capability_type: capabilityType,
    access,
    auth: fc.record({ type: authType }),
    tags: fc.array(tag, { maxLength: 3 }),
    version,
    protocolVersion: version,
    fetchedAt: moment,
    freshUntil: moment,
  }),
  { selector: (skill) => skill.id, maxLength: 10 },
);

const updates = fc.array(
  fc
    .record(
      {
        domain,
        view,
        skills,
        at: moment,
        status: fc.constantFrom('ok', 'partial', 'none', 'failed'),
        code: fc.constantFrom('TIMEOUT', 'NOT_JSON'),
        freshUntil: moment,
        retryAfterMs: moment,
        standIns: fc.array(id, { maxLength: 3 }),
        withdrawn: fc.array(id, { maxLength: 2 }),
        others: fc.array(id, { maxLength: 3 }),
        forgetBefore: fc.oneof(fc.constant(0), moment),
        isImport: fc.constantFrom(true, false, false),
      },
      { requiredKeys: ['domain', 'view', 'skills', 'at', 'status', 'standIns', 'forgetBefore', 'isImport'] },
    )
    .map(({ others, isImport, skills, domain, view, at, forgetBefore, ...rest }): ProviderUpdate => {
      const origin = isImport && ({ origin: 'imported' } as const);
      const update = {
        domain,
        view,
        at,
        forgetBefore,
        skills: skills.map((parts) => storedSkill({ ...parts, domain, view, ...origin })),
      };
      if (isImport) return { ...update, status: 'ok', standIns: [], isImport };
      const listed = others && { listed: [...others, ...skills.map((skill) => skill.id)] };
      return { ...update, ...rest, ...listed };
    }),
  { maxLength: 8 },
);

const versionBound = version.map(versionKey);
const spans = fc.array(
  fc.record(
    {
      from: versionBound,
      to: versionBound,
      afterFrom: fc.boolean(),
      beforeTo: fc.boolean(),
      releasesOnly: fc.boolean(),
    },
    { requiredKeys: ['afterFrom', 'beforeTo', 'releasesOnly'] },
  ),
  { maxLength: 2 },
);
const anyOf = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 2 });

const asked = {
  now: moment,
  includePrivate: fc.boolean(),
  trusted: fc.boolean(),
  descriptors: fc.boolean(),
  limit: fc.integer({ min: 1, max: 4 }),
};
const filters = {
  capabilityTypes: anyOf(capabilityType),
  access: anyOf(access),
  authTypes: anyOf(authType),
  domains: anyOf(domain),
  tags: anyOf(tag),
  text,
  versions: spans,
  protocolVersions: spans,
  freshness: fc.constantFrom('fresh', 'stale'),
};

// All filters at once seldom leave anything to be ranked.
const queries: fc.Arbitrary<StoreQuery> = fc
  .oneof(
    fc.record(
      { ...asked, ...filters },
      { requiredKeys: ['now', 'includePrivate', 'trusted', 'descriptors', 'limit'] },
    ),
    fc.record({ ...asked, text: fc.constantFrom('a', 'b', 'a b', 'b a', '翻', '译 翻', 'a 翻译') }),
  )
  .map(({ text: question = '', ...query }) => {
    const words = queryWords(question);
    return { ...everything, ...query, ...(words.length > 0 && { words }) };
  });
