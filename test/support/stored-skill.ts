import { createHash } from 'node:crypto';
import { type AuthConfig, CLAIM_CODES, canonicalJson, contentOf } from '../../src/protocol/index.ts';
import type { FoundSkill, ProviderUpdate, StoredEntry, StoredSkill } from '../../src/registry/index.ts';

type Parts = Partial<StoredEntry> & {
  auth?: AuthConfig;
  tags?: string[];
  protocolVersion?: string;
  /** What id and name look like; by default themselves in lower case. */
  idKey?: string;
  nameKey?: string;
  /** Further members of the descriptor. */
  descriptor?: Record<string, unknown>;
};

/** A skill as the client would hand it on; what is not given is plain. */
export function storedSkill({
  auth = { type: 'none' },
  tags,
  protocolVersion = '1.0.0',
  descriptor: members,
  idKey,
  nameKey,
  ...parts
}: Parts = {}): StoredSkill {
  const entry: StoredEntry = {
    domain: 'a.example',
    id: 'com.example.skill-v1',
    name: 'A skill',
    capability_type: 'api',
    description: 'Does a thing.',
    descriptor_url: 'https://a.example/skill.json',
    access: 'public',
    version: '1.0.0',
    fetchedAt: 1_000,
    freshUntil: 2_000,
    warnings: [],
    descriptorUrl: 'https://a.example/skill.json',
    view: 'anonymous',
    ...parts,
  };
  const { id, name, capability_type, description, access, version } = entry;
  const descriptor = {
    protocol: { version: protocolVersion },
    id,
    name,
    version,
    capability_type,
    description,
    provider: { name: 'Example' },
    endpoint: { url: 'https://a.example/run' },
    inputs: [],
    output: {},
    auth,
    access,
    ...(tags && { tags }),
    ...members,
  };
  return {
    entry,
    descriptor: JSON.stringify(descriptor),
    authType: auth.type,
    protocolVersion,
    tags: [...new Set(tags)],
    contentHash: createHash('sha256')
      .update(canonicalJson(contentOf(entry, descriptor)))
      .digest('hex'),
    idKey: idKey ?? id.toLowerCase(),
    nameKey: nameKey ?? name.toLowerCase(),
    isFlagged:
      entry.origin !== undefined ||
      entry.warnings.some(({ code }) => (CLAIM_CODES as readonly string[]).includes(code)),
  };
}

/** A skill as a store gives it out, where it has no rivals. */
export function foundSkill({ entry, contentHash, descriptor }: StoredSkill): FoundSkill {
  return { entry, contentHash, descriptor };
}

/** One good look at the domain of `skills` that lists just these. */
export function updateOf(
  skills: [StoredSkill, ...StoredSkill[]],
  parts: Partial<ProviderUpdate> = {},
): ProviderUpdate {
  const { domain, view, fetchedAt } = skills[0].entry;
  return {
    domain,
    view,
    at: fetchedAt,
    status: 'ok',
    skills,
    standIns: [],
    listed: skills.map(({ entry }) => entry.id),
    forgetBefore: 0,
    ...parts,
  };
}
