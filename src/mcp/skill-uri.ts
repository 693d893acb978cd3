/** Of every skill, by RFC 6570. */
export const SKILL_URI_TEMPLATE = 'skill://{domain}/{id}';

/**
 * `skill://{domain}/{id}`, both percent-encoded as by encodeURIComponent. A domain may be an origin and an id any text, so this is
 * for {@link parseSkillUri} to read: a URL parser folds case and drops dots.
 */
export const skillUri = ({ domain, id }: { domain: string; id: string }): string =>
  `skill://${encodeURIComponent(domain)}/${encodeURIComponent(id)}`;

/** What {@link skillUri} was given; undefined for anything that it does not give, but for what else is percent-encoded. */
export function parseSkillUri(uri: string): { domain: string; id: string } | undefined {
  const [, domain, id] = /^skill:\/\/([^/?#]+)\/([^/?#]+)$/.exec(uri) ?? [];
  if (domain === undefined || id === undefined) return undefined;
  try {
    return { domain: decodeURIComponent(domain), id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}
