import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StoredSkill, StoreQuery } from '../../src/registry/index.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { openSqliteStore, type SqliteStore } from '../../src/sqlite/index.ts';
import type { CacheEntry } from '../../src/transport/index.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

const everything: StoreQuery = {
  now: 0,
  includePrivate: true,
  trusted: false,
  descriptors: false,
  limit: 1_000,
  total: true,
  facets: false,
};
const skill = storedSkill();
/** For a start without the thread. */
const TOO_MUCH = 'x'.repeat(200_000);
let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skillscout-sqlite-'));
  path = join(directory, 'skills.db');
});
afterEach(() => rm(directory, { recursive: true }));

const entryOf = (text: string): CacheEntry => ({
  url: 'https://a.example/',
  redirects: ['https://b.example/'],
  headers: [['etag', '"1"']],
  text,
  bytes: 1_500,
  view: 'anonymous',
  fetchedAt: 1_000,
  freshUntil: 2_000.5,
});
/** Something is stored, so that the next store writes in a thread. */
async function seed(): Promise<void> {
  const store = await openSqliteStore({ path });
  await store.apply(updateOf([storedSkill({ domain: 'seed.example' })], { skills: [], listed: [] }));
  await store.close();
}

const totalOf = async (store: SqliteStore) => (await store.find(everything)).total;

describe('a store whose file another process writes', () => {
  it('waits for it, and reads meanwhile', async () => {
    const store = await openSqliteStore({ path });
    const other = await lockedByAnother();
    let turns = 0;
    let applied = false;
    const applying = store.apply(updateOf([skill])).then(() => {
      applied = true;
    });
    for (; turns < 1_000; turns++) {
      expect(await totalOf(store)).toBe(0);
      await new Promise(setImmediate);
    }
    expect(applied).toBe(false);
    await other.release();
    await applying;
    expect(await totalOf(store)).toBe(1);
    await store.close();
  });

  it('says so after a while, of all that waited', async () => {
    const store = await openSqliteStore({ path, busyTimeoutMs: 20 });
    const other = await lockedByAnother();
    const updates = ['a', 'b', 'c'].map((name) => updateOf([storedSkill({ domain: `${name}.example` })]));
    const results = await Promise.allSettled(updates.map((update) => store.apply(update)));
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'STORE_BUSY', retryable: true } });
    }
    await other.release();
    for (const update of updates) expect(await store.apply(update)).toMatchObject({ stored: 1 });
    await store.close();
  });

  /** A process that holds the write lock of the file until it is told to release it. */
  async function lockedByAnother() {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', LOCK, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return {
      release: async () => {
        child.stdin.end();
        await once(child, 'exit');
      },
    };
  }
});

const LOCK = `
  import { text } from 'node:stream/consumers';
  const driver = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'));
  const db = new driver.DatabaseSync(process.argv[1]);
  db.exec('BEGIN IMMEDIATE');
  process.stdout.write('locked');
  await text(process.stdin);
  db.exec('COMMIT');
`;

describe('many users of one file', () => {
  it('all see what one writes, as it is at some moment', async () => {
    await seed();
    const writer = await openSqliteStore({ path });
    const readers = await Promise.all([openSqliteStore({ path, readOnly: true }), openSqliteStore({ path })]);
    const revisions = readers.map((reader) => reader.revision());
    const looks = Array.from({ length: 50 }, (_, at) =>
      writer.apply(
        updateOf([
          storedSkill({ id: 'a', fetchedAt: at, description: `look ${at}` }),
          storedSkill({ id: 'b', fetchedAt: at, description: `look ${at}` }),
        ]),
      ),
    );
    let writing = true;
    const written = Promise.all(looks).then(() => {
      writing = false;
    });
    while (writing) {
      for (const reader of readers) {
        const { skills } = await reader.find(everything);
        expect(new Set(skills.map(({ entry }) => entry.description)).size).toBeLessThanOrEqual(1);
      }
      await new Promise(setImmediate);
    }
    await written;
    for (const [i, reader] of readers.entries()) {
      expect(reader.revision()).not.toBe(revisions[i]);
      expect((await reader.find(everything)).skills[0]?.entry.description).toBe('look 49');
      await reader.close();
    }
    await writer.close();
  });

  it('may write in turns', async () => {
    await seed();
    const stores = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })]);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        stores[i % 2]?.apply(updateOf([storedSkill({ domain: `d${i}.example` })])),
      ),
    );
    for (const store of stores) expect(await totalOf(store)).toBe(40);
    for (const store of stores) await store.close();
  });
});

