// As fast as its options allow: nothing on disk, no sessions, and always 64 requests under way.
import { Configuration, HttpCrawler, LogLevel, log } from '@crawlee/http';

export function open() {
  log.setLevel(LogLevel.OFF);
  const skills = new Map();

  async function crawl(hosts) {
    const failures = [];
    const crawler = new HttpCrawler(
      {
        minConcurrency: 64,
        maxConcurrency: 64,
        useSessionPool: false,
        persistCookiesPerSession: false,
        async requestHandler({ request, json, crawler }) {
          const { host, isIndex } = request.userData;
          if (!isIndex) return void skills.set(`${host} ${json.id}`, json);
          const requests = json.skills.map(({ descriptor_url }) => ({
            url: descriptor_url,
            userData: { host },
          }));
          await crawler.addRequests(requests, { forefront: true });
        },
        failedRequestHandler: (_context, error) => void failures.push(error),
      },
      new Configuration({ persistStorage: false }),
    );
    await crawler.run(
      hosts.map((host) => ({
        url: `http://${host}/.well-known/skill-sharing`,
        userData: { host, isIndex: true },
      })),
    );
    await crawler.teardown();
    return failures;
  }

  return { crawl, descriptors: () => skills.values(), close() {} };
}
