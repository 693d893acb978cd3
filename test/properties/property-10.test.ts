import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mockProvider, protocolSemVer, protocolVersion, skillDescriptor } from '../../mocks/arbitraries.ts';
import { createProvider, descriptorPath } from '../../mocks/index.ts';
import { createClient } from '../../src/index.ts';
import { useMswInternet } from '../support/msw-internet.ts';

const internet = useMswInternet();
const major = fc.integer({ min: 0, max: 3 });
const supported = major.chain((number) => protocolSemVer(number));
const published = mockProvider(
  skillDescriptor({
    access: fc.constantFrom('public', 'restricted'),
    protocol: fc.oneof(
      major.chain((number) => protocolVersion(number)),
      protocolVersion(),
    ),
  }),
);

// Seen to catch: judging by MINOR too; accepting a lower MAJOR; the schema judged before the version, so that documents of
// another shape end as VALIDATION_ERROR.
it('Feature: skill-sharing-protocol, Property 10: a descriptor is taken exactly when its MAJOR is the supported one', async () => {
  await fc.assert(
    fc.asyncProperty(published, supported, fc.boolean(), async (options, protocolVersion, reshaped) => {
      const provider = createProvider({ ...options, protocolVersion });
      const sameMajor = (version: string) => version.split('.')[0] === protocolVersion.split('.')[0];
      const shapes = new Map(
        provider.skills
          .filter(({ protocol }) => reshaped && !sameMajor(protocol.version))
          .map(({ id, protocol }) => [new URL(descriptorPath(id), 'https://any').pathname, { protocol }]),
      );
      internet.mount({
        [provider.domain]: async (request) => {
          const shape = shapes.get(new URL(request.url).pathname);
          return shape ? Response.json(shape) : provider.handle(request);
        },
      });

      await using client = createClient({ protocolVersion });
      const outcome = await client.discover(provider.domain);

      const taken = provider.skills.filter(({ protocol }) => sameMajor(protocol.version));
      expect(outcome.skills.map(({ id }) => id)).toEqual(taken.map(({ id }) => id));
      expect(outcome.rejected.map(({ id, code, details }) => ({ id, code, details }))).toMatchObject(
        provider.skills
          .filter((skill) => !taken.includes(skill))
          .map(({ id, protocol }) => ({
            id,
            code: 'VERSION_INCOMPATIBLE',
            details: {
              descriptor_version: protocol.version,
              consumer_supported_range: `${protocolVersion.split('.')[0]}.x.x`,
            },
          })),
      );
    }),
    { numRuns: 100 },
  );
});
