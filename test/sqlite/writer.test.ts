import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderUpdate } from '../../src/registry/index.ts';
import type { Connection } from '../../src/sqlite/connection.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { storeError } from '../../src/sqlite/errors.ts';
import { openToRead, openToWrite } from '../../src/sqlite/file.ts';
import { type WriteOutcome, type WriteRequest, Writer } from '../../src/sqlite/writer.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

let directory: string;
let reader: Connection;
let db: Connection;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skillscout-writer-'));
  const file = join(directory, 'skills.db');
  reader = await openToRead({ file, readOnly: false, busyTimeoutMs: 0 });
  db = openToWrite(await loadDriver(), { file, busyTimeoutMs: 0 });
});
afterEach(async () => {
  db.close();
  reader.close();
  await rm(directory, { recursive: true });
});

const count = (table: string) => reader.get(`SELECT count(*) AS count FROM ${table}`)?.count;
const apply = (update: ProviderUpdate): WriteRequest => ({ kind: 'apply', update });
const isDone = (outcome: WriteOutcome) => !('error' in outcome);

function run(writer: Writer, ...updates: [ProviderUpdate, ...ProviderUpdate[]]): WriteOutcome[] {
  const [first, ...others] = updates.map(apply) as [WriteRequest];
  return writer.runBatch(first, () => (others as WriteRequest[]).shift());
}

/** `size` skills with many words of their own. */
function largeUpdate(domain: string, size: number): ProviderUpdate {
  const skills = Array.from({ length: size }, (_, i) =>
    storedSkill({ domain, id: `${i}`, description: `${domain} ${i} `.repeat(20), fetchedAt: 1_000 }),
  );
  return updateOf(skills as [ReturnType<typeof storedSkill>]);
}

