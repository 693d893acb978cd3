import { type CacheEntry, type Credential, type ProviderOutcome, wellKnownUrl } from '../index.ts';
import type { Found } from './inspection.ts';
import type { Served } from './inspection-look.ts';

/** What both views show is found once; the rest is told with who was shown it. */
export function byView(anonymous: Found[], authenticated: Found[], label: string): Found[] {
  const [seenByAll, seenByHolder] = [anonymous, authenticated].map(
    (found) => new Set(found.map((each) => JSON.stringify(each))),
  );
  return [
    ...anonymous.map((each) =>
      seenByHolder?.has(JSON.stringify(each)) ? each : { ...each, view: 'anonymous' },
    ),
    ...authenticated.flatMap((each) =>
      seenByAll?.has(JSON.stringify(each)) ? [] : [{ ...each, view: label }],
    ),
  ];
}

/** Property 6, and that the authenticated index lists all skills, for what is known of both. */
export function viewFaults(anonymous: ProviderOutcome, authenticated: ProviderOutcome): Found[] {
  if (anonymous.provider === undefined || authenticated.provider === undefined) return [];
  const missing = (from: ProviderOutcome, of: ProviderOutcome) => {
    const listed = new Set([...of.skills, ...of.rejected].map(({ id }) => id));
    const positions = positionsOf(from);
    return from.skills.flatMap(({ id, access }, i) =>
      listed.has(id) || access === 'private' ? [] : [{ id, access, field: `/skills/${positions[i]}` }],
    );
  };
  return [
    ...missing(authenticated, anonymous).map(({ id, access, field }) => ({
      code: 'HIDDEN_ANONYMOUSLY',
      document: indexOf(authenticated),
      field,
      message: `anonymous callers are not shown the ${access} skill ${JSON.stringify(id)}`,
      view: authenticated.view,
    })),
    ...missing(anonymous, authenticated).map(({ id, access, field }) => ({
      code: 'HIDDEN_AUTHENTICATED',
      document: indexOf(anonymous),
      field,
      message: `holders of the credential are not shown the ${access} skill ${JSON.stringify(id)}`,
      view: 'anonymous',
    })),
  ];
}

/** Whether a cache on the way could give one caller the index that was meant for another, where the two differ. */
export function sharedCacheFaults(
  indexes: (Served | undefined)[],
  credentials: Record<string, Credential>,
): Found[] {
  const names = Object.values(credentials).map((credential) =>
    'bearer' in credential ? 'authorization' : credential.header.toLowerCase(),
  );
  const mixed = indexes.find((index) => index?.entry && mayBeMixedUp(index.entry, names));
  if (!mixed) return [];
  const message =
    'it differs with the credential, and has neither a Vary that says so nor Cache-Control: private';
  return [{ code: 'SHARED_CACHE', document: mixed.document, field: '', message }];
}

/** Whether a cache could take the one answer for the other: nothing says that the header with the credential matters. */
function mayBeMixedUp(entry: CacheEntry, credentialHeaders: readonly string[]): boolean {
  const headers = new Headers(entry.headers);
  const vary = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const isPrivate = /(?:^|[\s,])private(?:$|[\s,])/i.test(headers.get('cache-control') ?? '');
  return !isPrivate && !vary.includes('*') && !credentialHeaders.some((name) => vary.includes(name));
}

/** Where the index is, or should be. */
export const indexOf = ({ finalUrl, domain }: ProviderOutcome): string => finalUrl ?? wellKnownUrl(domain);

/** The positions of the accepted skills in their index: all but those of the rejected. */
export function positionsOf({ skills, rejected }: ProviderOutcome): number[] {
  const taken = new Set(rejected.map(({ index }) => index));
  return Array.from({ length: skills.length + rejected.length }, (_, position) => position).filter(
    (position) => !taken.has(position),
  );
}
