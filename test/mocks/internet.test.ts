import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../mocks/faults.ts';
import { createInternet, type InternetOptions, type MockInternet } from '../../mocks/internet.ts';
import { WELL_KNOWN_PATH } from '../../mocks/provider.ts';
import { type SkillIndex, validateSkillDescriptor, validateSkillIndex } from '../../src/protocol/index.ts';

const get = (internet: MockInternet, url: string) => internet.handle(new Request(url));
const indexOf = async (internet: MockInternet, domain: string): Promise<SkillIndex> =>
  (await get(internet, `https://${domain}${WELL_KNOWN_PATH}`)).json();

async function bytes(options: InternetOptions): Promise<string> {
  const internet = createInternet(options);
  const texts: string[] = [];
  for (const domain of internet.domains) {
    const response = await get(internet, `https://${domain}${WELL_KNOWN_PATH}`);
    texts.push(`${domain} ${response.status} ${await response.text()}`);
    for (const { id } of internet.expectation(domain).skills) texts.push(id);
  }
  return texts.join('\n');
}

test('the same seed gives the same bytes, another seed others', async () => {
  const options = { providers: 40, faulty: 0.5, faults: ['index-404', 'entry-duplicate-id'] } as const;
  const first = await bytes({ ...options, seed: 7 });
  expect(await bytes({ ...options, seed: 7 })).toBe(first);
  expect(await bytes({ ...options, seed: 8 })).not.toBe(first);
});

describe('good providers', () => {
  const internet = createInternet({ providers: 60, faulty: 0 });

  test('have valid documents that agree with the expectation', async () => {
    let bytes = 0;
    let descriptors = 0;
    for (const domain of internet.domains) {
      const index = await indexOf(internet, domain);
      expect(validateSkillIndex(index)).toMatchObject({ ok: true });
      const { status, skills } = internet.expectation(domain);
      expect(status).toBe('ok');
      expect(
        index.skills.map(({ id, capability_type, access }) => ({ id, capability_type, access })),
      ).toEqual(skills);
      for (const entry of index.skills) {
        const text = await (await get(internet, entry.descriptor_url)).text();
        const descriptor = JSON.parse(text);
        expect(validateSkillDescriptor(descriptor)).toMatchObject({ ok: true });
        const { descriptor_url, ...shared } = entry;
        expect(descriptor).toMatchObject(shared);
        bytes += text.length;
        descriptors += 1;
      }
    }
    expect(bytes / descriptors).toBeGreaterThan(2000);
    expect(bytes / descriptors).toBeLessThan(3500);
  });

  test('are of every kind, private skills among them', async () => {
    const visible = internet.domains.flatMap((domain) => internet.expectation(domain).skills);
    expect(new Set(visible.map((skill) => skill.capability_type)).size).toBe(4);
    expect(new Set(visible.map((skill) => skill.access))).toEqual(new Set(['public', 'restricted']));
  });
});

test('faulty providers are as many as asked for and say what is wrong with them', async () => {
  const { domains, expectation } = createInternet({
    providers: 400,
    faulty: 0.25,
    faults: ['index-html', 'descriptor-404'],
  });
  const outcomes = domains.map(expectation);
  const failed = outcomes.filter(({ status, code }) => status === 'failed' && code === 'HTML_INSTEAD');
  const partial = outcomes.filter(({ rejectedCode }) => rejectedCode === 'SKILL_NOT_FOUND');
  expect(failed.length).toBeGreaterThan(25);
  expect(partial.length).toBeGreaterThan(25);
  expect(failed.every(({ skills }) => skills.length === 0)).toBe(true);
  expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(400 - failed.length - partial.length);
});

test('ten thousand providers cost nothing until they are asked', async () => {
  const internet = createInternet({ providers: 10_000 });
  expect(new Set(internet.domains).size).toBe(10_000);
  const last = internet.domains.at(-1) ?? '';
  const before = internet.expectation(last);
  // More than are kept: the last one must be generated again, and alike.
  for (const domain of internet.domains.slice(0, 300)) internet.expectation(domain);
  expect(internet.expectation(last)).not.toBe(before);
  expect(internet.expectation(last)).toEqual(before);
});

test('the host decides, whatever the port; unknown hosts get 421', async () => {
  const internet = createInternet({ providers: 1, faulty: 0 });
  const response = await get(internet, `http://${internet.domains[0]}:8080${WELL_KNOWN_PATH}`);
  const index: SkillIndex = await response.json();
  expect(response.status).toBe(200);
  for (const { descriptor_url } of index.skills) {
    expect(new URL(descriptor_url).origin).toBe(`http://${internet.domains[0]}:8080`);
  }
  expect((await get(internet, 'https://other.example/')).status).toBe(421);
  expect(() => internet.expectation('other.example')).toThrow(RangeError);
});

test.each([
  { providers: -1 },
  { providers: 1.5 },
  { providers: 1, faulty: 2 },
  { providers: 1, faulty: Number.NaN },
])('%o is refused', (options) => {
  expect(() => createInternet(options)).toThrow(TypeError);
});

test('the default faults answer at once', () => {
  const { domains, expectation } = createInternet({ providers: 500, faulty: 1 });
  const slow = ['TIMEOUT', 'BODY_TOO_LARGE'];
  expect(domains.map(expectation).filter(({ code = '' }) => slow.includes(code))).toEqual([]);
  expect(Object.keys(FAULTS).length).toBeGreaterThan(80);
});
