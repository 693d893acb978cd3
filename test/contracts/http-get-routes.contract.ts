import { describe, expect, it } from 'vitest';
import {
  body,
  type Overrides,
  paths,
  redirect,
  site,
  type TransportFactory,
  transportFor,
  wanted,
} from '../transport/support.ts';

/** The HttpGet port: where requests and credentials go, and where they never do. For every implementation that talks to real sockets. */
export function httpGetRoutesContract(name: string, create: TransportFactory): void {
  const start = (overrides: Overrides = {}) => transportFor(overrides, create);

  describe(`${name}: redirects`, () => {
    it.each([301, 302, 303, 307, 308])(
      'follows %i, relative to where it was sent from [A9]',
      async (status) => {
        const server = await paths({
          '/old/index?x=1': redirect('../new/index?y=2#z', status),
          '/new/index?y=2': body('moved'),
        });
        expect(await start().get(wanted(`${server.origin}/old/index?x=1`))).toMatchObject({
          ok: true,
          value: 'moved',
          response: { url: `${server.origin}/new/index?y=2` },
          report: {
            finalUrl: `${server.origin}/new/index`,
            redirects: [`${server.origin}/old/index`],
            requests: 2,
          },
        });
      },
    );

    it('refuses a loop of two with the chain [D3]', async () => {
      const server = await paths({ '/a?t=1': redirect('/b'), '/b': redirect('/a?t=1') });
      expect(await start().get(wanted(`${server.origin}/a?t=1`))).toMatchObject({
        ok: false,
        failure: {
          code: 'REDIRECT_REFUSED',
          details: {
            redirects: [`${server.origin}/a`, `${server.origin}/b`],
            location: `${server.origin}/a`,
          },
        },
        report: { requests: 2, finalUrl: `${server.origin}/b`, redirects: [`${server.origin}/a`] },
      });
    });

    it('follows as many as allowed and no more [D3]', async () => {
      const server = await site((request, response) => {
        const left = Number(request.url?.slice(1));
        (left === 0 ? body('end') : redirect(`/${left - 1}`))(request, response);
      });
      const { get } = start();
      expect(await get(wanted(`${server.origin}/5`))).toMatchObject({ ok: true, report: { requests: 6 } });
      expect(await get(wanted(`${server.origin}/6`))).toMatchObject({
        failure: { code: 'REDIRECT_REFUSED' },
        report: { requests: 6 },
      });
    });

    it('compares each target with the first URL, not with the last', async () => {
      const server = await paths({ '/a': redirect('/b'), '/b': redirect('/c'), '/c': body('x') });
      const compared: string[] = [];
      const { get } = start({
        sameSite: async (from, to) => {
          compared.push(`${from.pathname} ${to.pathname}`);
          return true;
        },
      });
      await get(wanted(`${server.origin}/a`));
      expect(compared).toEqual(['/a /b', '/a /c']);
    });

    it('refuses to leave the site', async () => {
      const other = await paths({ '/': body('x') });
      const server = await paths({ '/': redirect(other.origin) });
      const { get } = start({ sameSite: async (from, to) => from.host === to.host });
      expect(await get(wanted(server.origin))).toMatchObject({ failure: { code: 'REDIRECT_REFUSED' } });
      expect(other.connections).toBe(0);
    });

    it.each([
      ['http://169.254.169.254/latest/meta-data', 'ADDRESS_REFUSED'],
      ['http://10.0.0.1/', 'ADDRESS_REFUSED'],
      ['ftp://127.0.0.1/', 'URL_REFUSED'],
      ['http://user:secret@127.0.0.1/', 'URL_REFUSED'],
      ['http://127.0.0.1:22/', 'URL_REFUSED'],
      ['http://[half/', 'REDIRECT_REFUSED'],
    ])('judges the target %s before it is opened [E5]', async (location, code) => {
      const server = await paths({ '/': redirect(location) });
      const result = await start({ sameSite: async () => true }).get(wanted(server.origin));
      expect(result).toMatchObject({ ok: false, failure: { code }, report: { requests: 1 } });
      expect(JSON.stringify(result)).not.toContain('secret');
    });

    it('takes a redirect without Location for an answer', async () => {
      const server = await site((_request, response) => void response.writeHead(302).end());
      expect(await start().get(wanted(server.origin))).toMatchObject({
        failure: { code: 'HTTP_STATUS', message: '302' },
      });
    });

    it('does not let unread bodies hold sockets [D7]', async () => {
      const server = await site((request, response) => {
        const left = Number(request.url?.slice(1));
        if (left === 0) body('end')(request, response);
        else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(65_536));
      });
      const { get } = start({ http: { maxRedirects: 20 } });
      for (let round = 0; round < 10; round += 1) {
        expect(await get(wanted(`${server.origin}/20`, { cacheMode: 'bypass' }))).toMatchObject({ ok: true });
      }
      expect(server.mostOpen).toBeLessThanOrEqual(4);
    });
  });

  describe(`${name}: credentials`, () => {
    const keyFor = (origin: string) => async (asked: string) =>
      asked === origin ? { label: 'member', header: 'x-api-key', value: 's3cret' } : undefined;

    it('go to their own origin, and the report says so', async () => {
      const server = await paths({ '/a': redirect('/b'), '/b': body('x') });
      const { get } = start({ credential: keyFor(server.origin) });
      expect(await get(wanted(`${server.origin}/a`))).toMatchObject({ ok: true, report: { view: 'member' } });
      expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['s3cret', 's3cret']);
    });

    it('never cross to another origin, nor back [D1]', async () => {
      const other = await site((request, response) => redirect(`${server.origin}/back`)(request, response));
      const server = await paths({ '/a': redirect(`${other.origin}/there`), '/back': body('x') });
      const { get } = start({ credential: keyFor(server.origin), sameSite: async () => true });
      expect(await get(wanted(`${server.origin}/a`))).toMatchObject({
        ok: true,
        report: { view: 'anonymous' },
      });
      expect(other.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
      expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['s3cret', undefined]);
    });

    it.each([
      ['throws', async () => Promise.reject(new Error('vault said s3cret'))],
      ['is no header', async () => ({ label: 'member', header: 'x-api-key', value: 's3cret\n' + 'x: y' })],
    ])('that %s are a failure without the secret', async (_case, credential) => {
      const server = await paths({ '/': body('x') });
      const result = await start({ credential }).get(wanted(server.origin));
      expect(result).toMatchObject({
        ok: false,
        failure: { code: 'CREDENTIAL_FAILED' },
        report: { requests: 0 },
      });
      expect(JSON.stringify(result)).not.toContain('s3cret');
    });

    it('that never come are a failure in time', async () => {
      const server = await paths({ '/': body('x') });
      const { get, clock } = start({ credential: () => new Promise(() => {}) });
      const result = get(wanted(server.origin));
      await clock.advance(1000);
      expect(await result).toMatchObject({ failure: { code: 'CREDENTIAL_FAILED' } });
    });
  });

  describe(`${name}: guard`, () => {
    it.each([
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '１２７。０。０。１',
      'localhost',
      'LOCALHOST.',
      'api.localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[::7f00:1]',
      '0.0.0.0',
      '[::]',
    ])('never connects to %s [E1][E2][E3]', async (host) => {
      const server = await paths({ '/': body('x') });
      const { get } = start({ unsafe: { allowPrivateAddresses: false } });
      expect(await get(wanted(`http://${host}:${server.port}/`))).toMatchObject({
        ok: false,
        failure: { code: 'ADDRESS_REFUSED' },
        report: { requests: 0 },
      });
      expect(server.connections).toBe(0);
    });

    it.each([
      'ftp://example.test/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://u:p@example.test/',
      'https://example.test:25/',
      'no url?token=1',
    ])('refuses the URL %s', async (url) => {
      const result = await start().get(wanted(url));
      expect(result).toMatchObject({ ok: false, failure: { code: 'URL_REFUSED' }, report: { requests: 0 } });
      expect(JSON.stringify(result)).not.toMatch(/token|u:p/);
    });

    it('refuses http unless it is allowed', async () => {
      const server = await paths({ '/': body('x') });
      const { get } = start({ unsafe: { allowHttp: false } });
      expect(await get(wanted(server.origin))).toMatchObject({ failure: { code: 'URL_REFUSED' } });
    });
  });
}
