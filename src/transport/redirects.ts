import type { Failure } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';
import { publicUrl, type TargetPolicy } from './target-policy.ts';

export interface RedirectPolicy {
  maxRedirects: number;
  judgeTarget: TargetPolicy;
  sameSite: (from: URL, to: URL) => boolean | Promise<boolean>;
}

/** The statuses whose `Location` is followed (Fetch standard). */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * Where a redirect leads, if it may be followed. `visited` are the URLs asked so far; `location` is resolved against the last of
 * them. Refused are loops, more than `maxRedirects`, leaving the site of the first URL, leaving https where http is not allowed, and whatever the target
 * policy refuses.
 */
export async function nextTarget(
  visited: readonly URL[],
  location: string,
  policy: RedirectPolicy,
): Promise<{ ok: true; url: URL } | { ok: false; failure: Failure }> {
  const refuse = (reason: string, to?: URL) => ({
    ok: false as const,
    failure: redirectRefused(visited, reason, to),
  });
  const first = visited[0];
  const current = visited.at(-1);
  if (first === undefined || current === undefined) throw new TypeError('visited: expected at least one URL');
  const url = parseUrl(location, current);
  if (url === undefined) return refuse('Location is not a URL');
  url.hash = '';
  if (visited.length > policy.maxRedirects) return refuse(`more than ${policy.maxRedirects} redirects`, url);
  if (visited.some(({ href }) => href === url.href)) return refuse('it leads in a circle', url);
  const failure = policy.judgeTarget(url);
  if (failure?.code === 'URL_REFUSED' && current.protocol === 'https:' && url.protocol === 'http:') {
    return refuse('it leads from https to http', url);
  }
  if (failure) return { ok: false, failure: { ...failure, details: chain(visited, url) } };
  if (!(await policy.sameSite(first, url))) return refuse('it leaves the site', url);
  return { ok: true, url };
}

/** The failure of a redirect that is not followed; its details show the chain without query strings. */
export function redirectRefused(visited: readonly URL[], reason: string, to?: URL): Failure {
  const shown = [...visited, ...(to ? [to] : [])].map(publicUrl).join(' → ');
  return {
    code: 'REDIRECT_REFUSED',
    message: `redirect not followed: ${reason}: ${shown}`,
    details: chain(visited, to),
  };
}

function chain(visited: readonly URL[], to?: URL): Record<string, unknown> {
  return { redirects: visited.map(publicUrl), ...(to && { location: publicUrl(to) }) };
}
