import type { Clock, ProviderOutcome } from '../index.ts';
import { type ParsedDomain, parseDomain } from '../protocol/index.ts';
import type { DiscoveryResult } from './api.ts';
import { toolError } from './make-tool.ts';
import { fitHits, hasShowableId } from './skill-hits.ts';
import type { ToolError } from './tool.ts';
import { cleanLine, NOTICE } from './untrusted.ts';

const MAX_LOOKS = 10;
const MINUTE = 60_000;
const MAX_HITS = 10;
const MESSAGE_TOKENS = 200;

/** Says no where an agent may not look at a domain, or not yet. What it lets through counts. */
export type DiscoveryGate = (domain: ParsedDomain) => ToolError | undefined;

/** Throws a TypeError for a list that cannot be used. */
export function createDiscoveryGate(
  discover: boolean | readonly string[],
  clock: Pick<Clock, 'now'>,
): DiscoveryGate {
  const allowed = typeof discover === 'boolean' ? [] : toList(discover);
  let looks: number[] = [];
  return (asked) => {
    if (discover !== true && !allowed.some((entry) => isBelow(asked, entry))) {
      return toolError('NOT_ALLOWED', `Who runs this agent does not allow it to look at ${asked.domain}.`);
    }
    const now = clock.now();
    // A clock may be set back: then nothing is left of the minute either.
    looks = looks.filter((at) => Math.abs(now - at) < MINUTE);
    if (looks.length >= MAX_LOOKS) {
      return toolError('TOO_MANY_CALLS', `No more than ${MAX_LOOKS} domains are looked at in a minute.`);
    }
    looks.push(now);
    return undefined;
  };
}

function toList(domains: readonly string[]): ParsedDomain[] {
  if (!Array.isArray(domains)) throw new TypeError('discover: expected true, false or a list of domains');
  try {
    return domains.map(parseDomain);
  } catch (error) {
    throw new TypeError(`discover: ${(error as Error).message}`, { cause: error });
  }
}

function isBelow(asked: ParsedDomain, allowed: ParsedDomain): boolean {
  if (asked.origin === allowed.origin) return true;
  const scheme = ({ origin }: ParsedDomain) => origin.slice(0, origin.indexOf(':'));
  return (
    asked.host.endsWith(`.${allowed.host}`) &&
    asked.port === allowed.port &&
    scheme(asked) === scheme(allowed)
  );
}

/** What the toolbox's `discoverDomain` tells of an outcome. */
export function toDiscoveryResult(
  { domain, status, code, message, skills, rejected }: ProviderOutcome,
  includePrivate: boolean,
): DiscoveryResult {
  const shown = skills.filter(
    (skill) => hasShowableId(skill) && (includePrivate || skill.access !== 'private'),
  );
  const rest = {
    notice: NOTICE,
    domain: cleanLine(domain, MESSAGE_TOKENS),
    status,
    ...(code && { code }),
    ...(message !== undefined && { message: cleanLine(message, MESSAGE_TOKENS) }),
    rejected: rejected.length,
    more: true,
  };
  const hits = fitHits(shown.slice(0, MAX_HITS), rest);
  return { ...rest, skills: hits, more: hits.length < shown.length };
}
