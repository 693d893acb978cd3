import { describe, expect, it } from 'vitest';
import {
  createProvider,
  errorResponse,
  FAULTS,
  type MockSite,
  type ProviderOptions,
  validDescriptor,
  WELL_KNOWN_PATH,
} from '../../mocks/index.ts';
import type { Finding, Inspection } from '../../src/cli/inspection.ts';
import type { SkillDescriptor, SkillIndex } from '../../src/index.ts';
import { LOOPBACK, serveForTest } from '../e2e/support/cli.ts';
import { runHere } from './support/run.ts';

const KEY = { header: 'X-API-Key', value: 'k-3f9a' };

/** With ids and a provider that claim nothing, whatever host serves them. */
const skill = (id: string, members: Partial<SkillDescriptor> = {}) =>
  validDescriptor({ id, provider: { name: 'Good' }, ...members });
const SKILLS = [
  skill('translate'),
  skill('weather', { access: 'restricted' }),
  skill('payroll', { access: 'private' }),
];

const provider = (options: Partial<ProviderOptions> = {}): MockSite =>
  createProvider({ domain: 'good.example', name: 'Good', skills: SKILLS, token: KEY, ...options }).handle;

const isIndex = ({ url }: Request) => new URL(url).pathname === WELL_KNOWN_PATH;
const isAnonymous = ({ headers }: Request) => !headers.has(KEY.header);

/** The site with other documents where `applies`. */
const edited =
  <T>(site: MockSite, applies: (request: Request) => boolean, change: (document: T) => unknown): MockSite =>
  async (request) => {
    const answer = await site(request);
    if (!applies(request) || answer.status !== 200) return answer;
    return Response.json(change(await answer.json()), { headers: answer.headers });
  };

/** The site with other headers; an empty one is left out. */
const headed =
  (site: MockSite, headers: Record<string, string>, applies = (_: Request) => true): MockSite =>
  async (request) => {
    const answer = await site(request);
    if (!applies(request)) return answer;
    const replaced = new Headers(answer.headers);
    for (const [name, value] of Object.entries(headers)) {
      if (value === '') replaced.delete(name);
      else replaced.set(name, value);
    }
    return new Response(answer.body, { status: answer.status, headers: replaced });
  };

/** The site without conditional requests. */
const unconditional =
  (site: MockSite): MockSite =>
  (request) => {
    const headers = new Headers(request.headers);
    headers.delete('if-none-match');
    return site(new Request(request.url, { headers }));
  };

/** The site with these requests answered as if they had the credential. */
const asHolder =
  (site: MockSite, applies: (request: Request) => boolean): MockSite =>
  (request) => {
    const headers = new Headers(request.headers);
    if (applies(request)) headers.set(KEY.header, KEY.value);
    return site(new Request(request.url, { headers }));
  };

const changeIndex = (applies: (request: Request) => boolean, change: (index: SkillIndex) => unknown) =>
  edited(provider(), (request) => isIndex(request) && applies(request), change);

async function inspect(
  site: MockSite,
  { withKey = true }: { withKey?: boolean } = {},
): Promise<{ code: number; origin: string; result: Inspection; places: string[] }> {
  const { origin } = await serveForTest(site);
  const credential = withKey ? ['--credential', `${origin}=${KEY.header}:${KEY.value}`] : [];
  const { code, stdout, stderr } = await runHere(['check', origin, '--json', ...LOOPBACK, ...credential]);
  expect(stderr).toBe('');
  const result: Inspection = JSON.parse(stdout);
  expect(result.findings.filter(({ why, change }) => why === '' || change === '')).toEqual([]);
  const place = ({ level, code, document, field, view }: Finding) =>
    [level, code, document.replace(origin, '') + (field && `#${field}`), view ?? ''].join(' ').trim();
  return { code, origin, result, places: result.findings.map(place) };
}

describe('check of a correct provider', () => {
  it.each([true, false])('finds nothing, with credential: %s', async (withKey) => {
    const { code, result } = await inspect(provider(), { withKey });

    expect(result.findings).toEqual([]);
    expect({ code, ok: result.ok, skills: result.skills }).toEqual({
      code: 0,
      ok: true,
      skills: withKey ? 3 : 2,
    });
  });

  it('finds nothing behind a token and with Last-Modified alone', async () => {
    const modified = new Date(0).toUTCString();
    const site = headed(provider(), { etag: '', 'last-modified': modified });
    const dated: MockSite = async (request) =>
      request.headers.get('if-modified-since') === modified
        ? new Response(null, { status: 304, headers: { vary: KEY.header } })
        : site(request);

    expect((await inspect(dated)).places).toEqual([]);
  });

  it('asks a second time for the first hundred descriptors alone', async () => {
    const skills = Array.from({ length: 103 }, (_, n) => skill(`skill-${n}`));
    const watched = createProvider({ domain: 'big.example', name: 'Big', skills });

    const { places } = await inspect(watched.handle, { withKey: false });

    expect(places).toEqual([]);
    const statuses = watched.requests.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(104);
    expect(statuses.filter((status) => status === 304)).toHaveLength(101);
  });
});

