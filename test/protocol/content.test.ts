import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { completeDescriptor, validDescriptor, validEntry } from '../../mocks/index.ts';
import { canonicalJson } from '../../src/protocol/canonical.ts';
import { contentHash, contentOf } from '../../src/protocol/content.ts';

it('is what index and descriptor say, and nothing of how they were read', () => {
  const record = { ...validEntry(), domain: 'a.example', fetchedAt: 1, stale: false, warnings: [] };

  expect(contentOf(record, validDescriptor())).toEqual({ ...validEntry(), descriptor: validDescriptor() });
});

it('is hashed as SHA-256 of its canonical JSON', async () => {
  const text = canonicalJson({ ...validEntry(), descriptor: completeDescriptor() });

  expect(await contentHash(validEntry(), completeDescriptor())).toBe(
    createHash('sha256').update(text).digest('hex'),
  );
});

it.each(['id', 'name', 'capability_type', 'description', 'descriptor_url', 'access', 'version'] as const)(
  'changes with the %s of the entry',
  async (member) => {
    const changed = { ...validEntry(), [member]: `${validEntry()[member]}x` };

    expect(await contentHash(changed as never, {})).not.toBe(await contentHash(validEntry(), {}));
  },
);

it('has the same hash exactly where the descriptors are equal JSON', async () => {
  const hash = (descriptor: unknown) => contentHash(validEntry(), descriptor);
  const value = fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify(json)));
  await fc.assert(
    fc.asyncProperty(value, value, async (a, b) => {
      expect((await hash(a)) === (await hash(b))).toBe(canonicalJson(a) === canonicalJson(b));
    }),
  );
  expect(await hash({ a: 1, b: [0] })).toBe(await hash({ b: [-0], a: 1 }));
  expect(await hash(JSON.parse('{"__proto__":{}}'))).not.toBe(await hash({}));
  expect(await hash({ a: '\ud800' })).not.toBe(await hash({ a: '\ufffd' }));
});
