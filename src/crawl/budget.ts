import { linkSignals } from '../abort.ts';
import type { Clock } from '../clock.ts';
import type { Failure } from '../errors.ts';
import type { Traffic } from '../protocol/index.ts';
import type { GetReport } from '../transport/index.ts';
import { addTraffic, noTraffic } from './traffic.ts';

/** What one domain may cost in one look at it: past a limit no further request starts; what is under way may still end. */
export interface DomainLimits {
  /** Redirects and retries included. */
  maxRequestsPerDomain: number;
  /** Body bytes after decompression. */
  maxBytesPerDomain: number;
  maxMsPerDomain: number;
}

/**
 * One domain's totals. The signal aborts with the caller's, or when the time is used up; then, as when requests or bytes are,
 * `exceeded` says so.
 */
export class DomainBudget {
  /** What the domain has cost so far. */
  readonly traffic: Traffic = noTraffic();
  readonly #limits: DomainLimits;
  readonly #clock: Clock;
  readonly #caller: AbortSignal;
  readonly #startedAt: number;
  readonly #link: ReturnType<typeof linkSignals>;

  constructor(limits: DomainLimits, clock: Clock, caller: AbortSignal) {
    this.#limits = limits;
    this.#clock = clock;
    this.#caller = caller;
    this.#startedAt = clock.now();
    this.#link = linkSignals(caller);
    clock.sleep(limits.maxMsPerDomain, this.signal).then(
      () => this.#link.abort(usedUp(`${limits.maxMsPerDomain} ms`)),
      () => {},
    );
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  get durationMs(): number {
    return Math.max(0, this.#clock.now() - this.#startedAt);
  }

  count(report: GetReport): void {
    addTraffic(this.traffic, report);
  }

  /** Why no further request may be made, if so. Throws the caller's reason when it was the caller who aborted. */
  exceeded(): Failure | undefined {
    this.#caller.throwIfAborted();
    const { maxRequestsPerDomain, maxBytesPerDomain } = this.#limits;
    if (this.signal.aborted) return this.signal.reason as Failure;
    if (this.traffic.requests >= maxRequestsPerDomain) return usedUp(`${maxRequestsPerDomain} requests`);
    if (this.traffic.bytes >= maxBytesPerDomain) return usedUp(`${maxBytesPerDomain} bytes`);
    return undefined;
  }

  close(): void {
    this.#link.unlink();
    this.#link.abort(usedUp('work'));
  }
}

const usedUp = (limit: string): Failure => ({
  code: 'BUDGET_EXCEEDED',
  message: `this domain's total of ${limit} is used up`,
});
