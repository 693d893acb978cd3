import { describe, expect, it } from 'vitest';
import { validDescriptor } from '../../mocks/documents.ts';
import { type CrawlContext, descriptorCheck, fetchDescriptor, indexCheck } from '../../src/crawl/index.ts';
import { createFakeGet, type FakeAnswer } from '../support/fake-get.ts';
import { createManualClock } from '../support/manual-clock.ts';

const URL_ASKED = 'https://a.example/x.json';

function setUp(answer: FakeAnswer) {
  const clock = createManualClock();
  const fake = createFakeGet({ [URL_ASKED]: answer, [`${URL_ASKED}?token=s3cret`]: answer }, clock.now);
  const checks = { protocolVersion: '1.0.0', maxDepth: 64 };
  const context: CrawlContext = {
    get: fake.get,
    judgeTarget: () => undefined,
    clock,
    indexCheck: indexCheck(checks),
    descriptorCheck: descriptorCheck(checks),
    descriptorOrigins: 'same-site',
    limits: { maxSkillsPerIndex: 1, maxRequestsPerDomain: 1, maxBytesPerDomain: 1, maxMsPerDomain: 1 },
    providers: 1,
    descriptorsAtOnce: 1,
  };
  const { signal } = new AbortController();
  return {
    asked: fake.asked,
    fetch: (url: string) => fetchDescriptor(context, url, { cacheMode: 'use', signal }),
  };
}

describe('fetchDescriptor', () => {
  it('gives the descriptor, and shows its URL without the query string', async () => {
    const descriptor = validDescriptor();
    const outcome = await setUp({ body: descriptor }).fetch(`${URL_ASKED}?token=s3cret`);
    expect(outcome).toMatchObject({ url: URL_ASKED, status: 'ok', descriptor, requests: 1, warnings: [] });
    expect(outcome).not.toHaveProperty('code');
  });

  it('says why a last good copy stands in', async () => {
    const outcome = await setUp({ body: validDescriptor(), cacheStatus: 'stale' }).fetch(URL_ASKED);
    expect(outcome).toMatchObject({ status: 'ok', cacheStatus: 'stale', code: 'SERVER_ERROR' });
  });

  it('says why there is none', async () => {
    const outcome = await setUp({ status: 404 }).fetch(URL_ASKED);
    expect(outcome).toMatchObject({ status: 'failed', code: 'SKILL_NOT_FOUND', details: { status: 404 } });
  });

  it('asks nothing for a URL that is refused', async () => {
    const { fetch, asked } = setUp({});
    expect(await fetch('javascript:alert(1)')).toMatchObject({
      status: 'failed',
      code: 'URL_REFUSED',
      requests: 0,
    });
    expect(asked).toEqual([]);
  });

  it('throws for what is no string', async () => {
    await expect(setUp({}).fetch(7 as unknown as string)).rejects.toThrow(
      new TypeError('url: expected a string'),
    );
  });
});