describe('trusted answers', () => {
  it('see a rival behind many look-alikes of the same domain and many equal names of others', async () => {
    const store = await openSqliteStore({ path });
    const named = (domain: string, ...names: string[]) =>
      updateOf(
        names.map((name, i) => storedSkill({ domain, id: `${domain}${i}`, name, nameKey: 'look' })) as [
          StoredSkill,
        ],
      );
    const own = Array.from({ length: 40 }, (_, i) => `${i < 20 ? 'a' : 'z'}${i}`);
    await store.apply(named('m.example', 'm', ...own));
    for (let i = 0; i < 20; i++) await store.apply(named(`a${i}.example`, 'm'));
    const trusted = { ...everything, trusted: true, domains: ['m.example'] };
    expect((await store.find(trusted)).skills.map(({ entry }) => entry.name)).toEqual(['m']);
    await store.apply(named('b.example', 'other'));
    expect(await store.find(trusted)).toEqual({ skills: [], total: 0 });
    await store.close();
  });

  it('count many matches as they count few', async () => {
    const store = await openSqliteStore({ path });
    const skills = (domain: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        storedSkill({
          domain,
          id: i % 100 === 0 ? `shared${i}` : `${domain}${i}`,
          name: i % 50 === 1 ? `${domain} name` : `Name ${i}`,
          nameKey: i % 50 === 1 ? 'look' : `name ${i}`,
          access: i % 7 === 0 ? 'private' : i % 2 === 0 ? 'public' : 'restricted',
        }),
      ) as [StoredSkill];
    await store.apply(updateOf(skills('a.example', 5_500)));
    await store.apply(updateOf(skills('b.example', 300)));
    for (const includePrivate of [true, false]) {
      const query = { ...everything, limit: 10_000, includePrivate, facets: true };
      const all = (await store.find(query)).skills;
      const trusted = await store.find({ ...query, trusted: true });
      expect(trusted.skills).toEqual(all.filter(({ rivals }) => rivals === undefined));
      expect(trusted.total).toBe(trusted.skills.length);
      expect(trusted.total).toBeLessThan(all.length);
      const counts = Object.values(trusted.facets?.access ?? {});
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(trusted.total);
    }
    await store.close();
  });
});

describe('collisions', () => {
  it('are found among more keys than are gone through in one go', async () => {
    const store = await openSqliteStore({ path });
    const of = (domain: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        storedSkill({ domain, id: `s${String(i).padStart(5, '0')}` }),
      ) as [StoredSkill];
    await store.apply(updateOf(of('b.example', 21_000)));
    await store.apply(updateOf(of('a.example', 150)));
    await store.apply(updateOf([storedSkill({ domain: 'c.example', id: 's20999' })]));
    const { total, first } = await store.collisions();
    expect(total).toBe(151);
    expect(first).toHaveLength(100);
    expect(first[99]).toEqual({ id: 's00099', domains: ['a.example', 'b.example'] });
    await store.close();
  });
});

describe('a large update', () => {
  const large = (domain: string) =>
    updateOf(Array.from({ length: 450 }, (_, i) => storedSkill({ domain, id: `s${i}` })) as [StoredSkill]);

  it('is handed over in parts, between which others get their turn, and stored as a whole', async () => {
    const store = await openSqliteStore({ path });
    const applying = store.apply(large('large.example'));
    const turns: string[] = [];
    setImmediate(() => turns.push('other'));
    const small = store.apply(updateOf([skill])).then(() => turns.push('small'));
    const other = store.apply(large('other.example'));
    expect(await applying).toMatchObject({ stored: 450 });
    expect(await other).toMatchObject({ stored: 450 });
    expect(turns[0]).toBe('other');
    await small;
    expect(await totalOf(store)).toBe(901);
    await store.close();
  });

  it('is waited for by close', async () => {
    const store = await openSqliteStore({ path });
    const applying = store.apply(large('large.example'));
    await store.close();
    expect(await applying).toMatchObject({ stored: 450 });
  });
});

