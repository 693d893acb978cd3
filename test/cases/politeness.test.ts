import { describe, expect, it } from 'vitest';
import { type MockSite, WELL_KNOWN_PATH } from '../../mocks/index.ts';
import { systemClock } from '../../src/index.ts';
import { besideGood, documentsOf, goodSite, textSite, world } from './support.ts';

describe('[F9] a domain without an index', () => {
  it('costs it one request, from a client that says who it is and where to read about it', async () => {
    const { client, domain, asked } = await world({});
    const a = domain('a.example');
    for (const cost of [1, 0, 0]) expect((await client.discover(a)).requests).toBe(cost);
    await client.crawlAll([a, `${a}/`, a.toUpperCase()]);
    expect(asked).toMatchObject([{ host: 'a.example', path: WELL_KNOWN_PATH }]);
    expect(asked[0]?.headers['user-agent']).toMatch(/^skillscout\/\d+\.\d+\.\d+ \(\+https:\/\/\S+\)$/);
  });

  it('costs one request where a great many callers ask at once', async () => {
    const { client, domain, asked } = await world({});
    const a = domain('a.example');
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => client.discover(a)));
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['INDEX_NOT_FOUND']));
    expect(asked).toHaveLength(1);
  });
});

describe('[F13] limits inside limits', () => {
  const concurrency = { global: 1, perOrigin: 1, providers: 1 };

  it('do not wait for each other: everything at once 1, three descriptors', async () => {
    const { client, domain } = await world({ 'a.example': goodSite('one', 'two', 'three') }, { concurrency });
    expect((await client.discover(domain('a.example'))).skills).toHaveLength(3);
  });

  it('nor with redirects, retries and other hosts in between', async () => {
    const { index, descriptors } = documentsOf([{ id: 'one' }, { id: 'two' }, { id: 'three' }]);
    const documents = textSite(index, descriptors);
    const failedOnce = new Set<string>();
    const shaky: MockSite = async (request) => {
      const url = new URL(request.url);
      if (!url.searchParams.has('moved')) {
        return new Response(null, { status: 302, headers: { location: `${url.pathname}?moved` } });
      }
      if (failedOnce.has(url.pathname)) return documents(request);
      failedOnce.add(url.pathname);
      return new Response(null, { status: 500 });
    };
    const hurried = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
    };
    const { client, domain } = await world(
      { 'a.example': shaky, 'b.example': shaky, 'c.example': goodSite('one') },
      { concurrency, clock: hurried, http: { timeoutMs: 3_600_000 } },
    );
    const report = await client.crawlAll(['a.example', 'b.example', 'c.example'].map(domain));
    expect(report).toMatchObject({ providers: { ok: 3 }, skills: { accepted: 7, rejected: 0 } });
  });
});

it('[A17] passes a filter that lets in who says who it is', async () => {
  const filter: MockSite = (request) =>
    /^skillscout\/[\d.]+ \(\+https:/.test(request.headers.get('user-agent') ?? '')
      ? goodSite('one')(request)
      : Promise.resolve(new Response('<title>Access denied</title>', { status: 403 }));
  expect((await besideGood(filter)).outcome).toMatchObject({ status: 'ok', skills: [{ id: 'one' }] });
  const { outcome, pathsOf } = await besideGood(filter, { userAgent: 'node' });
  expect(outcome).toMatchObject({ status: 'failed', code: 'BLOCKED' });
  expect(pathsOf('a.example')).toHaveLength(1);
});

describe('[F10] what asking again cannot mend', () => {
  it.each<[string, number, string, string]>([
    ['a refusal', 403, '', 'PERMISSION_DENIED'],
    ['a request that is called wrong', 400, '', 'HTTP_STATUS'],
    ['a web page', 200, '<!doctype html><p>Hello', 'HTML_INSTEAD'],
    ['no JSON', 200, '{"protocol":', 'NOT_JSON'],
    ['a broken schema', 200, '{"protocol":{"version":"1.0.0"}}', 'VALIDATION_ERROR'],
    ['another version', 200, '{"protocol":{"version":"2.0.0"}}', 'VERSION_INCOMPATIBLE'],
  ])('%s costs one request', async (_, status, text, code) => {
    const { outcome, pathsOf } = await besideGood(async () => new Response(text, { status }));
    expect(outcome).toMatchObject({ code, requests: 1, retries: 0 });
    expect(pathsOf('a.example')).toHaveLength(1);
  });
});
