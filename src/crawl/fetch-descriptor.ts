import { type DescriptorOutcome, parseHttpUrl, withoutQuery } from '../protocol/index.ts';
import type { CrawlContext, CrawlOptions } from './context.ts';
import { contentTypeWarnings, failureMembers } from './failures.ts';
import { addTraffic, noTraffic } from './traffic.ts';

/** Direct discovery (protocol section 2): one descriptor by its URL, with no index to hold it against. */
export async function fetchDescriptor(
  { get, clock, descriptorCheck }: CrawlContext,
  input: string,
  { cacheMode, signal }: CrawlOptions,
): Promise<DescriptorOutcome> {
  if (typeof input !== 'string') throw new TypeError('url: expected a string');
  const target = parseHttpUrl(input);
  if (!target.ok) {
    return {
      url: withoutQuery(input),
      status: 'failed',
      code: 'URL_REFUSED',
      message: `the descriptor URL is refused: ${target.reason}`,
      warnings: [],
      redirects: [],
      ...noTraffic(),
      durationMs: 0,
    };
  }
  const startedAt = clock.now();
  const result = await get({
    url: target.url.href,
    kind: 'descriptor',
    check: descriptorCheck,
    cacheMode,
    signal,
  });
  const { finalUrl, redirects, cacheStatus, fetchedAt, freshUntil } = result.report;
  const traffic = noTraffic();
  addTraffic(traffic, result.report);
  const durationMs = Math.max(0, clock.now() - startedAt);
  const seen = {
    url: withoutQuery(target.url),
    finalUrl,
    redirects,
    cacheStatus,
    ...traffic,
    durationMs,
  };
  if (!result.ok) return { ...seen, status: 'failed', ...failureMembers(result.failure), warnings: [] };
  return {
    ...seen,
    status: 'ok',
    ...(result.refreshFailure && failureMembers(result.refreshFailure)),
    descriptor: result.value.take(),
    warnings: contentTypeWarnings('descriptor', result.response.contentType),
    fetchedAt,
    freshUntil,
  };
}
