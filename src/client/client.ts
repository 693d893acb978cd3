import { linkSignals } from '../abort.ts';
import {
  type CrawlContext,
  type CrawlOptions,
  crawlDomains,
  createPacing,
  type Domains,
  descriptorCheck,
  discoverDomain,
  fetchDescriptor,
  indexCheck,
  type ProviderResult,
} from '../crawl/index.ts';
import { SkillscoutError } from '../errors.ts';
import {
  type CrawlEvent,
  type CrawlReport,
  createReport,
  type DescriptorOutcome,
  isSameSite,
  type ProviderOutcome,
  type SkillRecord,
  type SkillSummary,
} from '../protocol/index.ts';
import { createRegistry, type FindQuery, type GetQuery, type Page } from '../registry/index.ts';
import { type CacheMode, createTransport } from '../transport/index.ts';
import { type ClientOptions, requireKnown, resolveOptions } from './options.ts';

export interface RequestOptions {
  /** Aborts this call alone; the call then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Default `use`. */
  cacheMode?: CacheMode | undefined;
}

/** Finds, checks and remembers skills. Made by {@link createClient}. */
export interface Client extends AsyncDisposable {
  /**
   * Looks at one provider: its index, and every descriptor that the index names. What is good is stored.
   * Whatever goes wrong out there is in the outcome.
   */
  discover(domain: string, options?: RequestOptions): Promise<ProviderOutcome>;
  /**
   * Looks at many providers, with bounded concurrency, none twice within 100,000 domains. Domains are taken from the source only as
   * fast as events are consumed. Leaving the loop aborts the rest; what was reported by then is stored.
   */
  crawl(domains: Domains, options?: RequestOptions): AsyncIterableIterator<CrawlEvent>;
  /** The same to the end, in figures; `outcomes: true` keeps every domain's outcome in the report, in memory. */
  crawlAll(domains: Domains, options?: RequestOptions & { outcomes?: boolean }): Promise<CrawlReport>;
  /** Reads one descriptor by its URL. It is not stored: without an index nobody vouches for it. */
  fetchDescriptor(url: string, options?: RequestOptions): Promise<DescriptorOutcome>;
  /** Asks what is stored; no network. Records of private skills are given out only when the query asks for them. */
  find(query: FindQuery & { include: 'descriptor' }): Promise<Page<SkillRecord>>;
  find(query?: FindQuery): Promise<Page<SkillSummary>>;
  /** One stored skill, or undefined. A private one only with `includePrivate`. */
  get(query: GetQuery): Promise<SkillRecord | undefined>;
  /** Aborts what is under way and closes what the client made. Every later call rejects with `CLIENT_CLOSED`. */
  close(): Promise<void>;
}

