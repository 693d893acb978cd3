import { readFileSync } from 'node:fs';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { createProvider, FAULTS, type MockSite, serve, validDescriptor } from '../../mocks/index.ts';
import { type ClientOptions, type CrawlReport, createClient } from '../../src/index.ts';
import { brokenLinks, codeBlocks, root, typeErrors } from '../support/markdown.ts';
import { logTo } from './observability/log.ts';
import { measureWith } from './observability/measure.ts';

const document = readFileSync(`${root}docs/observability.md`, 'utf8');
const blocks = codeBlocks(document, 'ts');

const good = createProvider({
  domain: 'good.example',
  name: 'Good',
  skills: ['one', 'two'].map((id) => validDescriptor({ id })),
});
const sites: Record<string, MockSite> = {
  'good.example': good.handle,
  'partial.example': FAULTS['entry-without-access'].make(),
  'none.example': FAULTS['index-404'].make(),
  'failed.example': FAULTS['index-html'].make(),
};

/** Crawls the four sites and what is no domain. */
async function crawl(onEvent: ClientOptions['onEvent']): Promise<CrawlReport> {
  const server = await serve(
    async (request) => sites[new URL(request.url).hostname]?.(request) ?? Response.error(),
  );
  const client = createClient({
    lookup: server.lookup,
    unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
    onEvent,
  });
  try {
    const domains = Object.keys(sites).map((host) => `http://${host}:${server.port}`);
    return await client.crawlAll([...domains, 'no domain %s']);
  } finally {
    await client.close();
    await server.close();
  }
}

describe('docs/observability.md', () => {
  it.each(['log', 'measure'])('shows the program %s.ts to the letter', (name) => {
    expect(blocks).toContain(readFileSync(`${root}test/docs/observability/${name}.ts`, 'utf8'));
  });

  it('has programs that compile', () => {
    expect(typeErrors(blocks, 'test/docs/observability')).toEqual([]);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/observability.md')).toEqual([]);
  });

  it('names every member of an outcome', async () => {
    const seen = new Set<string>();
    await crawl((event) => {
      if (event.type === 'provider') for (const member of Object.keys(event.outcome)) seen.add(member);
    });
    expect([...seen].filter((member) => !document.includes(`\`${member}\``))).toEqual([]);
  });
});

describe('the logger', () => {
  it('writes a line for each rejected entry, each domain and the crawl', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
    const report = await crawl(logTo(logger));

    const byHost = (host: string) =>
      lines.filter(({ domain }) => typeof domain === 'string' && domain.includes(host));
    const [info, warn] = [pino.levels.values.info, pino.levels.values.warn];
    expect(byHost('good')).toMatchObject([
      { level: info, msg: 'ok', status: 'ok', skills: 2, rejected: 0, requests: 3, view: 'anonymous' },
    ]);
    expect(byHost('partial')).toMatchObject([
      { level: warn, code: 'VALIDATION_ERROR', index: 0 },
      { level: info, status: 'partial', skills: 2, rejected: 1 },
    ]);
    expect(byHost('none')).toMatchObject([{ level: info, status: 'none', code: 'INDEX_NOT_FOUND' }]);
    expect(byHost('failed')).toMatchObject([{ level: warn, status: 'failed', code: 'HTML_INSTEAD' }]);
    expect(byHost('no domain %s')).toMatchObject([{ level: warn, code: 'INVALID_DOMAIN', requests: 0 }]);
    expect(lines.at(-1)).toEqual({ level: info, msg: 'crawl done', ...report });
    expect(lines).toHaveLength(7);
  });
});

describe('the metrics', () => {
  it('add up to the report', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const meters = new MeterProvider({ readers: [reader] });
    const report = await crawl(measureWith(meters.getMeter('skillscout')));
    await meters.forceFlush();
    const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics[0]?.metrics ?? []);
    await meters.shutdown();

    const values = (name: string) =>
      Object.fromEntries(
        metrics
          .find(({ descriptor }) => descriptor.name === `skillscout.${name}`)
          ?.dataPoints.map(({ attributes, value }) => [
            Object.values(attributes).join(' ').trim(),
            typeof value === 'object' ? value.count : value,
          ]) ?? [],
      );
    expect(values('domains')).toEqual({
      ok: 1,
      partial: 1,
      'none INDEX_NOT_FOUND': 1,
      'failed HTML_INSTEAD': 1,
      'failed INVALID_DOMAIN': 1,
    });
    expect(values('skills')).toEqual({ '': report.skills.accepted });
    expect(values('rejections')).toEqual(report.codes.skills);
    expect(values('requests')).toEqual({ '': report.requests });
    expect(values('retries')).toEqual({ '': 0 });
    expect(values('received')).toEqual({ '': report.bytes });
    // Four indexes and four descriptors; what is no domain is no document.
    expect(values('documents')).toEqual({ miss: 8, hit: 0, revalidated: 0, stale: 0 });
    expect(values('domain.duration')).toEqual({ ok: 1, partial: 1, none: 1, failed: 2 });
    expect(values('domain.wait')).toEqual({ '': 5 });
  });
});