const ENTRY = `${WELL_KNOWN_PATH}#/skills`;
const DESCRIPTOR = '/skills/translate.json';

describe('check of views', () => {
  it.each<[string, MockSite, string[]]>([
    [
      'a private skill that everybody is shown',
      asHolder(provider({ skills: [skill('payroll', { access: 'private' })] }), () => true),
      [`error PRIVATE_EXPOSED ${ENTRY}/0 anonymous`, 'warning PRIVATE_READABLE /skills/payroll.json#/access'],
    ],
    [
      'a restricted skill that only the credential shows',
      changeIndex(isAnonymous, (index) => ({ ...index, skills: index.skills.slice(0, 1) })),
      [`error HIDDEN_ANONYMOUSLY ${ENTRY}/1 authenticated`],
    ],
    [
      'a public skill that the credential hides',
      changeIndex(
        (request) => !isAnonymous(request),
        (index) => ({ ...index, skills: index.skills.slice(1) }),
      ),
      [`error HIDDEN_AUTHENTICATED ${ENTRY}/0 anonymous`],
    ],
    [
      'an index for holders alone',
      async (request) =>
        isAnonymous(request) ? errorResponse(401, 'AUTH_REQUIRED', 'Who are you?') : provider()(request),
      [`error AUTH_REQUIRED ${WELL_KNOWN_PATH} anonymous`],
    ],
    [
      'a descriptor for holders alone',
      async (request) =>
        isAnonymous(request) && request.url.endsWith(DESCRIPTOR)
          ? errorResponse(401, 'AUTH_REQUIRED', 'Who are you?')
          : provider()(request),
      [`error AUTH_REQUIRED ${ENTRY}/0 anonymous`],
    ],
    [
      'a descriptor that only the credential breaks',
      async (request) =>
        !isAnonymous(request) && request.url.endsWith(DESCRIPTOR)
          ? errorResponse(404, 'SKILL_NOT_FOUND', 'Gone.')
          : provider()(request),
      [`error SKILL_NOT_FOUND ${ENTRY}/0 authenticated`],
    ],
    [
      'the descriptor of a private skill for everybody',
      asHolder(provider(), (request) => !isIndex(request)),
      ['warning PRIVATE_READABLE /skills/payroll.json#/access'],
    ],
    [
      'caches that are not told of the credential',
      headed(provider(), { vary: 'accept-encoding' }),
      [`warning SHARED_CACHE ${WELL_KNOWN_PATH}`],
    ],
    [
      'what is served as private',
      headed(provider(), { vary: '', 'cache-control': 'private, max-age=60' }),
      [],
    ],
  ])('%s', async (_, site, expected) => {
    const { code, places } = await inspect(site);

    expect(places).toEqual(expected);
    expect(code).toBe(expected.some((place) => place.startsWith('error')) ? 1 : 0);
  });
});

it('says that no credential was for the index', async () => {
  const { origin } = await serveForTest(provider());
  const credential = ['--credential', `https://elsewhere.example=${KEY.header}:${KEY.value}`];

  const { code, stdout } = await runHere(['check', origin, '--json', ...LOOPBACK, ...credential]);

  const { skills, findings }: Inspection = JSON.parse(stdout);
  expect({ code, skills, codes: findings.map(({ code }) => code) }).toEqual({
    code: 0,
    skills: 2,
    codes: ['ONE_VIEW'],
  });
});

describe('check of documents in step', () => {
  it.each<[string, MockSite, string[]]>([
    [
      'texts that differ',
      changeIndex(
        () => true,
        (index) => ({
          ...index,
          skills: index.skills.map((entry) => ({ ...entry, name: 'Other', description: '\u202e' })),
        }),
      ),
      [
        `warning UNSAFE_TEXT ${ENTRY}/0/description`,
        `warning UNSAFE_TEXT ${ENTRY}/1/description`,
        `warning TEXT_DRIFT ${ENTRY}/0/name`,
        `warning TEXT_DRIFT ${ENTRY}/0/description`,
        `warning TEXT_DRIFT ${ENTRY}/1/name`,
        `warning TEXT_DRIFT ${ENTRY}/1/description`,
      ],
    ],
    [
      'a version that is behind',
      changeIndex(
        () => true,
        (index) => ({ ...index, skills: index.skills.map((entry) => ({ ...entry, version: '0.9.0' })) }),
      ),
      [`warning VERSION_DRIFT ${DESCRIPTOR}#/version`, 'warning VERSION_DRIFT /skills/weather.json#/version'],
    ],
    [
      'relative URLs, placed by the index though an entry before is rejected',
      changeIndex(
        () => true,
        ({ skills, ...index }) => ({
          ...index,
          skills: [
            {},
            ...skills.map((entry) => ({ ...entry, descriptor_url: new URL(entry.descriptor_url).pathname })),
          ],
        }),
      ),
      [
        ...Array.from({ length: 7 }, () => `error VALIDATION_ERROR ${ENTRY}/0`),
        `warning RELATIVE_URL ${ENTRY}/1/descriptor_url`,
        `warning RELATIVE_URL ${ENTRY}/2/descriptor_url`,
      ],
    ],
    [
      'claims',
      provider({
        skills: [
          skill('com.example.translate', { provider: { name: 'Example', url: 'https://example.com/' } }),
          skill('p\u0430ypal', { name: ' ' }),
        ],
      }),
      [
        'warning EMPTY_TEXT /.well-known/skill-sharing#/skills/1/name',
        'warning FOREIGN_ID /skills/com.example.translate.json#/id',
        'warning FOREIGN_PROVIDER_URL /skills/com.example.translate.json#/provider/url',
        'warning MIXED_SCRIPT /skills/p%D0%B0ypal.json#/id',
        'warning EMPTY_TEXT /skills/p%D0%B0ypal.json#/name',
      ],
    ],
    [
      'advice on the index itself',
      changeIndex(
        () => true,
        (index) => ({
          ...index,
          protocol: { version: '1.0.0', changelog_url: 'soon' },
          provider: { name: 'Good', url: 'good.example' },
        }),
      ),
      [
        `warning INVALID_URL ${WELL_KNOWN_PATH}#/protocol/changelog_url`,
        `warning INVALID_URL ${WELL_KNOWN_PATH}#/provider/url`,
      ],
    ],
    [
      'advice on a descriptor',
      provider({ skills: [skill('translate', { created_at: 'yesterday' })] }),
      [`warning INVALID_DATE ${DESCRIPTOR}#/created_at`],
    ],
  ])('%s', async (_, site, expected) => {
    const { places } = await inspect(site, { withKey: false });

    const brief = places.map((place) => place.replace(/(VALIDATION_ERROR .*\/skills\/\d+).*$/, '$1'));
    expect(brief).toEqual(expected);
  });
});

