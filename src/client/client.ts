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
  KnownLooks,
  type ProviderResult,
} from '../crawl/index.ts';
import { SkillscoutError } from '../errors.ts';
import {
  type Change,
  type CrawlEvent,
  type CrawlReport,
  createReport,
  isSameSite,
  type ProviderOutcome,
  type SkillRecord,
  type SkillSummary,
} from '../protocol/index.ts';
import {
  type ApplyResult,
  createRegistry,
  type FindQuery,
  type ProviderUpdate,
  requireLock,
  type SkillPage,
} from '../registry/index.ts';
import { type CacheMode, createTransport } from '../transport/index.ts';
import type { ChangeListener, Client, CrawlCallOptions, RequestOptions } from './api.ts';
import { invokeStored, requireInvocation } from './invocation.ts';
import { lockJudge } from './lock-judge.ts';
import { mapAhead } from './map-ahead.ts';
import { type ClientOptions, resolveOptions } from './options.ts';
import { requireFlags, requireKnown, requireSignal } from './require.ts';
import { exportSnapshot, importSnapshot } from './snapshot.ts';
import { toUpdate } from './update.ts';
import { verifyLock } from './verify-lock.ts';

/** How long an unchanged index vouches for descriptors past their own freshness. */
const VOUCH_MS = 86_400_000;
/** Sockets that are kept open without a request, whatever the concurrency. */
const MAX_IDLE_SOCKETS = 1024;
/** Results that are being stored while the crawl goes on. */
const STORING_AHEAD = 32;

