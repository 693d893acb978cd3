import { LRUCache } from 'lru-cache';
import { linkSignals, onAbort } from '../abort.ts';
import { isSkillscoutError } from '../errors.ts';
import { type ParsedDomain, parseDomain } from '../protocol/index.ts';
import type { CrawlContext, CrawlOptions } from './context.ts';
import { discoverProvider, type ProviderResult, refusedDomain } from './discover-provider.ts';

/** Domains remembered within one crawl so that none is looked at twice; beyond that the oldest are forgotten. */
const MAX_REMEMBERED = 100_000;
/** Duplicates taken in one go. */
const IDLE_TURNS = 1000;
/** Characters of an unusable domain that its outcome repeats. */
const MAX_SHOWN_INPUT = 512;

export type Domains = Iterable<string> | AsyncIterable<string>;

/** Looks at one domain. An input that is no domain is an outcome too. */
export async function discoverDomain(
  context: CrawlContext,
  input: string,
  options: CrawlOptions,
): Promise<ProviderResult> {
  const parsed = parseInput(context, input);
  return parsed.ok ? discoverProvider(context, parsed.domain, options) : parsed.result;
}

/**
 * Looks at each domain once, as far as {@link MAX_REMEMBERED} of them tell, and yields results as they come. No more than `context.providers` domains are taken
 * from the source ahead of the consumer. Leaving the loop aborts what is under way and closes the source.
 */
export async function* crawlDomains(
  context: CrawlContext,
  domains: Domains,
  { signal, ...options }: CrawlOptions,
): AsyncGenerator<ProviderResult, void, undefined> {
  const link = linkSignals(signal);
  const frontier = new Frontier(context, domains, { ...options, signal: link.signal });
  try {
    yield* frontier.results();
  } finally {
    link.unlink();
    link.abort(new DOMException('The crawl was left', 'AbortError'));
    await frontier.settled();
  }
}

class Frontier {
  readonly #source: Iterator<string> | AsyncIterator<string>;
  readonly #seen = new LRUCache<string, true>({
    // Not `max`, for which it would set aside memory at once.
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
  });
  readonly #ready: ProviderResult[] = [];
  readonly #running = new Set<Promise<void>>();
  #pulling: Promise<void> | undefined;
  #exhausted = false;
  #failure: { error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(
    private readonly context: CrawlContext,
    domains: Domains,
    private readonly options: CrawlOptions,
  ) {
    this.#source =
      Symbol.asyncIterator in domains ? domains[Symbol.asyncIterator]() : domains[Symbol.iterator]();
    onAbort(options.signal, () => this.#fail(options.signal.reason));
  }

  async *results(): AsyncGenerator<ProviderResult, void, undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure.error;
      this.#pull();
      const result = this.#ready.shift();
      if (result) yield result;
      else if (this.#exhausted && this.#running.size === 0 && this.#pulling === undefined) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** Ends when nothing runs any more. A source that never answers its pending pull is not waited for. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
    if (!this.#exhausted) {
      this.#exhausted = true;
      const closed = Promise.resolve(this.#source.return?.()).catch(() => {});
      if (this.#pulling === undefined) await closed;
    }
  }

  get #full(): boolean {
    return this.#running.size + this.#ready.length >= this.context.providers;
  }

  #pull(): void {
    if (this.#pulling || this.#exhausted || this.#failure || this.#full) return;
    this.#pulling = this.#pullUntilFull()
      .catch((error) => {
        this.#exhausted = true;
        this.#fail(error);
      })
      .finally(() => {
        this.#pulling = undefined;
        this.#wake();
      });
  }

  async #pullUntilFull(): Promise<void> {
    let idle = 0;
    while (!this.#full && !this.#failure) {
      const next = await this.#source.next();
      if (next.done) {
        this.#exhausted = true;
        return;
      }
      if (this.#take(next.value)) continue;
      idle += 1;
      // A source of nothing but duplicates would keep timers and sockets from their turn.
      if (idle % IDLE_TURNS === 0) await this.context.clock.sleep(0, this.options.signal);
    }
  }

  /** Whether the input gives a result of its own. */
  #take(input: string): boolean {
    if (this.#failure) return false;
    const parsed = parseInput(this.context, input);
    const key = parsed.ok ? parsed.domain.domain : `\0${parsed.result.outcome.domain}`;
    if (this.#seen.has(key)) return false;
    this.#seen.set(key, true);
    if (!parsed.ok) {
      this.#ready.push(parsed.result);
      this.#wake();
      return true;
    }
    const look: Promise<void> = discoverProvider(this.context, parsed.domain, this.options)
      .then(
        (result) => void this.#ready.push(result),
        (error) => this.#fail(error),
      )
      .finally(() => {
        this.#running.delete(look);
        this.#pull();
        this.#wake();
      });
    this.#running.add(look);
    return true;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }
}

function parseInput(
  { clock }: CrawlContext,
  input: string,
): { ok: true; domain: ParsedDomain } | { ok: false; result: ProviderResult } {
  try {
    return { ok: true, domain: parseDomain(input) };
  } catch (error) {
    if (!isSkillscoutError(error)) throw error;
    return {
      ok: false,
      result: refusedDomain(
        (typeof input === 'string' ? input : typeof input).slice(0, MAX_SHOWN_INPUT),
        error.toJSON(),
        clock.now(),
      ),
    };
  }
}