describe('revision', () => {
  it('stays while nothing is written', async () => {
    const store = await openSqliteStore({ path });
    await store.apply(updateOf([skill]));
    const before = store.revision();
    await totalOf(store);
    await store.apply(updateOf([skill]), { dryRun: true });
    expect(store.revision()).toBe(before);
    await store.apply(updateOf([skill]));
    expect(store.revision()).not.toBe(before);
    await store.close();
  });
});

describe('close', () => {
  it('waits for what was asked for', async () => {
    const store = await openSqliteStore({ path });
    const applying = Array.from({ length: 20 }, (_, i) =>
      store.apply(updateOf([storedSkill({ domain: `d${i}.example` })])),
    );
    await Promise.all([store.close(), store.close()]);
    for (const result of await Promise.all(applying)) expect(result.stored).toBe(1);
    await expect(store.find(everything)).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    await expect(store.apply(updateOf([skill]))).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(() => store.revision()).toThrow(expect.objectContaining({ code: 'CLIENT_CLOSED' }));
  });
});

describe('a failing update', () => {
  const domain = 'broken.example';
  const broken = updateOf([{ ...storedSkill({ domain }), authType: null as unknown as 'none' }]);

  it('leaves those that were asked for with it alone', async () => {
    const store = await openSqliteStore({ path });
    const good = ['a', 'b'].map((name) => updateOf([storedSkill({ domain: `${name}.example` })]));
    const results = await Promise.allSettled([...good, broken, ...good].map((update) => store.apply(update)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await totalOf(store)).toBe(2);
    expect((await store.find({ ...everything, words: ['skill'] })).total).toBe(2);
    await store.close();
  });

  it('leaves nothing of itself', async () => {
    const store = await openSqliteStore({ path });
    const half = {
      ...broken,
      skills: [storedSkill({ domain, id: 'good' }), ...broken.skills],
    };
    await expect(store.apply(half)).rejects.toThrow('NOT NULL');
    expect(await totalOf(store)).toBe(0);
    expect(await store.providers({ order: 'domain', limit: 1 })).toEqual({ providers: [], more: false });
    await store.close();
  });
});

describe('responses', () => {
  const entry = entryOf('{"a": "翻译"}'.repeat(100));

  it('are the same for a later process', async () => {
    const first = await openSqliteStore({ path });
    first.responses.set('long', entry);
    first.responses.set('short', { ...entry, text: '{}' });
    first.responses.set('gone', entry);
    first.responses.delete('gone');
    const { secret } = first.responses;
    expect(secret).toHaveLength(32);
    await first.close();

    const second = await openSqliteStore({ path, readOnly: true });
    expect(await second.responses.get('long')).toEqual(entry);
    expect(await second.responses.get('short')).toEqual({ ...entry, text: '{}' });
    expect(await second.responses.get('gone')).toBeUndefined();
    expect(second.responses.secret).toEqual(secret);
    await second.close();
  });

  it('are there before they are written', async () => {
    const { responses, close } = await opened();
    responses.set('key', entry);
    responses.set('key', { ...entry, view: 'acme' });
    expect(await responses.get('key')).toMatchObject({ view: 'acme' });
    responses.delete('key');
    expect(await responses.get('key')).toBeUndefined();
    await close();
  });

  it('keep those waiting who ask for more than can be written', async () => {
    const { responses, close } = await opened();
    const large = { ...entry, text: 'x'.repeat(5 * 1024 * 1024) };
    expect(responses.set('a', large)).toBeUndefined();
    const waiting = responses.set('b', large);
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect(responses.set('c', large)).toBeUndefined();
    expect(await responses.get('b')).toEqual(large);
    await close();
  });

  it('are not kept by a store that is only read', async () => {
    await (await openSqliteStore({ path })).close();
    const store = await openSqliteStore({ path, readOnly: true });
    await store.responses.set('key', entry);
    await new Promise(setImmediate);
    expect(await store.responses.get('key')).toBeUndefined();
    await store.close();
  });

  it('are forgotten with everything that is too old', async () => {
    const store = await openSqliteStore({ path });
    store.responses.set('old', { ...entry, fetchedAt: 499 });
    store.responses.set('new', { ...entry, fetchedAt: 500 });
    await store.apply(updateOf([skill], { forgetBefore: 500 }));
    expect(await store.responses.get('old')).toBeUndefined();
    expect(await store.responses.get('new')).toBeDefined();
    await store.close();
  });

  async function opened() {
    const store = await openSqliteStore({ path });
    return { responses: store.responses, close: () => store.close() };
  }
});

describe('the thread that writes', () => {
  /** Counts threads from now to the end of the test. */
  function countThreads() {
    const threads = { started: 0 };
    const count = () => void threads.started++;
    process.on('worker', count);
    onTestFinished(() => void process.off('worker', count));
    return threads;
  }

  const isName = ({ field }: { field: string }) => field === '/name';

  it('is started only when there is much to write, which then is written in the order of the requests', async () => {
    const threads = countThreads();
    const store = await openSqliteStore({ path });
    await store.apply(updateOf([skill]));
    expect(threads.started).toBe(0);
    const changes = await Promise.all([
      store.apply(updateOf([storedSkill({ name: 'second' })])),
      store.apply(updateOf([storedSkill({ name: 'third', description: TOO_MUCH })])),
      store.apply(updateOf([storedSkill({ name: 'fourth' })])),
    ]);
    expect(threads.started).toBe(1);
    const names = changes.map(({ changes: [change] }) => change?.members?.find(isName)?.new);
    expect(names).toEqual(['second', 'third', 'fourth']);
    await store.close();
  });

  it('is started at once where something is stored', async () => {
    await seed();
    const threads = countThreads();
    const store = await openSqliteStore({ path });
    await store.apply(updateOf([skill]));
    expect(threads.started).toBe(1);
    await store.close();
  });

  it('that cannot be started fails what waits for it', async () => {
    const threads = process.getBuiltinModule('node:worker_threads');
    const { Worker } = threads;
    onTestFinished(() => void Object.assign(threads, { Worker }));
    const store = await openSqliteStore({ path });
    const { DatabaseSync } = loadDriver();
    const other = new DatabaseSync(path, { readOnly: false });
    other.exec('BEGIN IMMEDIATE');
    Object.assign(threads, {
      Worker: class {
        constructor() {
          throw new Error('no more threads');
        }
      },
    });
    const ended = { code: 'STORE_FAILED', message: `the thread that writes ${path} has ended` };
    await expect(store.apply(updateOf([skill]))).rejects.toMatchObject(ended);
    await expect(store.apply(updateOf([skill]))).rejects.toMatchObject(ended);
    other.exec('COMMIT');
    other.close();
    expect(await totalOf(store)).toBe(0);
    await store.close();
  });
});

describe('a thread that has died', () => {
  it('takes with it what was asked for, and nothing hangs', async () => {
    const store = await openSqliteStore({ path });
    await store.apply(updateOf([skill]));
    await store.close();

    const left = await openSqliteStore({ path });
    process.once('worker', (worker: Worker) => void worker.terminate());
    const asked = Array.from({ length: 3 }, () =>
      left.apply(updateOf([storedSkill({ id: 'new', description: TOO_MUCH })])),
    );
    for (const applying of asked) await expect(applying).rejects.toThrow(`the thread that writes ${path}`);
    await expect(left.apply(updateOf([skill]))).rejects.toThrow(`the thread that writes ${path}`);
    left.responses.set('key', entryOf('{}'));
    expect(await totalOf(left)).toBe(1);
    await left.close();
  });
});
