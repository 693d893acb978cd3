import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLAIM_CODES, claimWarnings } from '../../src/protocol/claims.ts';
import { hasUnsafeText } from '../../src/protocol/text.ts';

interface Claim {
  id?: string;
  name?: string;
  url?: string;
  origin?: string;
}

const warningsOf = ({
  id = 'translate',
  name = 'Translate',
  url,
  origin = 'https://skills.example',
}: Claim) =>
  claimWarnings(
    { id, name },
    { provider: { name: 'A', ...(url !== undefined && { url }) } },
    new URL(origin),
  );

const places = async (claim: Claim) => (await warningsOf(claim)).map(({ code, field }) => `${code} ${field}`);

describe('an id in reverse-domain form', () => {
  it.each([
    ['com.example.translate-v1', 'example.com'],
    ['com.example.api.v2.translate', 'example.com'],
    ['COM.Example.Translate', 'example.com'],
    ['\uff43\uff4f\uff4d.example.translate', 'example.com'],
    ['com.example.', 'example.com'],
    ['com.example.a b/c', 'example.com'],
    ['com.example.xn--a', 'example.com'],
    ['uk.co.bbc.news', 'bbc.co.uk'],
    ['io.github.somebody.tool', 'somebody.github.io'],
    ['test.neighbour.tool', 'neighbour.test'],
    ['com.b\u00fccher.search', 'xn--bcher-kva.com'],
    ['com.bu\u0308cher.search', 'xn--bcher-kva.com'],
    ['com.xn--bcher-kva.search', 'xn--bcher-kva.com'],
    ['com.\u0440\u0430\u0443.search', 'xn--80a5ak.com'],
  ])('%s names %s', async (id, site) => {
    expect(await warningsOf({ id })).toEqual([
      expect.objectContaining({
        code: 'FOREIGN_ID',
        field: '/id',
        message: `the id names the site of ${site}, which is not that of its publisher`,
      }),
    ]);
  });

  it.each([
    ['no dots', 'translate-v1'],
    ['a version', '1.0.0'],
    ['a file name', 'translate.v1.json'],
    ['two labels: nothing follows the site', 'com.example'],
    ['a public suffix with a label', 'io.github.somebody'],
    ['an address', '127.0.0.1.tool'],
    ['an empty label', 'com..example.tool'],
    ['an underscore where the site would be', 'com.my_site.tool'],
    ['a name that nobody can have', 'com.xn--a.tool'],
  ])('names no site with %s: %s', async (_, id) => expect(await warningsOf({ id })).toEqual([]));

  it.each([
    ['com.example.tool', 'https://example.com'],
    ['com.example.tool', 'https://skills.example.com:8443'],
    ['com.example.skills.tool', 'https://example.com'],
    ['com.b\u00fccher.tool', 'https://b\u00fccher.com'],
    ['io.github.somebody.tool', 'https://somebody.github.io'],
    ['localhost.tools.a', 'http://localhost:3000'],
  ])('%s may be published by %s', async (id, origin) => expect(await warningsOf({ id, origin })).toEqual([]));

  it('tells tenants of one host apart', async () => {
    const claim = { id: 'io.github.one.tool', origin: 'https://other.github.io' };
    expect(await places(claim)).toEqual(['FOREIGN_ID /id']);
  });
});

describe("the provider's URL", () => {
  it.each([
    'https://example.com/',
    'http://example.com:8080/about?x#y',
    'https://skills.example.evil.test/',
    'https://127.0.0.1/',
  ])('%s lies elsewhere', async (url) => {
    expect(await warningsOf({ url })).toEqual([
      expect.objectContaining({
        code: 'FOREIGN_PROVIDER_URL',
        field: '/provider/url',
        message: expect.stringContaining(` ${new URL(url).host},`),
      }),
    ]);
  });

  it.each(['https://skills.example/', 'http://www.skills.example:8080/', 'https://a.b.skills.example'])(
    '%s does not',
    async (url) => expect(await warningsOf({ url })).toEqual([]),
  );

  it.each(['', 'skills', 'mailto:a@example.com', 'https://user:secret@example.com/', 'https://'])(
    'claims nothing as %j, which nobody can follow',
    async (url) => expect(await warningsOf({ url })).toEqual([]),
  );
});

it('warns of words in several scripts, in id and name', async () => {
  expect(await places({ id: 'p\u0430ypal', name: 'P\u0430yPal' })).toEqual([
    'MIXED_SCRIPT /id',
    'MIXED_SCRIPT /name',
  ]);
});

it('takes any id, name and URL, and says nothing that could deceive', async () => {
  const label = fc.oneof(
    fc.constantFrom(
      'com',
      'co',
      'uk',
      'io',
      'github',
      'test',
      'xn--',
      'xn--a',
      'xn--p1ai',
      '1',
      '0x7f',
      '-',
      '',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const dotted = fc.array(label, { maxLength: 6 }).map((labels) => labels.join('.'));
  const claims = fc.record({
    id: dotted,
    name: fc.string({ unit: 'binary' }),
    url: fc.oneof(
      fc.webUrl(),
      dotted.map((host) => `https://${host}/`),
    ),
    origin: fc.constantFrom(
      'https://skills.example',
      'http://127.0.0.1:8080',
      'https://[::1]',
      'http://localhost',
    ),
  });
  await fc.assert(
    fc.asyncProperty(claims, async (claim) => {
      const warnings = await warningsOf(claim);
      expect(warnings.filter(({ code }) => !(CLAIM_CODES as readonly string[]).includes(code))).toEqual([]);
      expect(warnings.filter(({ message }) => hasUnsafeText(message))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
