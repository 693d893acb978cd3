import { expect, it } from 'vitest';
import { type MockSite, WELL_KNOWN_PATH } from '../../mocks/index.ts';
import { createClient, type SkillRecord } from '../../src/index.ts';
import { clientOver } from './support.ts';

const DOMAINS = 500;
const SKILLS = 20;

interface Planted {
  id?: string;
  name?: string;
  url?: string;
}

/** What is planted, by domain and position, and the codes that it must get. */
const planted = new Map<string, Planted & { codes: string[] }>();
const plant = (domain: number, position: number, skill: Planted, ...codes: string[]) =>
  planted.set(`${domain}/${position}`, { ...skill, codes });
const ownId = (domain: number, position: number) => `com.pub${domain}.tool-${position}`;

// Ten of each of four kinds; where two skills clash, both are concerned.
for (let i = 0; i < 5; i++) {
  plant(i, 0, { id: `shared-tool-${i}x` }, 'ID_COLLISION');
  plant(100 + i, 0, { id: `shared-tool-${i}x` }, 'ID_COLLISION');
  plant(200 + i, 1, { id: `com.victim${i}.billing` }, 'FOREIGN_ID');
  plant(210 + i, 1, { url: `https://victim${i}.com/` }, 'FOREIGN_PROVIDER_URL');
}
const LOOKALIKES = [
  ['paypal-helper', 'p\u0430ypal-helper', 'MIXED_SCRIPT'],
  ['Report-Writer', 'report-writer'],
  ['wide-tool', '\uff57\uff49\uff44\uff45-tool'],
  ['login-c1ient', 'login-client'],
  ['modern-tool', 'rnodern-tool'],
] as const;
for (const [i, [id, other, ...more]] of LOOKALIKES.entries()) {
  plant(300 + i, 2, { id }, 'ID_LOOKALIKE');
  plant(310 + i, 2, { id: other }, 'ID_LOOKALIKE', ...more);
  plant(400 + i, 3, { name: `Uniquely ${id}` }, 'NAME_LOOKALIKE');
  plant(410 + i, 3, { name: `Uniquely ${other}` }, 'NAME_LOOKALIKE', ...more);
}

const descriptorOf = (domain: number, position: number) => {
  const { id = ownId(domain, position), name, url } = planted.get(`${domain}/${position}`) ?? {};
  return {
    protocol: { version: '1.0.0' },
    id,
    name: name ?? `Tool ${position} of publisher ${domain}`,
    version: '1.0.0',
    capability_type: 'api',
    description: 'Does a thing.',
    provider: { name: `Publisher ${domain}`, url: url ?? `https://www.pub${domain}.com/` },
    endpoint: { url: `https://api.pub${domain}.com/run` },
    inputs: [],
    output: {},
    auth: { type: 'none' },
    access: 'public',
  };
};

const site =
  (domain: number): MockSite =>
  async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname !== WELL_KNOWN_PATH) return Response.json(descriptorOf(domain, Number(pathname.slice(1))));
    const skills = Array.from({ length: SKILLS }, (_, position) => {
      const { id, name, version, capability_type, description, access } = descriptorOf(domain, position);
      const descriptor_url = `https://skills.pub${domain}.com/${position}`;
      return { id, name, version, capability_type, description, access, descriptor_url };
    });
    return Response.json({ protocol: { version: '1.0.0' }, provider: { name: 'P' }, skills });
  };

const expected = [...planted].map(([place, { codes }]) => `${place} ${[...codes].sort().join(' ')}`).sort();

function flagged(records: SkillRecord[]): string[] {
  return records
    .filter(({ warnings }) => warnings.length > 0)
    .map(({ domain, descriptor_url, warnings }) => {
      const place = `${/\d+/.exec(domain)?.[0]}/${descriptor_url.split('/').at(-1)}`;
      return `${place} ${warnings
        .map(({ code }) => code)
        .sort()
        .join(' ')}`;
    })
    .sort();
}

async function allOf(client: ReturnType<typeof createClient>, trusted = false): Promise<SkillRecord[]> {
  const all: SkillRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.find({
      include: 'descriptor',
      trusted,
      limit: 1000,
      ...(cursor && { cursor }),
    });
    all.push(...page.records);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}

it('finds forty planted clashes, claims and look-alikes among ten thousand skills, and nothing else, in any order', async () => {
  expect(planted.size).toBe(40);
  const sites = Object.fromEntries(
    Array.from({ length: DOMAINS }, (_, domain) => [`skills.pub${domain}.com`, site(domain)]),
  );
  await using client = clientOver(sites);
  const report = await client.crawlAll(Object.keys(sites));
  expect(report).toMatchObject({
    skills: { accepted: DOMAINS * SKILLS, rejected: 0 },
    collisions: { total: 10 },
  });
  expect(flagged(await allOf(client))).toEqual(expected);
  expect(await allOf(client, true)).toHaveLength(DOMAINS * SKILLS - planted.size);

  // The other way round: domain by domain, the last one first.
  const lines: string[] = [];
  for await (const line of client.export()) lines.push(line);
  const [head = '', ...rest] = lines;
  const end = rest.pop() ?? '';
  await using reversed = createClient();
  await reversed.import([head, ...rest.reverse(), end].map((line) => `${line}\n`));
  expect(flagged(await allOf(reversed))).toEqual(expected);
}, 240_000);
