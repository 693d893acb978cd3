import { describe, expect, it } from 'vitest';
import { createProvider, type MockProvider, validDescriptor } from '../../mocks/index.ts';
import {
  type Client,
  createClient,
  createLock,
  createMemoryStore,
  type Lock,
  type LockVerdict,
} from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientOver, idsOf, providerOf, siteOf } from './support.ts';

/** Locks all that a client finds. */
async function lockAll(client: Client): Promise<Lock> {
  const { records } = await client.find({ include: 'descriptor', includePrivate: true, limit: 1000 });
  return createLock(records);
}

async function verdictsOf(client: Client, lock: Lock): Promise<LockVerdict[]> {
  const verdicts = [];
  for await (const verdict of client.verifyLock(lock)) verdicts.push(verdict);
  return verdicts;
}

/** Providers that were crawled and locked, and the store of that. */
async function locked(...providers: MockProvider[]) {
  const store = createMemoryStore();
  const sites = siteOf(...providers);
  await using client = clientOver(sites, { store });
  await client.crawlAll(providers.map(({ domain }) => domain));
  return { store, sites, lock: await lockAll(client) };
}

describe('a client with a lock', () => {
  it('takes and gives only what is as it was locked', async () => {
    const a = providerOf('a.example', ['same', 'drifts']);
    const { sites, lock } = await locked(a);
    a.setSkills([
      validDescriptor({ id: 'same' }),
      validDescriptor({ id: 'drifts', description: 'Other.' }),
      validDescriptor({ id: 'new' }),
    ]);
    await using client = clientOver(sites, { lock });

    const { skills, rejected, status } = await client.discover('a.example');

    expect({ status, skills: idsOf(skills) }).toEqual({ status: 'partial', skills: ['same'] });
    expect(rejected).toMatchObject([
      { id: 'drifts', code: 'LOCK_MISMATCH', message: 'the skill is not what was locked' },
      { id: 'new', code: 'LOCK_MISMATCH', message: 'the skill is not in the lock' },
    ]);
    expect(rejected[0]?.details).toEqual({
      locked: lock.skills.find(({ id }) => id === 'drifts')?.contentHash,
      found: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(idsOf((await client.find()).records)).toEqual(['same']);
    expect(await client.get({ domain: 'a.example', id: 'drifts' })).toBeUndefined();
    const report = await client.crawlAll(['a.example']);
    expect(report.codes.skills).toEqual({ LOCK_MISMATCH: 2 });
  });

  it('gives nothing else of a store that others fill, in full pages', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `skill-${n}`);
    const a = providerOf('a.example', ids);
    const { store, lock } = await locked(a);
    const some = lock.skills.filter((_, i) => i % 7 === 0);
    const drifted = some.map((skill, i) => (i === 1 ? { ...skill, contentHash: 'f'.repeat(64) } : skill));
    await using client = createClient({ store, lock: { ...lock, skills: drifted } });
    const expected = some.filter((_, i) => i !== 1).map(({ id }) => id);

    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.find({ limit: 3, cursor });
      expect(page.nextCursor === undefined || page.records.length === 3).toBe(true);
      found.push(...idsOf(page.records));
      cursor = page.nextCursor;
    } while (cursor !== undefined);

    expect(found.sort()).toEqual(expected.sort());
    expect(await client.get({ domain: 'a.example', id: expected[0] ?? '' })).toBeDefined();
    expect(await client.get({ domain: 'a.example', id: some[1]?.id ?? '' })).toBeUndefined();
    await expect(client.find({ total: true })).rejects.toThrow(/^total: /);
    await expect(client.find({ facets: true })).rejects.toThrow(/^facets: /);
  });

  it('calls nothing unreachable that it refuses', async () => {
    const a = providerOf('a.example', ['same', 'drifts']);
    const { store, sites, lock } = await locked(a);
    a.setSkills([validDescriptor({ id: 'same' }), validDescriptor({ id: 'drifts', description: 'Other.' })]);
    await using client = clientOver(sites, { lock, store });
    await client.discover('a.example');
    expect((await client.changes()).records.map(({ kind }) => kind)).toEqual(['added', 'added']);
  });

  it('keeps the locked copy as it was while its publisher offers another', async () => {
    const a = providerOf('a.example', ['one']);
    const { store, sites, lock } = await locked(a);
    a.setSkills([validDescriptor({ id: 'one', version: '9.0.0' })]);
    await using client = clientOver(sites, { store, lock });
    await client.crawlAll(['a.example'], { cacheMode: 'refresh' });

    expect((await client.find()).records).toMatchObject([{ id: 'one', version: validDescriptor().version }]);
  });

  it.each([
    ['text', '{}'],
    ['a later format', { lockVersion: 2, skills: [] }],
    ['no list', { lockVersion: 1 }],
  ])('is not made with %s for a lock', (_, lock) => {
    expect(() => createClient({ lock: lock as Lock })).toThrow(/^lock: /);
  });
});

