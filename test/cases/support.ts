import { expect, onTestFinished } from 'vitest';
import {
  createProvider,
  type LoggedRequest,
  type MockSite,
  serve,
  validDescriptor,
  validEntry,
  validIndex,
  WELL_KNOWN_PATH,
} from '../../mocks/index.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
  type ProviderOutcome,
  type SkillDescriptor,
} from '../../src/index.ts';

export const LOOPBACK: ClientOptions['unsafe'] = {
  allowHttp: true,
  allowPrivateAddresses: ['127.0.0.0/8'],
};

/** A request as it came in, with the host that was asked. */
export type Asked = Pick<LoggedRequest, 'path' | 'headers'> & { host: string };

export interface World {
  client: Client;
  /** The domain of a host of this world, as it is given to the client: `http://<host>:<port>`. */
  domain(host: string): string;
  /** Every request so far, oldest first. */
  asked: Asked[];
  /** Paths asked of one host. */
  pathsOf(host: string): string[];
}

/** Several hosts behind one real socket, and a client that may reach them. A host that is not there answers 404. */
export async function world(sites: Record<string, MockSite>, options: ClientOptions = {}): Promise<World> {
  const asked: Asked[] = [];
  const server = await serve(async (request) => {
    const { hostname, pathname, search } = new URL(request.url);
    asked.push({
      host: hostname,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
    });
    return sites[hostname]?.(request) ?? new Response(null, { status: 404 });
  });
  const client = createClient({ lookup: server.lookup, unsafe: LOOPBACK, ...options });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return {
    client,
    domain: (host) => `http://${host}:${server.port}`,
    asked,
    pathsOf: (host) => asked.filter((request) => request.host === host).map(({ path }) => path),
  };
}

/** A provider that does everything right, with one skill per id. */
export const goodSite = (...ids: string[]): MockSite =>
  createProvider({
    domain: 'good.example',
    name: 'Good',
    skills: (ids.length > 0 ? ids : ['com.example.good']).map((id) => validDescriptor({ id })),
  }).handle;

/** Crawls A together with a good B; gives what became of A once B's skill is known to be there. */
export async function besideGood(
  site: MockSite,
  options: ClientOptions = {},
): Promise<World & { outcome: ProviderOutcome }> {
  const built = await world({ 'a.example': site, 'b.example': goodSite() }, options);
  const [a, b] = [built.domain('a.example'), built.domain('b.example')];
  const { outcomes = [] } = await built.client.crawlAll([a, b], { outcomes: true });
  const [outcome, good] = [a, b].map((domain) => outcomes.find((one) => one.domain === domain));
  expect(good).toMatchObject({ status: 'ok', skills: [{ id: 'com.example.good' }] });
  expect((await built.client.find({ domain: b })).records).toHaveLength(1);
  if (outcome === undefined) throw new Error('A has no outcome');
  return { ...built, outcome };
}

/**
 * A site from texts: its index at the well-known path, the rest by path. `{origin}` in a text stands for the site's own.
 * What is not there answers 404.
 */
export const textSite =
  (index: string, rest: Record<string, string> = {}): MockSite =>
  async (request) => {
    const { pathname, origin } = new URL(request.url);
    const text = pathname === WELL_KNOWN_PATH ? index : rest[pathname];
    if (text === undefined) return new Response(null, { status: 404 });
    return new Response(text.replaceAll('{origin}', origin), {
      headers: { 'content-type': 'application/json' },
    });
  };

/** The text of an index of these skills, each with its descriptor at `/<position>.json`, and those descriptors by path. */
export function documentsOf(skills: Partial<SkillDescriptor>[]): {
  index: string;
  descriptors: Record<string, string>;
} {
  const descriptors = skills.map((skill) => validDescriptor(skill));
  const entries = descriptors.map(({ id, name, capability_type, description, access, version }, i) =>
    validEntry({
      ...{ id, name, capability_type, description, access, version },
      descriptor_url: `{origin}/${i}.json`,
    }),
  );
  return {
    index: JSON.stringify(validIndex({ skills: entries })),
    descriptors: Object.fromEntries(descriptors.map((one, i) => [`/${i}.json`, JSON.stringify(one)])),
  };
}
