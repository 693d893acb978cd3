export type { DomainLimits } from './budget.ts';
export { type CheckOptions, descriptorCheck, indexCheck } from './checks.ts';
export type { CrawlContext, CrawlLimits, CrawlOptions, DescriptorOrigins } from './context.ts';
export { crawlDomains, type Domains, discoverDomain } from './crawl-domains.ts';
export type { ProviderResult } from './discover-provider.ts';
export { fetchDescriptor } from './fetch-descriptor.ts';
export type { GateLimits, Schedule } from './gates.ts';
export { createPacing, type Pacing, type PacingOptions } from './pacing.ts';
export { createReport } from './report.ts';
