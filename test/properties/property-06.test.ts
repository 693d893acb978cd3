import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mockProvider, protocolVersion, skillDescriptor } from '../../mocks/arbitraries.ts';
import { createProvider } from '../../mocks/index.ts';
import { createClient, type ProviderOutcome, validateSkillDescriptor } from '../../src/index.ts';
import { canonical } from '../support/canonical.ts';
import { useMswInternet } from '../support/msw-internet.ts';

const internet = useMswInternet();
const published = mockProvider(skillDescriptor({ protocol: protocolVersion(1) }));

// Seen to catch: a provider that lists private skills to anonymous callers; a client that drops `restricted` entries; a
// client that sends no credential; a client that shares one cached index between the two views.
it('Feature: skill-sharing-protocol, Property 6: an index shows each caller what it may see, and every entry leads to a valid descriptor', async () => {
  await fc.assert(
    fc.asyncProperty(published, async (options) => {
      const provider = createProvider(options);
      internet.mount({ [provider.domain]: provider.handle });
      const expectSkills = (outcome: ProviderOutcome, skills: typeof provider.skills) => {
        expect(outcome).toMatchObject({ status: 'ok', rejected: [] });
        expect(outcome.skills.map(({ id }) => id)).toEqual(skills.map(({ id }) => id));
        for (const [position, { descriptor, access }] of outcome.skills.entries()) {
          expect(validateSkillDescriptor(descriptor).ok).toBe(true);
          expect(canonical(descriptor)).toBe(canonical(skills[position]));
          expect(access).toBe(skills[position]?.access);
        }
        expect(outcome.requests).toBe(skills.length + 1);
      };

      await using anonymous = createClient();
      expectSkills(
        await anonymous.discover(provider.domain),
        provider.skills.filter(({ access }) => access !== 'private'),
      );

      const origin = `https://${provider.domain}`;
      await using authenticated = createClient({ credentials: { [origin]: { bearer: options.token } } });
      expectSkills(await authenticated.discover(provider.domain), provider.skills);
      expectSkills(await authenticated.discover(provider.domain, { cacheMode: 'bypass' }), provider.skills);
    }),
    { numRuns: 100 },
  );
});
