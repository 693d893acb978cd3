import {
  type CacheEntry,
  type CacheMode,
  type CacheStatus,
  type Client,
  type ClientOptions,
  createClient,
  type ProviderOutcome,
  type SkillRecord,
  wellKnownUrl,
} from '../index.ts';
import { ResponseLog } from './response-log.ts';

/** How a good document was served. */
export interface Served {
  /** As it was asked for. */
  url: string;
  /** After redirects, without its query string. */
  document: string;
  /** Absent where the server forbids keeping it. */
  entry?: CacheEntry;
  /** What asking once more, conditionally, gave; absent where that failed. */
  again?: 'confirmed' | 'repeated' | 'different';
}

/** A look at a provider, as one caller sees it. */
export interface Look {
  outcome: ProviderOutcome;
  /** Absent where there is no good index. */
  index?: Served;
  /** How the descriptors of the first {@link MAX_ASKED_AGAIN} skills were served. */
  descriptors: Served[];
}

/** Descriptors of one provider that are asked for twice: one server serves them all alike. */
const MAX_ASKED_AGAIN = 100;

type Ask = (cacheMode: CacheMode) => Promise<{ cacheStatus?: CacheStatus }>;

/** Looks at a provider, then asks for its index and descriptors once more. Stores nothing. */
export async function lookAt(domain: string, options: ClientOptions, signal: AbortSignal): Promise<Look> {
  const log = new ResponseLog();
  const shared = { ...options, cacheStore: log };
  return withClient(shared, async (client) => {
    const outcome = await client.discover(domain, { signal });
    if (outcome.provider === undefined) return { outcome, descriptors: [] };
    const { finalUrl = wellKnownUrl(domain) } = outcome;
    const place = { url: wellKnownUrl(domain), document: finalUrl };
    // It takes no descriptors, so that the index alone is asked.
    const index = await withClient({ ...shared, descriptorOrigins: () => false }, (reader) =>
      askAgain(log, place, (cacheMode) => reader.discover(domain, { cacheMode, signal })),
    );
    const descriptors = await Promise.all(
      outcome.skills.slice(0, MAX_ASKED_AGAIN).map((skill) => {
        const url = urlOf(skill, outcome);
        return askAgain(log, { url, document: skill.descriptorUrl }, (cacheMode) =>
          client.fetchDescriptor(url, { cacheMode, signal }),
        );
      }),
    );
    return { outcome, index, descriptors };
  });
}

/** Of these skills, those whose descriptors are given to anonymous callers. */
export async function readableAnonymously(
  { skills, outcome }: { skills: SkillRecord[]; outcome: ProviderOutcome },
  options: ClientOptions,
  signal: AbortSignal,
): Promise<SkillRecord[]> {
  return withClient(options, async (client) => {
    const looks = skills.slice(0, MAX_ASKED_AGAIN).map(async (skill) => {
      const { status } = await client.fetchDescriptor(urlOf(skill, outcome), { signal });
      return status === 'ok' ? [skill] : [];
    });
    return (await Promise.all(looks)).flat();
  });
}

/** How a document was served, and what asking for it once more gives. */
export async function askAgain(
  log: ResponseLog,
  place: Pick<Served, 'url' | 'document'>,
  ask: Ask,
): Promise<Served> {
  const entry = log.of(place.url);
  if (entry === undefined) return place;
  const { cacheStatus } = await ask('refresh');
  const second = log.of(place.url);
  if (cacheStatus === 'revalidated') return { ...place, entry, again: 'confirmed' };
  if (second === undefined || second === entry) return { ...place, entry };
  return { ...place, entry, again: second.text === entry.text ? 'repeated' : 'different' };
}

/** As its entry has it; a relative one is relative to the index. */
function urlOf({ descriptor_url }: SkillRecord, { finalUrl }: ProviderOutcome): string {
  return new URL(descriptor_url, finalUrl).href;
}

export async function withClient<T>(
  options: ClientOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = createClient(options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
