import { expect, it } from 'vitest';
import { indexEntry, validDescriptor } from '../../mocks/index.ts';
import type { SkillRecord } from '../../src/index.ts';
import { readSnapshotLine, snapshotEnd, snapshotHead, snapshotSkill } from '../../src/registry/index.ts';

const descriptor = validDescriptor();
const entry = indexEntry(descriptor, 'https://a.example');
const record: SkillRecord = {
  ...entry,
  domain: 'a.example',
  descriptor,
  descriptorUrl: entry.descriptor_url,
  fetchedAt: 1_767_225_600_000,
  freshUntil: 1_767_225_700_000,
  stale: false,
  warnings: [{ code: 'REFRESH_FAILED', message: 'of one look' }],
  view: 'anonymous',
  contentHash: 'f'.repeat(64),
};

it('says where a line begins, ends and what it holds', async () => {
  expect(await readSnapshotLine(snapshotHead(), {})).toEqual({
    ok: true,
    value: { kind: 'head', version: 1 },
  });
  expect(await readSnapshotLine(snapshotEnd(7), {})).toEqual({ ok: true, value: { kind: 'end', skills: 7 } });
});

it('takes of a skill what its publisher says, and nothing of when and how it was seen', async () => {
  const line = snapshotSkill(record);
  const { stale, contentHash, ...rest } = record;

  expect(line).not.toMatch(/1767225|REFRESH_FAILED|ffff/);
  expect(await readSnapshotLine(line, {})).toEqual({
    ok: true,
    value: {
      kind: 'skill',
      record: {
        ...rest,
        fetchedAt: 0,
        freshUntil: 0,
        origin: 'imported',
        // Its own: the id and the URL of the provider name another site.
        warnings: [
          expect.objectContaining({ code: 'FOREIGN_ID' }),
          expect.objectContaining({ code: 'FOREIGN_PROVIDER_URL' }),
        ],
      },
    },
  });
});

it('believes no marks of freshness, no hash and no warnings that a line brings along', async () => {
  const forged = { ...JSON.parse(snapshotSkill(record)), ...record, fetchedAt: 9e12, freshUntil: 9e12 };
  const line = JSON.stringify({ ...forged, entry: { ...entry, freshUntil: 9e12, origin: null } });

  expect(await readSnapshotLine(line, {})).toEqual(await readSnapshotLine(snapshotSkill(record), {}));
});

it('keeps no secrets of a URL', async () => {
  const line = snapshotSkill({ ...record, descriptorUrl: 'https://a.example/one.json?key=s3cret#x' });
  expect(await readSnapshotLine(line, {})).toMatchObject({
    value: { record: { descriptorUrl: 'https://a.example/one.json' } },
  });
});
