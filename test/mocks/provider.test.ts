import { describe, expect, test } from 'vitest';
import { validDescriptor } from '../../mocks/documents.ts';
import {
  createProvider,
  descriptorPath,
  type ProviderOptions,
  WELL_KNOWN_PATH,
} from '../../mocks/provider.ts';
import type { SkillIndex } from '../../src/protocol/index.ts';

const open = validDescriptor({ id: 'open' });
const limited = validDescriptor({ id: 'limited', access: 'restricted' });
const secret = validDescriptor({ id: 'secret', access: 'private' });

const provider = (options: Partial<ProviderOptions> = {}) =>
  createProvider({
    domain: 'a.example',
    name: 'A',
    skills: [open, limited, secret],
    token: 'right',
    ...options,
  });

const ask = (path: string, headers: HeadersInit = {}, method = 'GET') =>
  new Request(new URL(path, 'https://a.example'), { headers, method });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function listed(response: Response): Promise<string[]> {
  const index: SkillIndex = await response.json();
  return index.skills.map(({ id }) => id);
}

describe('access', () => {
  test('an anonymous caller sees every skill that is not private', async () => {
    const response = await provider().handle(ask(WELL_KNOWN_PATH));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await listed(response)).toEqual(['open', 'limited']);
  });

  test('the right token opens private skills, in the index and by their URL', async () => {
    const { handle } = provider();
    expect(await listed(await handle(ask(WELL_KNOWN_PATH, bearer('right'))))).toEqual([
      'open',
      'limited',
      'secret',
    ]);
    expect(await (await handle(ask(descriptorPath('secret'), bearer('right')))).json()).toEqual(secret);
  });

  test.each([
    ['a wrong token for the index', WELL_KNOWN_PATH, bearer('wrong')],
    ['a wrong token for a public descriptor', descriptorPath('open'), bearer('wrong')],
    ['a wrong token for a private descriptor', descriptorPath('secret'), bearer('wrong')],
    ['no token for a private descriptor', descriptorPath('secret'), {}],
  ])('%s gets 401 in the error envelope', async (_case, path, headers) => {
    const response = await provider().handle(ask(path, headers));
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: { code: 'AUTH_REQUIRED', message: expect.any(String) } });
  });

  test('a credential can be any header', async () => {
    const { handle } = provider({ token: { header: 'X-API-Key', value: 'k1' } });
    const response = await handle(ask(WELL_KNOWN_PATH, { 'x-api-key': 'k1' }));
    expect(response.headers.get('vary')).toBe('X-API-Key');
    expect(await listed(response)).toHaveLength(3);
    expect((await handle(ask(WELL_KNOWN_PATH, { 'x-api-key': 'k2' }))).status).toBe(401);
  });

  test('without a token nobody sees private skills', async () => {
    const { handle } = createProvider({ domain: 'a.example', name: 'A', skills: [open, secret] });
    expect(await listed(await handle(ask(WELL_KNOWN_PATH, bearer('any'))))).toEqual(['open']);
  });
});

describe('documents', () => {
  test('every descriptor URL leads to its descriptor, whatever the id and the origin', async () => {
    const ids = ['.', '..', 'a/b?c#d', '%2e%2e', '__proto__', "it's", '\u{1f600}', 'x'.repeat(512)];
    const skills = ids.map((id) => validDescriptor({ id }));
    const { handle } = provider({ skills });
    const response = await handle(new Request(`http://127.0.0.1:8080${WELL_KNOWN_PATH}`));
    const index: SkillIndex = await response.json();
    for (const [position, { descriptor_url }] of index.skills.entries()) {
      expect(descriptor_url).toMatch(/^http:\/\/127\.0\.0\.1:8080\/skills\/.+\.json$/);
      expect(await (await handle(new Request(descriptor_url))).json()).toEqual(skills[position]);
    }
  });

  test('a known ETag gets 304 with the headers of the document', async () => {
    const { handle } = provider({ cacheControl: 'max-age=60' });
    const first = await handle(ask(WELL_KNOWN_PATH));
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const second = await handle(ask(WELL_KNOWN_PATH, { 'if-none-match': known }));
      expect(second.status).toBe(304);
      expect(second.body).toBeNull();
      expect(Object.fromEntries(second.headers)).toEqual({
        etag,
        'cache-control': 'max-age=60',
        vary: 'Authorization',
      });
    }
  });

  test('the ETag changes with the document and with the view', async () => {
    const site = provider();
    const etag = async (headers?: HeadersInit) =>
      (await site.handle(ask(WELL_KNOWN_PATH, headers))).headers.get('etag');
    const anonymous = await etag();
    expect(await etag(bearer('right'))).not.toBe(anonymous);
    site.setSkills([open]);
    expect(site.skills).toEqual([open]);
    expect(await etag()).not.toBe(anonymous);
  });

  test('HEAD has no body, other methods get 405, other paths 404', async () => {
    const { handle } = provider();
    const head = await handle(ask(WELL_KNOWN_PATH, {}, 'HEAD'));
    expect([head.status, head.body]).toEqual([200, null]);
    const post = await handle(ask(WELL_KNOWN_PATH, {}, 'POST'));
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const missing = await handle(ask(`${WELL_KNOWN_PATH}.json`));
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ error: { code: 'SKILL_NOT_FOUND', message: expect.any(String) } });
  });

  test('two skills of one id are a mistake', () => {
    expect(() => provider({ skills: [open, open] })).toThrow(TypeError);
  });
});

test('requests are logged with what came and what was answered', async () => {
  const site = provider();
  await site.handle(ask(`${WELL_KNOWN_PATH}?a=1`, { 'User-Agent': 'test' }));
  await site.handle(ask('/nothing', {}, 'POST'));
  expect(site.requests).toEqual([
    { method: 'GET', path: `${WELL_KNOWN_PATH}?a=1`, headers: { 'user-agent': 'test' }, status: 200 },
    { method: 'POST', path: '/nothing', headers: {}, status: 404 },
  ]);
});
