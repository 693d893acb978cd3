import type { Meter } from '@opentelemetry/api';
import type { CrawlEvent } from 'skillscout';

const SECONDS = { unit: 's', advice: { explicitBucketBoundaries: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300] } };

/** Counters and histograms per status, code and cache status: a domain would make a series of its own. */
export function measureWith(meter: Meter): (event: CrawlEvent) => void {
  const domains = meter.createCounter('skillscout.domains', { unit: '{domain}' });
  const skills = meter.createCounter('skillscout.skills', { unit: '{skill}' });
  const rejections = meter.createCounter('skillscout.rejections', { unit: '{entry}' });
  const requests = meter.createCounter('skillscout.requests', { unit: '{request}' });
  const retries = meter.createCounter('skillscout.retries', { unit: '{request}' });
  const received = meter.createCounter('skillscout.received', { unit: 'By' });
  const documents = meter.createCounter('skillscout.documents', { unit: '{document}' });
  const duration = meter.createHistogram('skillscout.domain.duration', SECONDS);
  const wait = meter.createHistogram('skillscout.domain.wait', SECONDS);

  return (event) => {
    if (event.type !== 'provider') return;
    const { outcome } = event;
    const { status, code = '' } = outcome;
    domains.add(1, { status, code });
    skills.add(outcome.skills.length);
    for (const rejection of outcome.rejected) rejections.add(1, { code: rejection.code });
    requests.add(outcome.requests);
    retries.add(outcome.retries);
    received.add(outcome.bytes);
    for (const [cache, count] of Object.entries(outcome.documents)) documents.add(count, { cache });
    duration.record(outcome.durationMs / 1000, { status });
    wait.record(outcome.waitMs / 1000);
  };
}