describe('runBatch', () => {
  it('writes all in one transaction', () => {
    const before = Number(reader.pragma('data_version'));
    const seen: unknown[] = [];
    const requests = ['b', 'c'].map((name) => apply(updateOf([storedSkill({ domain: `${name}.example` })])));
    const outcomes = new Writer(db).runBatch(apply(updateOf([storedSkill()])), () => {
      seen.push(count('skills'));
      return requests.shift();
    });
    expect(outcomes.every(isDone)).toBe(true);
    expect(seen).toEqual([0, 0, 0]);
    expect(count('skills')).toBe(3);
    expect(Number(reader.pragma('data_version'))).not.toBe(before);
  });

  it('writes no word twice into the list of words, and none that was undone', () => {
    const writer = new Writer(db);
    const broken = { ...storedSkill({ id: 'b', name: 'undone' }), authType: null as unknown as 'none' };
    const named = (id: string) =>
      updateOf([storedSkill({ domain: `${id}.example`, id: 'a', name: 'undone' })]);
    expect(run(writer, updateOf([broken])).map(isDone)).toEqual([false]);
    expect(count('terms')).toBe(0);
    expect(run(writer, named('a'), named('b')).map(isDone)).toEqual([true, true]);
    expect(reader.all("SELECT term FROM terms WHERE term LIKE 'undone'")).toHaveLength(1);
  });

  it('knows which keys are shared, as long as they are', () => {
    const writer = new Writer(db);
    const put = (name: string, at: number, parts: Parameters<typeof storedSkill>[0]) =>
      run(writer, updateOf([storedSkill({ domain: `${name}.example`, fetchedAt: at, ...parts })]));
    const shared = () =>
      ['id', 'name'].map((kind) => reader.all(`SELECT key FROM shared_${kind}_keys`).map(({ key }) => key));
    put('a', 1, { id: 'x', name: 'N' });
    put('a', 2, { id: 'x', name: 'n' });
    put('b', 2, { id: 'y', name: 'n' });
    expect(shared()).toEqual([[], []]);
    put('c', 3, { id: 'X', name: 'N' });
    expect(shared()).toEqual([['x'], ['n']]);
    put('c', 4, { id: 'X', name: 'N', access: 'private' });
    expect(shared()).toEqual([['x'], ['n']]);
    put('a', 5, { id: 'z', name: 'other' });
    expect(shared()).toEqual([[], ['n']]);
    run(writer, {
      ...updateOf([storedSkill({ domain: 'b.example', id: 'new', fetchedAt: 6 })]),
      listed: ['new'],
    });
    expect(shared()).toEqual([[], []]);
  });

  it('forgets the words that no skill has any more', () => {
    const writer = new Writer(db);
    const named = (domain: string, name: string, at: number) =>
      updateOf([storedSkill({ domain, name, description: '', fetchedAt: at })]);
    const terms = () => reader.all("SELECT term FROM terms WHERE term LIKE 'w%'").map(({ term }) => term);
    run(writer, named('a.example', 'W1 w2', 1), named('b.example', 'w2 w3', 1));
    expect(terms()).toEqual(['w1', 'w2', 'w3']);
    run(writer, named('a.example', 'w4', 2));
    expect(terms()).toEqual(['w2', 'w3', 'w4']);
    run(writer, { ...named('b.example', '', 2), skills: [], listed: [] });
    expect(terms()).toEqual(['w4']);
    run(writer, named('c.example', 'w1', 3));
    expect(terms()).toEqual(['w1', 'w4']);
  });

  it('forgets the oldest responses where all of them take too much', () => {
    const maxResponseBytes = 40_000;
    const writer = new Writer(db, { maxResponseBytes });
    const keep = (i: number): WriteRequest => ({
      kind: 'keep',
      key: `https://a.example/${i % 90}`,
      entry: {
        url: `https://a.example/${i % 90}`,
        redirects: [],
        headers: [['etag', `"${i}"`]],
        text: randomBytes(300).toString('base64url'),
        bytes: 400,
        view: 'anonymous',
        fetchedAt: i,
        freshUntil: i,
      },
    });
    for (let i = 0; i < 100; i++) writer.runBatch(keep(i), () => undefined);
    const taken = () =>
      reader.get('SELECT sum(length(key) + length(entry) + length(body)) AS bytes FROM responses')?.bytes;
    const total = () => reader.get('SELECT total FROM response_bytes')?.total;
    expect(taken()).toBeLessThanOrEqual(maxResponseBytes);
    expect(taken()).toBeGreaterThan(maxResponseBytes / 2);
    expect(total()).toBe(taken());
    expect(reader.get('SELECT max(fetched_at) AS newest FROM responses')?.newest).toBe(99);
    expect(reader.get('SELECT min(fetched_at) AS oldest FROM responses')?.oldest).toBeGreaterThan(20);
    writer.runBatch({ kind: 'drop', key: 'https://a.example/9' }, () => undefined);
    expect(total()).toBe(taken());
  });

  it('keeps as many old changes and responses as one step does not delete', () => {
    const writer = new Writer(db);
    run(writer, largeUpdate('a.example', 250));
    const old = { ...largeUpdate('b.example', 1), at: 2_000, forgetBefore: 1_500 };
    expect(count('changes')).toBe(250);
    run(writer, old);
    expect(count('changes')).toBe(147);
    run(writer, old, old);
    expect(count('changes')).toBe(1);
  });
});

describe('a disk that is full', () => {
  it('takes what fits, and is whole when there is room again', () => {
    const writer = new Writer(db);
    run(writer, largeUpdate('first.example', 10));
    const pages = Number(db.pragma('page_count'));
    db.pragma(`max_page_count = ${pages + 8}`);
    const large = largeUpdate('large.example', 200);
    const small = updateOf([storedSkill({ domain: 'small.example' })]);
    const outcomes = run(writer, small, large);
    expect(outcomes.map(isDone)).toEqual([true, false]);
    const [, failed] = outcomes as [unknown, { error: unknown }];
    expect(storeError(failed.error, 'skills.db')).toMatchObject({ code: 'STORE_FULL' });
    expect(run(writer, small).every(isDone)).toBe(true);
    expect(count('skills')).toBe(11);
    expect(count('providers')).toBe(2);

    db.pragma(`max_page_count = ${pages * 100}`);
    expect(run(writer, large).every(isDone)).toBe(true);
    expect(count('skills')).toBe(211);
    expect(reader.get(`SELECT count(*) AS count FROM words WHERE words MATCH '"2example"'`)?.count).toBe(210);
    expect(db.pragma('integrity_check')).toBe('ok');
  });
});
