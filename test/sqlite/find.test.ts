import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SkillPosition, StoredSkill, StoreQuery } from '../../src/registry/index.ts';
import { passes, rankOf } from '../../src/registry/index.ts';
import { parseVersionRange } from '../../src/registry/version-range.ts';
import type { Connection } from '../../src/sqlite/connection.ts';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { openToRead, openToWrite } from '../../src/sqlite/file.ts';
import { find } from '../../src/sqlite/find.ts';
import { Writer } from '../../src/sqlite/writer.ts';
import { storedSkill, updateOf } from '../support/stored-skill.ts';

/** More than are looked at one by one, so that most conditions are followed through the index of words. */
const SKILLS = 3_000;
const SEED = 20;

const word = fc.constantFrom('weather', 'weathered', 'we', 'translate', 'translation', 'tr', '翻译', '服务');
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const skills: StoredSkill[] = fc
  .sample(
    fc.record({
      name: text,
      description: text,
      version: fc.constantFrom('1.0.0', '1.2.0', '1.2.0-rc.1', '2.0.0', '2.0.0-beta', '10.0.0'),
      capability_type: fc.constantFrom('api', 'task'),
      access: fc.constantFrom('public', 'private'),
      freshUntil: fc.nat(9),
      tags: fc.uniqueArray(word, { maxLength: 2 }),
      protocolVersion: fc.constantFrom('1.0.0', '1.9.0'),
      auth: fc.constantFrom({ type: 'none' as const }, { type: 'oauth2' as const }),
    }),
    { numRuns: SKILLS, seed: SEED },
  )
  .map((parts, i) =>
    // Some beginnings have more words than are asked for one by one.
    storedSkill({ ...parts, id: `s${i}`, description: `${parts.description} number${i % 70}` }),
  );

const ranges = ['*', '>1.2.0', '<2.0.0', '>=1.2.0', '^1.0.0', '>=1.2.0-alpha <2', '2.0.0-beta || 10', '<1'];
const spans = new Map(
  await Promise.all(ranges.map(async (range) => [range, await parseVersionRange('version', range)] as const)),
);
const span = fc.constantFrom(...ranges).map((range) => spans.get(range) ?? []);
const queries: fc.Arbitrary<StoreQuery> = fc.record(
  {
    words: fc.array(
      fc.oneof(word, fc.constantFrom('w', 'weath', 'weathe', 'transla', '翻', 'number', 'number1', 'none')),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
    versions: span,
    protocolVersions: span,
    freshness: fc.constantFrom('fresh', 'stale'),
    capabilityTypes: fc.constantFrom(['api'], ['api', 'task']),
    access: fc.constantFrom(['private'], ['public'], ['public', 'restricted']),
    authTypes: fc.constantFrom(['oauth2'], ['none', 'oauth2'], ['custom']),
    domains: fc.constantFrom(['a.example'], ['a.example', 'b.example']),
    tags: fc.constantFrom(['we'], ['翻译']),
    after: fc.record({ rank: fc.nat(3), number: fc.nat(SKILLS) }),
    now: fc.nat(10),
    includePrivate: fc.boolean(),
    trusted: fc.constant(false),
    descriptors: fc.boolean(),
    limit: fc.constantFrom(1, 20, 1_000),
    total: fc.constant(true),
    facets: fc.boolean(),
  },
  { requiredKeys: ['now', 'includePrivate', 'trusted', 'descriptors', 'limit', 'total', 'facets'] },
) as fc.Arbitrary<StoreQuery>;

let directory: string;
let reader: Connection;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skillscout-find-'));
  const file = join(directory, 'skills.db');
  reader = await openToRead({ file, readOnly: false, busyTimeoutMs: 0 });
  const db = openToWrite(await loadDriver(), { file, busyTimeoutMs: 0 });
  const outcomes = new Writer(db).runBatch(
    { kind: 'apply', update: updateOf(skills as [StoredSkill]) },
    () => undefined,
  );
  expect(outcomes).toMatchObject([{ result: { stored: SKILLS } }]);
  db.close();
});
afterAll(async () => {
  reader.close();
  await rm(directory, { recursive: true });
});

describe('find', () => {
  it('answers from its indexes as going through all skills does', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const { after, limit, descriptors } = query;
        const matching = skills
          .flatMap((skill, i) => {
            const rank = passes(query, skill) ? rankOf(query, skill) : undefined;
            return rank === undefined ? [] : [{ skill, rank, number: i + 1 }];
          })
          .sort(compare);
        const following = matching.filter((match) => after === undefined || compare(match, after) > 0);
        const last = following[limit - 1];
        const page = find(reader, query);
        expect(page.total).toBe(matching.length);
        expect(page.skills).toEqual(
          following.slice(0, limit).map(({ skill: { entry, contentHash, descriptor } }) => ({
            entry,
            contentHash,
            ...(descriptors && { descriptor }),
          })),
        );
        expect(page.next).toEqual(
          following.length > limit ? { rank: last?.rank, number: last?.number } : undefined,
        );
        if (!query.facets) return;
        expect(page.facets).toEqual({
          capabilityType: countsOf(matching.map(({ skill }) => skill.entry.capability_type)),
          access: countsOf(matching.map(({ skill }) => skill.entry.access)),
          authType: countsOf(matching.map(({ skill }) => skill.authType)),
        });
      }),
      { numRuns: 300 },
    );
  });
});

function compare(a: SkillPosition, b: SkillPosition): number {
  return a.rank - b.rank || a.number - b.number;
}

function countsOf(values: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