describe('verifyLock', () => {
  it('tells what has become of each locked skill', async () => {
    const a = providerOf('a.example', ['same', 'drifts', 'moves', 'goes', 'breaks']);
    const [b, c] = [providerOf('b.example', ['one']), providerOf('c.example', ['one'])];
    const { store, sites, lock } = await locked(a, b, c);
    const broken = validDescriptor({ id: 'breaks' });
    a.setSkills([
      validDescriptor({ id: 'same' }),
      validDescriptor({ id: 'drifts', description: 'Other.' }),
      validDescriptor({ id: 'moves', endpoint: { url: 'https://elsewhere.example/run' } }),
      { ...broken, auth: { type: 'magic' } } as never,
    ]);
    delete sites['b.example'];
    c.setSkills([validDescriptor({ id: 'other' })]);
    await using client = clientOver(sites, { store });

    const verdicts = await verdictsOf(client, lock);

    const summary = Object.fromEntries(
      verdicts.map(({ domain, id, state, code }) => [`${domain} ${id}`, [state, code]]),
    );
    expect(summary).toEqual({
      'a.example same': ['same', undefined],
      'a.example drifts': ['drift', undefined],
      'a.example moves': ['identity', undefined],
      'a.example goes': ['gone', undefined],
      'a.example breaks': ['unverified', 'VALIDATION_ERROR'],
      'b.example one': ['unverified', 'INDEX_NOT_FOUND'],
      'c.example one': ['gone', undefined],
    });
    const drift = verdicts.find(({ id }) => id === 'drifts');
    expect(drift).toMatchObject({
      locked: lock.skills.find(({ id }) => id === 'drifts'),
      found: { contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      fields: ['/description', '/descriptor/description'],
      members: [
        { field: '/description', old: validDescriptor().description, new: 'Other.' },
        { field: '/descriptor/description', old: validDescriptor().description, new: 'Other.' },
      ],
    });
    expect(verdicts.find(({ id }) => id === 'moves')?.members).toEqual([
      {
        field: '/descriptor/endpoint/url',
        old: validDescriptor().endpoint.url,
        new: 'https://elsewhere.example/run',
      },
    ]);
    expect(verdicts.find(({ id }) => id === 'breaks')?.message).toMatch(/auth/);
  });

  it('stores nothing, and asks the servers whatever is fresh', async () => {
    const a = providerOf('a.example', ['one']);
    const { store, sites, lock } = await locked(a);
    a.setSkills([validDescriptor({ id: 'one', version: '9.0.0' })]);
    const revision = store.revision();
    await using client = clientOver(sites, { store });
    a.requests.length = 0;

    for (const _ of [1, 2]) expect(await verdictsOf(client, lock)).toMatchObject([{ state: 'drift' }]);

    expect(store.revision()).toBe(revision);
    expect(a.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('names the members also where the registry has moved on, or was never there', async () => {
    const a = providerOf('a.example', ['one']);
    const { store, sites, lock } = await locked(a);
    a.setSkills([validDescriptor({ id: 'one', tags: ['other'] })]);
    await using informed = clientOver(sites, { store });
    await informed.crawlAll(['a.example'], { cacheMode: 'refresh' });

    for (const client of [informed, clientOver(sites)]) {
      const [verdict] = await verdictsOf(client, lock);
      expect(verdict).toMatchObject({ state: 'drift', fields: ['/descriptor/tags'] });
      expect(verdict).not.toHaveProperty('members');
    }
  });

  it('works for a client that has a lock itself', async () => {
    const a = providerOf('a.example', ['one']);
    const { store, sites, lock } = await locked(a);
    a.setSkills([validDescriptor({ id: 'one', version: '9.0.0' })]);
    await using client = clientOver(sites, { store, lock });

    expect(await verdictsOf(client, lock)).toMatchObject([{ state: 'drift', members: expect.any(Array) }]);
  });

  it('does not call a private skill gone that it cannot see', async () => {
    const skills = [validDescriptor({ id: 'hidden', access: 'private' })];
    const a = createProvider({ domain: 'a.example', name: 'A', skills, token: 'secret' });
    const store = createMemoryStore();
    const credentials = { 'https://a.example': { bearer: 'secret' } };
    await using seeing = clientOver(siteOf(a), { store, credentials });
    await seeing.crawlAll(['a.example']);
    const lock = await lockAll(seeing);
    await using blind = clientOver(siteOf(a), { store });

    expect(await verdictsOf(seeing, lock)).toMatchObject([{ state: 'same' }]);
    expect(await verdictsOf(blind, lock)).toMatchObject([{ state: 'unverified', code: 'AUTH_REQUIRED' }]);
    a.setSkills([]);
    expect(await verdictsOf(seeing, lock)).toMatchObject([{ state: 'gone' }]);
  });

  it('refuses what is no lock, and ends with its signal', async () => {
    const { sites, lock } = await locked(providerOf('a.example', ['one']));
    await using client = clientOver(sites, { clock: createManualClock() });
    await expect(verdictsOf(client, { lockVersion: 1, skills: [{}] } as never)).rejects.toThrow(/^lock: /);

    const verdicts = client.verifyLock(lock, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(verdicts.next()).rejects.toThrow('enough');
  });
});
