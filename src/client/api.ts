import type { Domains } from '../crawl/index.ts';
import type { SkillFlag } from '../invoke/index.ts';
import type {
  Change,
  CrawlEvent,
  CrawlReport,
  DescriptorOutcome,
  InvocationOutcome,
  ProviderOutcome,
  ProviderStatus,
  SkillRecord,
  SkillSummary,
} from '../protocol/index.ts';
import type {
  ChangesQuery,
  FindQuery,
  GetQuery,
  Lock,
  Page,
  SkillPage,
  StatusQuery,
} from '../registry/index.ts';
import type { CacheMode } from '../transport/index.ts';
import type { ImportReport } from './snapshot.ts';
import type { LockVerdict } from './verify-lock.ts';

export interface RequestOptions {
  /** Aborts this call alone; the call then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Default `use`. */
  cacheMode?: CacheMode | undefined;
}

export interface CrawlCallOptions extends RequestOptions {
  /** Whether every domain's outcome is kept for the report, in memory. Default false. */
  outcomes?: boolean | undefined;
  /**
   * Whether nothing is stored, neither skills nor responses: the report says under `changes`, in memory, what would have become
   * of which skill; of private ones nothing. Asks every server, as `bypass` does. Default false.
   */
  dryRun?: boolean | undefined;
}

export interface RefreshOptions {
  /** Aborts the call, which then rejects with `signal.reason`. What was finished is stored and no longer due. */
  signal?: AbortSignal | undefined;
  /** Whether every known provider is looked at, due or not, and every document of it asked for. Default false. */
  all?: boolean | undefined;
  /** Whether every domain's outcome is kept for the report, in memory. Default false. */
  outcomes?: boolean | undefined;
}

export interface ExportOptions {
  /** Default false. */
  includePrivate?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface InvokeOptions {
  /**
   * Who asks (protocol, section 5). Default `{ id: 'skillscout', type: 'service' }`. Its `credentials` go to the endpoint of the
   * skill, wherever its publisher put that.
   */
  caller?: { id: string; type: string; credentials?: unknown } | undefined;
  /**
   * For the whole invocation, polling included; waiting for the approval is not. Default 60,000. Sent as `context.timeout_ms`.
   */
  timeoutMs?: number | undefined;
  /** Each status the provider reports, once per change. What it throws ends the call. */
  onStatus?: ((status: { executionId: string; status: string }) => void) | undefined;
  /** Warnings that do not keep the skill from being invoked. Default none. A lock is never overruled. */
  acceptWarnings?: readonly SkillFlag[] | undefined;
  /** Whether a private skill may be invoked. Default false: it is `SKILL_NOT_FOUND` then. */
  includePrivate?: boolean | undefined;
  /** Aborts this call alone; the call then rejects with `signal.reason`. What runs at the provider goes on there. */
  signal?: AbortSignal | undefined;
}

/** Gets every change as soon as it is stored. What it throws ends the call that found the change; a promise is not awaited. */
export type ChangeListener = (change: Change) => void;

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
  crawl(domains: Domains, options?: CrawlCallOptions): AsyncIterableIterator<CrawlEvent>;
  /** The same to the end, in figures. */
  crawlAll(domains: Domains, options?: CrawlCallOptions): Promise<CrawlReport>;
  /**
   * Looks again at the known providers whose next look is due, the most overdue first. Where an index has not changed since,
   * that is one conditional request: it vouches for descriptors up to a day past their own freshness.
   */
  refresh(options?: RefreshOptions): Promise<CrawlReport>;
  /** Reads one descriptor by its URL. It is not stored: without an index nobody vouches for it. */
  fetchDescriptor(url: string, options?: RequestOptions): Promise<DescriptorOutcome>;
  /** Asks what is stored; no network. Records of private skills are given out only when the query asks for them. */
  find(query: FindQuery & { include: 'descriptor' }): Promise<SkillPage<SkillRecord>>;
  find(query?: FindQuery): Promise<SkillPage<SkillSummary>>;
  /** One stored skill, or undefined. A private one only with `includePrivate`. */
  get(query: GetQuery): Promise<SkillRecord | undefined>;
  /**
   * Runs one stored skill at its publisher: checks `inputs` against its definitions, asks `invocation.approve`, sends one
   * request and follows it to its end. `skill` may be a record. Whatever goes wrong out there, and whatever keeps the skill from
   * being invoked, is in the outcome. Rejects with a TypeError for an option that cannot be used and for inputs that are no
   * plain JSON object.
   */
  invoke(
    skill: { domain: string; id: string },
    inputs: Record<string, unknown>,
    options?: InvokeOptions,
  ): Promise<InvocationOutcome>;
  /** What became of which skill, in the order of time. Changes of private skills only with `includePrivate`. */
  changes(query?: ChangesQuery): Promise<Page<Change>>;
  /** Calls `listener` with every change that this client finds from now on; gives the function that ends it. */
  subscribe(listener: ChangeListener, options?: { includePrivate?: boolean | undefined }): () => void;
  /** Looks again at every locked skill, asking its server, and tells what it is now; stores nothing. */
  verifyLock(lock: Lock, options?: { signal?: AbortSignal | undefined }): AsyncIterableIterator<LockVerdict>;
  /** All skills as the lines of a snapshot (NDJSON), without line ends; private ones only with `includePrivate`. */
  export(options?: ExportOptions): AsyncIterableIterator<string>;
  /**
   * Adds the skills of a snapshot, in pieces of any size, that are not known yet. Everything is judged anew; what is added is
   * marked `origin: 'imported'` and stale until its publisher was asked, which is due at once. Rejects with `SNAPSHOT_INVALID`.
   */
  import(
    snapshot: Iterable<string> | AsyncIterable<string>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<ImportReport>;
  /** The known providers: how the last look at each ended, how often looks succeeded, when the next one is due. */
  status(query?: StatusQuery): Promise<Page<ProviderStatus>>;
  /** Aborts what is under way and closes what the client made. Every later call rejects with `CLIENT_CLOSED`. */
  close(): Promise<void>;
}
