import pLimit from 'p-limit';

/** What skillscout does by default, so everybody does. */
const PROVIDERS = 64;
const REQUESTS = 64;
const PER_ORIGIN = 4;

/**
 * A contestant that needs nothing but a way to get a document: gets every index and what it names, keeps the descriptors.
 * `getJson` takes a URL and `{ refresh }`; `check` may refuse what was got.
 */
export function walker(
  getJson,
  { checkIndex = () => {}, checkDescriptor = () => {}, close = () => {} } = {},
) {
  const skills = new Map();

  async function crawl(hosts, options = {}) {
    const providers = pLimit(PROVIDERS);
    const requests = pLimit(REQUESTS);
    const failures = [];
    await providers.map(hosts, async (host) => {
      try {
        const index = await requests(() => getJson(`http://${host}/.well-known/skill-sharing`, options));
        checkIndex(index);
        await pLimit(PER_ORIGIN).map(index.skills, async ({ id, descriptor_url }) => {
          const descriptor = await requests(() => getJson(descriptor_url, options));
          checkDescriptor(descriptor);
          skills.set(`${host} ${id}`, descriptor);
        });
      } catch (error) {
        failures.push(error);
      }
    });
    return failures;
  }

  return { crawl, descriptors: () => skills.values(), close };
}
