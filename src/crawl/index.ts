export { descriptorCheck, indexCheck } from './checks.ts';
export type { CrawlContext, CrawlLimits, CrawlOptions, DescriptorOrigins } from './context.ts';
export { crawlDomains, type Domains, discoverDomain } from './crawl-domains.ts';
export type { ProviderResult } from './discover-provider.ts';
export { fetchDescriptor } from './fetch-descriptor.ts';
export { KnownLooks } from './known-looks.ts';
export { createPacing } from './pacing.ts';
