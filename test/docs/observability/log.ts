import type { Logger } from 'pino';
import type { CrawlEvent } from 'skillscout';

/** One line for each rejected entry, each domain and each crawl. */
export function logTo(logger: Logger): (event: CrawlEvent) => void {
  return (event) => {
    if (event.type === 'rejected') {
      const { domain, rejection } = event;
      const { id, index, code, message } = rejection;
      logger.warn({ domain, id, index, code }, message);
    }
    if (event.type === 'provider') {
      const { skills, rejected, warnings, message, provider, violations, details, ...figures } =
        event.outcome;
      const counts = { skills: skills.length, rejected: rejected.length };
      const line = { ...figures, ...counts, warnings: warnings.map(({ code }) => code) };
      // A good copy that stands in for a failed refresh has a code too; that there is no index is no failure.
      const level = figures.code === undefined || figures.status === 'none' ? 'info' : 'warn';
      logger[level](line, message ?? figures.status);
    }
    if (event.type === 'done') {
      const { outcomes, ...figures } = event.report;
      logger.info(figures, 'crawl done');
    }
  };
}