/** Makes a {@link Client}. Throws TypeError for an option that cannot be used; does no I/O itself. */
export function createClient(options: ClientOptions = {}): Client {
  const { clock, store, ownsStore, onEvent, ...resolved } = resolveOptions(options);
  const { concurrency, limits, protocolVersion } = resolved;
  const pacing = createPacing({ clock, maxRetryAfterMs: resolved.maxRetryAfterMs, ...concurrency });
  const transport = createTransport({
    ...resolved.transport,
    credential: resolved.credential,
    sameSite: isSameSite,
    schedule: pacing.schedule,
  });
  const registry = createRegistry({ store });
  const checks = { protocolVersion, ...resolved.json };
  const context: CrawlContext = {
    get: pacing.retrying(transport.get),
    judgeTarget: transport.judgeTarget,
    clock,
    indexCheck: indexCheck(checks),
    descriptorCheck: descriptorCheck(checks),
    descriptorOrigins: resolved.descriptorOrigins,
    limits,
    providers: concurrency.providers,
    descriptorsAtOnce: concurrency.perOrigin,
  };

  const lifetime = new AbortController();
  const underway = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** Lets `close` wait for the work. */
  async function tracked<T>(work: Promise<T>): Promise<T> {
    underway.add(work);
    try {
      return await work;
    } finally {
      underway.delete(work);
    }
  }

  /** Checks what the caller passed and runs `work` under a signal that follows the caller's and the client's. */
  function during<T>(options: RequestOptions, work: (options: CrawlOptions) => Promise<T>): Promise<T> {
    const cacheMode = requireCallOptions(options);
    const link = linkSignals(options.signal, lifetime.signal);
    return tracked(work({ cacheMode, signal: link.signal }).finally(link.unlink));
  }

  function requireOpen(): void {
    if (closed) throw closedError();
  }

  async function remember({ outcome, at, listed, withdrawn }: ProviderResult): Promise<Evicted> {
    const { domain, view, code } = outcome;
    if (code === 'INVALID_DOMAIN') return { providers: 0, skills: 0 };
    const skills = outcome.skills.map(({ stale: _, ...skill }) => skill);
    const update = {
      domain,
      view,
      at,
      skills,
      withdrawn,
      ...(listed && { listed }),
    };
    const { evictedProviders, evictedSkills } = await tracked(registry.apply(update));
    if (evictedProviders > 0) {
      const message = `to make room, the store dropped ${evictedSkills} skills of ${evictedProviders} providers`;
      outcome.warnings.push({ code: 'STORE_EVICTED', message });
    }
    return { providers: evictedProviders, skills: evictedSkills };
  }

  async function* crawl(
    domains: Domains,
    options: RequestOptions,
    keepOutcomes: boolean,
  ): AsyncGenerator<CrawlEvent, CrawlReport, undefined> {
    requireOpen();
    requireDomains(domains);
    const cacheMode = requireCallOptions(options, ['outcomes']);
    const link = linkSignals(options.signal, lifetime.signal);
    const figures = createReport({ startedAt: clock.now(), keepOutcomes });
    const evicted: Evicted = { providers: 0, skills: 0 };
    try {
      for await (const result of crawlDomains(context, domains, { cacheMode, signal: link.signal })) {
        const { providers, skills } = await remember(result);
        evicted.providers += providers;
        evicted.skills += skills;
        figures.add(result.outcome);
        for (const event of eventsOf(result.outcome)) {
          onEvent(event);
          yield event;
        }
      }
      const report = { ...figures.finish(clock.now()), ...(evicted.providers > 0 && { evicted }) };
      const done: CrawlEvent = { type: 'done', report };
      onEvent(done);
      yield done;
      return report;
    } finally {
      link.unlink();
    }
  }

  async function find(query: FindQuery & { include: 'descriptor' }): Promise<Page<SkillRecord>>;
  async function find(query?: FindQuery): Promise<Page<SkillSummary>>;
  async function find(query: FindQuery = {}): Promise<Page<SkillSummary>> {
    requireOpen();
    return registry.find(query, clock.now());
  }

  function close(): Promise<void> {
    closed ??= (async () => {
      lifetime.abort(closedError());
      await Promise.allSettled(underway);
      await transport.close();
      if (ownsStore) await registry.close();
    })();
    return closed;
  }

  return {
    async discover(domain, options = {}) {
      requireOpen();
      return during(options, async (crawlOptions) => {
        const result = await discoverDomain(context, domain, crawlOptions);
        await remember(result);
        for (const event of eventsOf(result.outcome)) onEvent(event);
        return result.outcome;
      });
    },

    crawl: (domains, options = {}) => crawl(domains, options, false),

    async crawlAll(domains, options = {}) {
      const events = crawl(domains, options, options.outcomes ?? false);
      for (;;) {
        const next = await events.next();
        if (next.done) return next.value;
      }
    },

    async fetchDescriptor(url, options = {}) {
      requireOpen();
      return during(options, (crawlOptions) => fetchDescriptor(context, url, crawlOptions));
    },

    find,

    async get(query) {
      requireOpen();
      return registry.get(query, clock.now());
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

type Evicted = NonNullable<CrawlReport['evicted']>;

/** Refuses call options that nobody knows or that cannot be used; gives the cache mode. */
function requireCallOptions(options: RequestOptions, others: readonly string[] = []): CacheMode {
  requireKnown('options', options, ['signal', 'cacheMode', ...others]);
  const { signal, cacheMode = 'use' } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError('signal: expected an AbortSignal');
  if (cacheMode === 'use' || cacheMode === 'refresh' || cacheMode === 'bypass') return cacheMode;
  throw new TypeError("cacheMode: expected 'use', 'refresh' or 'bypass'");
}

const closedError = () => new SkillscoutError('CLIENT_CLOSED', 'the client was closed');

function eventsOf(outcome: ProviderOutcome): CrawlEvent[] {
  const { domain, skills, rejected } = outcome;
  return [
    ...skills.map((record) => ({ type: 'skill' as const, record })),
    ...rejected.map((rejection) => ({ type: 'rejected' as const, domain, rejection })),
    { type: 'provider', outcome },
  ];
}

function requireDomains(domains: unknown): void {
  const iterable =
    typeof domains === 'object' &&
    domains !== null &&
    (Symbol.iterator in domains || Symbol.asyncIterator in domains);
  if (!iterable) throw new TypeError('domains: expected an iterable or async iterable of domain names');
}