/** Makes a {@link Client}. Throws TypeError for an option that cannot be used; does no I/O itself. */
export function createClient(options: ClientOptions = {}): Client {
  const { clock, store, ownsStore, onEvent, lock, ...resolved } = resolveOptions(options);
  const { concurrency, limits, protocolVersion, retentionMs } = resolved;
  const pacing = createPacing({ clock, maxRetryAfterMs: resolved.maxRetryAfterMs, ...concurrency });
  const transport = createTransport({
    ...resolved.transport,
    credential: resolved.credential,
    sameSite: isSameSite,
    // All that the providers in progress may open: their sockets idle while answers are judged.
    maxIdleSockets: Math.min(concurrency.providers * concurrency.perOrigin, MAX_IDLE_SOCKETS),
    schedule: pacing.schedule,
  });
  const registry = createRegistry({ store, lock });
  const checks = { protocolVersion, ...resolved.json };
  // What a function of the caller's decides may come out differently each time; and some who have a lock look without it.
  const isAsked = Object.values(options.credentials ?? {}).some((given) => typeof given === 'function');
  const isSteady = lock === undefined && !isAsked && typeof resolved.descriptorOrigins !== 'function';
  const context: CrawlContext = {
    get: pacing.retrying(transport.get),
    judgeTarget: transport.judgeTarget,
    clock,
    indexCheck: indexCheck(checks),
    descriptorCheck: descriptorCheck(checks),
    descriptorOrigins: resolved.descriptorOrigins,
    limits,
    ...(lock && { judgeRecord: lockJudge(lock) }),
    ...(isSteady && { looks: new KnownLooks(transport.areFresh) }),
    providers: concurrency.providers,
    descriptorsAtOnce: concurrency.perOrigin,
  };

  const invocation = {
    // What a lock keeps from being used is told apart from what is not there.
    registry: lock ? createRegistry({ store }) : registry,
    judgeRecord: lock && lockJudge(lock),
    context: {
      ...{ clock, protocolVersion, send: transport.send, judgeTarget: transport.judgeTarget },
      ...{ json: resolved.json, maxRetryAfterMs: resolved.maxRetryAfterMs },
      ...resolved.invocation,
    },
  };

  const lifetime = new AbortController();
  const underway = new Set<Promise<unknown>>();
  const subscriptions = new Set<{ listener: ChangeListener; includePrivate: boolean }>();
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

  /** Stores what a look found. Gives undefined where there was nothing to look at. */
  function remember(result: ProviderResult, dryRun: boolean): Promise<ApplyResult | undefined> {
    const { outcome } = result;
    if (outcome.code === 'INVALID_DOMAIN') return Promise.resolve(undefined);
    return tracked(
      (async () => {
        const applied = await applyAloud(await toUpdate(result, retentionMs), { dryRun });
        const { evictedProviders, evictedSkills } = applied;
        if (evictedProviders > 0) {
          const message = `to make room, the store dropped ${evictedSkills} skills of ${evictedProviders} providers`;
          outcome.warnings.push({ code: 'STORE_EVICTED', message });
        }
        return applied;
      })(),
    );
  }

  /** Stores, and tells who listens. */
  async function applyAloud(update: ProviderUpdate, options: { dryRun: boolean }): Promise<ApplyResult> {
    const applied = await registry.apply(update, options);
    if (!options.dryRun && subscriptions.size > 0) {
      for (const { isPrivate, ...change } of applied.changes) announce(change, isPrivate);
    }
    return applied;
  }

  function announce(change: Change, isPrivate: boolean): void {
    for (const { listener, includePrivate } of subscriptions) {
      if (includePrivate || !isPrivate) listener(change);
    }
  }

  async function* eventsOfCrawl(
    domains: Domains,
    options: CrawlCallOptions,
  ): AsyncGenerator<CrawlEvent, void, undefined> {
    requireOpen();
    for await (const events of crawl(domains, crawlPlan(domains, options))) {
      for (const event of events) {
        if (event.type === 'skill') toPlain(event.record);
        onEvent?.(event);
        yield event;
      }
    }
  }

  /** Nobody takes the events one by one, which costs as much as to read an answer. */
  async function reportOf(crawled: AsyncIterable<CrawlEvent[]>, isWatched: boolean): Promise<CrawlReport> {
    let report: CrawlReport | undefined;
    for await (const events of crawled) {
      for (const event of events) {
        if (event.type === 'skill' && (isWatched || onEvent)) toPlain(event.record);
        onEvent?.(event);
        if (event.type === 'done') report = event.report;
      }
    }
    return report as CrawlReport;
  }

  /** Gives the events of each provider together. */
  async function* crawl(
    domains: Domains,
    { signal, dryRun, outcomes, ...options }: CrawlPlan,
  ): AsyncGenerator<CrawlEvent[], void, undefined> {
    const link = linkSignals(signal, lifetime.signal);
    const figures = createReport({ startedAt: clock.now(), keepOutcomes: outcomes });
    const evicted = { providers: 0, skills: 0 };
    const changes: Change[] = [];
    const looks = mapAhead(crawlDomains(context, domains, { ...options, signal: link.signal }), {
      ahead: STORING_AHEAD,
      map: async (result) => ({ outcome: result.outcome, applied: await remember(result, dryRun) }),
      stop: () => link.abort(new DOMException('The crawl was left', 'AbortError')),
    });
    try {
      for await (const { outcome, applied } of looks) {
        evicted.providers += applied?.evictedProviders ?? 0;
        evicted.skills += applied?.evictedSkills ?? 0;
        if (dryRun) for (const change of publicChanges(applied)) changes.push(change);
        figures.add(outcome);
        yield eventsOf(outcome);
      }
      const collisions = dryRun ? undefined : await tracked(registry.collisions());
      const report = {
        ...figures.finish(clock.now()),
        ...(collisions && collisions.total > 0 && { collisions }),
        ...(evicted.providers > 0 && { evicted }),
        ...(dryRun && { changes }),
      };
      yield [{ type: 'done', report }];
    } finally {
      link.unlink();
    }
  }

  async function find(query: FindQuery & { include: 'descriptor' }): Promise<SkillPage<SkillRecord>>;
  async function find(query?: FindQuery): Promise<SkillPage<SkillSummary>>;
  async function find(query: FindQuery = {}): Promise<SkillPage<SkillSummary>> {
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
        await remember(result, false);
        for (const record of result.outcome.skills) toPlain(record);
        if (onEvent) for (const event of eventsOf(result.outcome)) onEvent(event);
        return result.outcome;
      });
    },

    crawl: (domains, options = {}) => eventsOfCrawl(domains, options),

    async crawlAll(domains, options = {}) {
      requireOpen();
      const plan = crawlPlan(domains, options);
      return reportOf(crawl(domains, plan), plan.outcomes);
    },

    async refresh(options = {}) {
      requireOpen();
      requireKnown('options', options, ['signal', 'all', 'outcomes']);
      const { signal, all = false, outcomes = false } = options;
      requireSignal(signal);
      requireFlags({ all, outcomes });
      const plan = { signal, outcomes, dryRun: false };
      return all
        ? reportOf(crawl(registry.all(), { ...plan, cacheMode: 'refresh' }), outcomes)
        : reportOf(
            crawl(registry.due(clock.now()), { ...plan, cacheMode: 'use', revisit: { vouchMs: VOUCH_MS } }),
            outcomes,
          );
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

    async invoke(skill, inputs, options = {}) {
      requireOpen();
      const plea = requireInvocation(skill, inputs, options, resolved.json);
      const link = linkSignals(options.signal, lifetime.signal);
      return tracked(invokeStored(invocation, plea, link.signal).finally(link.unlink));
    },

    async changes(query = {}) {
      requireOpen();
      return registry.changes(query);
    },

    subscribe(listener, options = {}) {
      requireOpen();
      if (typeof listener !== 'function') throw new TypeError('listener: expected a function');
      requireKnown('options', options, ['includePrivate']);
      const { includePrivate = false } = options;
      requireFlags({ includePrivate });
      const subscription = { listener, includePrivate };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },

    async *verifyLock(given, options = {}) {
      requireOpen();
      requireKnown('options', options, ['signal']);
      requireSignal(options.signal);
      const { judgeRecord: _, ...unlocked } = context;
      const link = linkSignals(options.signal, lifetime.signal);
      try {
        yield* verifyLock(unlocked, registry, requireLock(given), { now: clock.now, signal: link.signal });
      } finally {
        link.unlink();
      }
    },

    async *export(options = {}) {
      requireOpen();
      requireKnown('options', options, ['includePrivate', 'signal']);
      const { includePrivate = false, signal } = options;
      requireFlags({ includePrivate });
      requireSignal(signal);
      yield* exportSnapshot(registry, { includePrivate, now: clock.now(), signal });
    },

    async import(snapshot, options = {}) {
      requireOpen();
      requireKnown('options', options, ['signal']);
      requireSignal(options.signal);
      const now = clock.now();
      const times = { now, forgetBefore: now - retentionMs };
      const link = linkSignals(options.signal, lifetime.signal);
      const imported = importSnapshot({ apply: applyAloud }, snapshot, { ...checks, ...times }, link.signal);
      return tracked(imported.finally(link.unlink));
    },

    async status(query = {}) {
      requireOpen();
      return registry.status(query, clock.now());
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

interface CrawlPlan extends Omit<CrawlOptions, 'signal'> {
  signal: AbortSignal | undefined;
  dryRun: boolean;
  outcomes: boolean;
}

function crawlPlan(domains: unknown, options: CrawlCallOptions): CrawlPlan {
  requireDomains(domains);
  const cacheMode = requireCallOptions(options, ['outcomes', 'dryRun']);
  const { signal, dryRun = false, outcomes = false } = options;
  requireFlags({ dryRun, outcomes });
  return { signal, dryRun, outcomes, cacheMode: dryRun ? 'bypass' : cacheMode };
}

/** Refuses call options that nobody knows or that cannot be used; gives the cache mode. */
function requireCallOptions(options: RequestOptions, others: readonly string[] = []): CacheMode {
  requireKnown('options', options, ['signal', 'cacheMode', ...others]);
  const { signal, cacheMode = 'use' } = options;
  requireSignal(signal);
  if (cacheMode === 'use' || cacheMode === 'refresh' || cacheMode === 'bypass') return cacheMode;
  throw new TypeError("cacheMode: expected 'use', 'refresh' or 'bypass'");
}

const publicChanges = (applied: ApplyResult | undefined): Change[] =>
  (applied?.changes ?? []).flatMap(({ isPrivate, ...change }) => (isPrivate ? [] : [change]));

const closedError = () => new SkillscoutError('CLIENT_CLOSED', 'the client was closed');

/** What is handed out is plain data; a descriptor that nobody sees stays text. */
function toPlain(record: SkillRecord): void {
  const { descriptor: value } = record;
  Object.defineProperty(record, 'descriptor', {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

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
