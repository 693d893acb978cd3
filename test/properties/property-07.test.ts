import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mockProvider, protocolVersion, skillDescriptor } from '../../mocks/arbitraries.ts';
import { createProvider } from '../../mocks/index.ts';
import { type CapabilityType, type Client, createClient, type FindQuery } from '../../src/index.ts';
import { useMswInternet } from '../support/msw-internet.ts';

const internet = useMswInternet();
const TYPES: CapabilityType[] = ['plugin', 'api', 'knowledge', 'task'];
const collection = fc.uniqueArray(mockProvider(skillDescriptor({ protocol: protocolVersion(1) })), {
  selector: ({ domain }) => domain,
  minLength: 1,
  maxLength: 4,
});

async function findAll(client: Client, query: FindQuery) {
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await client.find({ ...query, ...(cursor !== undefined && { cursor }) });
    found.push(...page.records);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

// Seen to catch: a filter that compares a prefix of the type; a page that loses its last record; a query that gives out
// private skills without being asked.
it('Feature: skill-sharing-protocol, Property 7: a capability filter is sound and complete', async () => {
  await fc.assert(
    fc.asyncProperty(collection, fc.integer({ min: 1, max: 5 }), async (published, limit) => {
      const providers = published.map((options) => createProvider(options));
      internet.mount(Object.fromEntries(providers.map(({ domain, handle }) => [domain, handle])));
      const credentials = Object.fromEntries(
        published.map(({ domain, token }) => [`https://${domain}`, { bearer: token }]),
      );
      await using client = createClient({ credentials });
      await client.crawlAll(providers.map(({ domain }) => domain));

      for (const capabilityType of TYPES) {
        for (const includePrivate of [false, true]) {
          const expected = providers.flatMap(({ domain, skills }) =>
            skills
              .filter((skill) => skill.capability_type === capabilityType)
              .filter((skill) => includePrivate || skill.access !== 'private')
              .map(({ id }) => JSON.stringify([domain, id])),
          );
          const found = await findAll(client, { capabilityType, includePrivate, limit });
          expect(found.every((skill) => skill.capability_type === capabilityType)).toBe(true);
          expect(found.map(({ domain, id }) => JSON.stringify([domain, id])).sort()).toEqual(expected.sort());
        }
      }
    }),
    { numRuns: 100 },
  );
});
