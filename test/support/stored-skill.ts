import type { ProviderUpdate, StoredSkill } from '../../src/registry/index.ts';

type Parts = Partial<Omit<StoredSkill, 'descriptor'>> & {
  auth?: StoredSkill['descriptor']['auth'];
  tags?: string[];
};

/** A record as the crawl would hand it on; what is not given is plain. */
export function storedSkill({ auth = { type: 'none' }, tags, ...parts }: Parts = {}): StoredSkill {
  const entry = {
    domain: 'a.example',
    id: 'com.example.skill-v1',
    name: 'A skill',
    capability_type: 'api' as const,
    description: 'Does a thing.',
    descriptor_url: 'https://a.example/skill.json',
    access: 'public' as const,
    version: '1.0.0',
    ...parts,
  };
  return {
    fetchedAt: 1_000,
    freshUntil: 2_000,
    warnings: [],
    descriptorUrl: entry.descriptor_url,
    view: 'anonymous',
    ...entry,
    descriptor: {
      protocol: { version: '1.0.0' },
      id: entry.id,
      name: entry.name,
      version: entry.version,
      capability_type: entry.capability_type,
      description: entry.description,
      provider: { name: 'Example' },
      endpoint: { url: 'https://a.example/run' },
      inputs: [],
      output: {},
      auth,
      access: entry.access,
      ...(tags && { tags }),
    },
  };
}

/** One good look at the domain of `skills` that lists just these. */
export function updateOf(
  skills: [StoredSkill, ...StoredSkill[]],
  parts: Partial<ProviderUpdate> = {},
): ProviderUpdate {
  const { domain, view, fetchedAt } = skills[0];
  return { domain, view, at: fetchedAt, skills, listed: skills.map(({ id }) => id), ...parts };
}
