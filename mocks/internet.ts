import type { AccessLevel, CapabilityType, ProviderOutcome } from '../src/protocol/index.ts';
import type { FaultCode } from './answers.ts';
import { generateSkill, TOPICS } from './catalogue.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { createProvider } from './provider.ts';
import { createRandom } from './random.ts';
import { errorResponse } from './responses.ts';
import type { MockSite } from './site.ts';

export interface InternetOptions {
  /** The same seed and number of providers give the same bytes; default 1. */
  seed?: number;
  /** How many domains there are. */
  providers: number;
  /** Share of the domains that have a fault, from 0 to 1; default 0.1. */
  faulty?: number;
  /**
   * The faults that occur, each as likely as the others. Default: those that answer at once, in little memory, and mean the
   * same to a client that reaches this internet over http on loopback.
   */
  faults?: readonly [FaultName, ...FaultName[]];
}

/** What an anonymous crawl with default settings must report for one domain. */
export interface Expectation {
  status: ProviderOutcome['status'];
  /** Of the domain where its index is at fault. */
  code?: FaultCode;
  /** Set where one entry is at fault. */
  rejectedCode?: FaultCode;
  /** The skills that must be accepted, in the order of the index. */
  skills: { id: string; capability_type: CapabilityType; access: AccessLevel }[];
}

export interface MockInternet {
  /** All domains, as hosts. */
  readonly domains: readonly string[];
  /** Answers for every domain, whatever port the request names; 421 for hosts that are none of them. */
  readonly handle: MockSite;
  /** What is true of a domain of {@link domains}; a RangeError for others. */
  expectation(domain: string): Expectation;
}

const QUICK_FAULTS = [
  'index-404',
  'index-410',
  'index-401',
  'index-403',
  'index-429',
  'index-500',
  'index-challenge',
  'index-html',
  'index-empty',
  'index-truncated',
  'index-encoding',
  'index-reset',
  'index-redirect-loop',
  'index-redirect-elsewhere',
  'index-next-major',
  'index-without-provider',
  'descriptor-404',
  'descriptor-html',
  'descriptor-next-major',
  'descriptor-other-type',
  'descriptor-without-endpoint',
  'entry-without-access',
  'entry-private',
  'entry-duplicate-id',
  'entry-javascript',
  'entry-169.254.169.254',
  'harmless-bom',
  'harmless-next-minor',
  'harmless-unknown-members',
  'harmless-octet-stream',
] as const satisfies readonly FaultName[];

/** Providers kept once they were generated; others are generated again when they are asked. */
const KEPT = 256;

interface Domain {
  site: MockSite;
  expectation: Expectation;
}

/**
 * An internet of providers with 1 to 12 skills each, of every capability type, access level and kind of authentication,
 * some of them with a fault. A provider is generated when it is first asked, so that ten thousand cost no more than a list.
 * Throws a TypeError for a count that is not a non-negative integer or a share outside 0 to 1.
 */
export function createInternet(options: InternetOptions): MockInternet {
  const { seed = 1, providers, faulty = 0.1, faults = QUICK_FAULTS } = options;
  if (!Number.isSafeInteger(providers) || providers < 0) throw new TypeError('providers: expected a count');
  if (!(faulty >= 0 && faulty <= 1)) throw new TypeError('faulty: expected a share from 0 to 1');
  const positions = new Map(Array.from({ length: providers }, (_, n) => [domainName(n), n]));
  const kept = new Map<string, Domain>();

  function generate(domain: string, n: number): Domain {
    const random = createRandom(`${seed}/${n}`);
    const topic = topicOf(n);
    const name = `${topic.name[0]?.toUpperCase()}${topic.name.slice(1)} ${n}`;
    const fault = random.next() < faulty ? FAULTS[random.pick(faults)] : undefined;
    const count = random.integer(1, 12);
    const skills = Array.from({ length: count }, (_, k) => generateSkill(random, topic, domain, name, k + 1));
    const { handle } = createProvider({ domain, name, skills });
    const visible = skills
      .filter(({ access }) => access !== 'private')
      .map(({ id, capability_type, access }) => ({ id, capability_type, access }));
    // A fault in one entry needs an entry.
    if (!fault || (fault.hits === 'entry' && visible.length === 0)) {
      return { site: handle, expectation: { status: 'ok', skills: visible } };
    }
    const { hits, status, code } = fault;
    const expectation: Expectation = {
      status,
      ...(code && (hits === 'index' ? { code } : { rejectedCode: code })),
      skills: hits === 'index' ? [] : visible.slice(hits === 'entry' ? 1 : 0),
    };
    return { site: fault.make(handle), expectation };
  }

  function find(domain: string): Domain | undefined {
    const n = positions.get(domain);
    if (n === undefined) return undefined;
    const known = kept.get(domain);
    if (known) return known;
    const generated = generate(domain, n);
    kept.set(domain, generated);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return generated;
  }

  return {
    domains: [...positions.keys()],
    async handle(request) {
      const { hostname } = new URL(request.url);
      const domain = find(hostname);
      return domain
        ? domain.site(request)
        : errorResponse(421, 'MISDIRECTED_REQUEST', `There is no site at ${hostname}.`);
    },
    expectation(domain) {
      const found = find(domain);
      if (!found) throw new RangeError(`${domain} is not a domain of this internet`);
      return found.expectation;
    },
  };
}

function topicOf(n: number) {
  return TOPICS[n % TOPICS.length] ?? TOPICS[0];
}

function domainName(n: number): string {
  return `${topicOf(n).name}-${n}.example`;
}