describe('check of how documents are served', () => {
  const both = (level: string, code: string) => [
    `${level} ${code} ${WELL_KNOWN_PATH}`,
    `${level} ${code} ${DESCRIPTOR}`,
  ];
  let count = 0;

  it.each<[string, MockSite, string[]]>([
    ['no validator', headed(provider(), { etag: '' }), both('warning', 'NO_VALIDATOR')],
    ['validators that nobody compares', unconditional(provider()), both('warning', 'NOT_REVALIDATED')],
    [
      'documents that are never the same',
      edited(
        unconditional(provider()),
        () => true,
        (document: object) => ({ ...document, served: ++count }),
      ),
      both('warning', 'UNSTABLE'),
    ],
    ['no-store', provider({ cacheControl: 'no-store' }), both('warning', 'NO_STORE')],
    ['no lifetime', headed(provider(), { 'cache-control': '' }), both('note', 'NO_LIFETIME')],
    [
      'Expires for a lifetime',
      headed(provider(), { 'cache-control': '', expires: new Date(0).toUTCString() }),
      [],
    ],
    [
      'another content type',
      headed(provider(), { 'content-type': 'text/plain' }, isIndex),
      [`warning CONTENT_TYPE ${WELL_KNOWN_PATH}`],
    ],
    ['a moved index', FAULTS['harmless-redirect'].make(provider()), [`note REDIRECTED ${WELL_KNOWN_PATH}`]],
    [
      'a moved descriptor',
      async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === DESCRIPTOR)
          return new Response(null, { status: 302, headers: { location: '/moved' } });
        return provider()(
          pathname === '/moved' ? new Request(new URL(DESCRIPTOR, request.url), request) : request,
        );
      },
      [`note REDIRECTED ${ENTRY}/0/descriptor_url`],
    ],
  ])('%s', async (_, site, expected) => {
    const { code, result, places } = await inspect(site, { withKey: false });

    expect(places).toEqual(expected);
    expect({ code, ok: result.ok, skills: result.skills }).toEqual({ code: 0, ok: true, skills: 2 });
  });

  it('says how many descriptors are alike instead of naming each', async () => {
    const { result } = await inspect(headed(provider(), { etag: '' }));

    expect(result.findings.map(({ message }) => message)).toEqual([
      'there is neither ETag nor Last-Modified',
      'there is neither ETag nor Last-Modified; so for 1 more',
      'there is neither ETag nor Last-Modified',
    ]);
  });
});

it('tells why and what to change once for each code, and by whom it was seen', async () => {
  const { origin } = await serveForTest(changeIndex(isAnonymous, (index) => ({ ...index, skills: [] })));
  const credential = ['--credential', `${origin}=${KEY.header}:${KEY.value}`];

  const { code, stdout } = await runHere(['check', origin, ...LOOPBACK, ...credential]);

  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, 9)).toEqual([
    `${origin}: 2 errors, 0 warnings, 0 notes`,
    '',
    `${origin}${WELL_KNOWN_PATH}`,
    '  error HIDDEN_ANONYMOUSLY /skills/0 (seen by authenticated)',
    '      anonymous callers are not shown the public skill "translate"',
    '      why       Everybody must be told of public and restricted skills (property 6).',
    '      change    List it in the anonymous answer too, or make it private.',
    '  error HIDDEN_ANONYMOUSLY /skills/1 (seen by authenticated)',
    '      anonymous callers are not shown the restricted skill "weather"',
  ]);
  expect(stdout).not.toContain(KEY.value);
});
