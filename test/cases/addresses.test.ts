import { describe, expect, it } from 'vitest';
import { WELL_KNOWN_PATH } from '../../mocks/index.ts';
import { goodSite, world } from './support.ts';

describe('[E11] international names', () => {
  it('are one domain in both spellings, and one request', async () => {
    const host = 'xn--bcher-kva.example';
    const { client, domain, pathsOf } = await world({ [host]: goodSite() });
    const spellings = [
      'b\u00fccher.example',
      'B\u00dcCHER.example',
      'bu\u0308cher.example',
      'b\u00fccher\u3002example',
      host,
    ];
    const { providers } = await client.crawlAll(spellings.map(domain));
    expect(providers).toMatchObject({ total: 1, ok: 1 });
    expect(pathsOf(host).filter((path) => path === WELL_KNOWN_PATH)).toHaveLength(1);
    const { records } = await client.find({ domain: domain('b\u00fccher.example') });
    expect(records).toMatchObject([{ domain: domain(host) }]);
  });

  it.each([
    ['a wildcard', '*.example.com'],
    ['a soft hyphen, which IDNA drops', 'exa\u00admple.com'],
    ['a zero-width space, which IDNA drops', 'exa\u200bmple.com'],
    ['a label of 64 characters', `${'a'.repeat(64)}.example`],
    ['a label that is 64 characters long in its ASCII form', `${'\u00fc'.repeat(60)}.example`],
    ['a name of 254 characters', `${'a.'.repeat(124)}exampl`],
    ['a percent-encoded dot', 'a%2eexample'],
    ['an empty label', 'a..example'],
  ])('%s is an input error, and nothing is asked', async (_, host) => {
    const { client, domain, asked } = await world({ 'b.example': goodSite() });
    const { outcomes = [] } = await client.crawlAll([domain(host), domain('b.example')], { outcomes: true });
    expect(outcomes.map(({ status, code = '' }) => `${status} ${code}`).sort()).toEqual([
      'failed INVALID_DOMAIN',
      'ok ',
    ]);
    expect(asked.every((request) => request.host === 'b.example')).toBe(true);
  });
});
