import { describe, expect, it } from 'vitest';
import { type MockSite, WELL_KNOWN_PATH } from '../../mocks/index.ts';
import { besideGood, documentsOf, goodSite, textSite, world } from './support.ts';

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body><form></form></body></html>';
const page = () => new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } });
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
const at = (pathname: string, request: Request) => new URL(request.url).pathname === pathname;

describe('[A1] a dot-folder that was never deployed', () => {
  it.each<[string, () => Response]>([
    ['404', () => new Response(null, { status: 404 })],
    ['404 with a page', () => new Response(PAGE, { status: 404, headers: { 'content-type': 'text/html' } })],
    ['404 with JSON', () => Response.json({ error: { code: 'NOT_FOUND', message: 'no' } }, { status: 404 })],
    ['410', () => new Response(null, { status: 410 })],
  ])('%s is no index, after exactly one request', async (_, answer) => {
    const { outcome, pathsOf } = await besideGood(async () => answer());
    expect(outcome).toMatchObject({ status: 'none', code: 'INDEX_NOT_FOUND', skills: [], retries: 0 });
    expect(pathsOf('a.example')).toEqual([WELL_KNOWN_PATH]);
  });
});

describe('[A6] a login page behind a redirect', () => {
  it('is a page where the index should be, with both URLs and without the query', async () => {
    const { outcome, domain } = await besideGood(async (request) =>
      at('/login', request) ? page() : redirect('/login?next=%2F.well-known%2Fskill-sharing&state=s3cret'),
    );
    const a = domain('a.example');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'HTML_INSTEAD',
      redirects: [`${a}${WELL_KNOWN_PATH}`],
      finalUrl: `${a}/login`,
      message: expect.stringContaining(`${a}/login`),
    });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
  });

  it('asks for credentials where the login page says so', async () => {
    const { outcome } = await besideGood(async (request) =>
      at('/login', request) ? new Response(PAGE, { status: 401 }) : redirect('/login'),
    );
    expect(outcome).toMatchObject({ code: 'AUTH_REQUIRED', finalUrl: expect.stringMatching(/\/login$/) });
  });

  it('is not followed to a sign-in service elsewhere', async () => {
    const { outcome, pathsOf } = await besideGood(async () => redirect('https://sso.elsewhere.example/auth'));
    expect(outcome).toMatchObject({
      code: 'REDIRECT_REFUSED',
      details: { location: 'https://sso.elsewhere.example/auth' },
    });
    expect(pathsOf('a.example')).toHaveLength(1);
  });
});

describe('[A12] a base path', () => {
  it.each([
    '/tenant/a',
    '/tenant/a/',
    '/.well-known/skill-sharing',
    '//',
    '/?tenant=a',
    '/#tenant',
    '\\tenant',
  ])('%j after a host is an input error, never a request to the root of another tenant', async (path) => {
    const { client, domain, pathsOf } = await world({ 'a.example': goodSite(), 'b.example': goodSite() });
    const { outcomes = [] } = await client.crawlAll(
      [`${domain('a.example')}${path}`, `a.example${path}`, domain('b.example')],
      { outcomes: true },
    );
    const seen = outcomes.map(({ status, code = '', requests }) => `${status} ${code} ${requests}`);
    expect(seen.sort()).toEqual(['failed INVALID_DOMAIN 0', 'failed INVALID_DOMAIN 0', 'ok  2']);
    expect(pathsOf('a.example')).toEqual([]);
  });
});

describe('[A14] www', () => {
  it('is another publisher than the bare domain, and neither is merged into the other', async () => {
    const { client, domain } = await world({
      'a.example': goodSite('one', 'both'),
      'www.a.example': goodSite('two', 'both'),
    });
    const [a, www] = [domain('a.example'), domain('www.a.example')];
    const report = await client.crawlAll([www, a]);
    expect(report).toMatchObject({ providers: { ok: 2 }, skills: { accepted: 4, rejected: 0 } });
    const { records } = await client.find();
    expect(records.map((record) => [record.domain, record.id]).sort()).toEqual([
      [a, 'both'],
      [a, 'one'],
      [www, 'both'],
      [www, 'two'],
    ]);
    expect((await client.find({ domain: a })).records).toHaveLength(2);
    expect(await client.get({ domain: a, id: 'two' })).toBeUndefined();
  });

  it('is where the index may come from, and yet the domain that was asked stays the publisher', async () => {
    const toWww: MockSite = async (request) =>
      at(WELL_KNOWN_PATH, request)
        ? redirect(request.url.replace('//a.example', '//www.a.example'))
        : new Response(null, { status: 404 });
    const { client, domain } = await world({ 'a.example': toWww, 'www.a.example': goodSite('one') });
    await client.discover(domain('a.example'));
    const { records } = await client.find();
    expect(records).toMatchObject([{ domain: domain('a.example'), id: 'one' }]);
  });
});

describe('[A15] the media type of a path without an extension', () => {
  const { index, descriptors } = documentsOf([{ id: 'one', provider: { name: 'A' } }]);
  const typed =
    (type: string | undefined): MockSite =>
    async (request) => {
      const answer = await textSite(index, descriptors)(request);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return new Response(bytes, {
        status: answer.status,
        ...(type !== undefined && { headers: { 'content-type': type } }),
      });
    };

  it.each(['application/octet-stream', 'text/plain', 'text/html', undefined])(
    '%s over good JSON is taken, with a warning',
    async (type) => {
      const { outcome } = await besideGood(typed(type));
      expect(outcome).toMatchObject({ status: 'ok', warnings: [{ code: 'CONTENT_TYPE' }] });
      expect(outcome.skills[0]?.warnings).toMatchObject([{ code: 'CONTENT_TYPE' }]);
    },
  );

  it.each(['application/json', 'application/vnd.x+json; charset=utf-8'])('%s needs none', async (type) => {
    const { outcome } = await besideGood(typed(type));
    expect(outcome).toMatchObject({ status: 'ok', warnings: [], skills: [{ warnings: [] }] });
  });
});
