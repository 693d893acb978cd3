import { parseUrl } from '../parse-url.ts';
import type { Warning } from './outcomes.ts';
import { mixesScripts } from './skeleton.ts';
import { quote } from './text.ts';
import type { SkillDescriptor, SkillIndexEntry } from './types.ts';
import { isSameSite, loadSuffixList, parseHttpUrl } from './url.ts';

/** Codes of warnings that a skill claims to be another's. */
export const CLAIM_CODES = ['FOREIGN_ID', 'FOREIGN_PROVIDER_URL', 'MIXED_SCRIPT'] as const;

/**
 * What a skill by itself claims beyond its publisher, who is reached at the origin of `publisher`: an id in reverse-domain form that names
 * another site, a provider's URL on another site, a word of several scripts in its id or name. It may be rightful: these are
 * warnings.
 */
export async function claimWarnings(
  entry: Pick<SkillIndexEntry, 'id' | 'name'>,
  descriptor: Pick<SkillDescriptor, 'provider'>,
  publisher: URL,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  const labels = claimingLabels(entry.id, publisher);
  const list = labels && loadSuffixList();
  const claimed = labels && list && claimedSite(labels, list instanceof Promise ? await list : list);
  if (claimed && !(await isSameSite(publisher, claimed))) {
    warnings.push({
      code: 'FOREIGN_ID',
      message: `the id names the site of ${claimed.hostname}, which is not that of its publisher`,
      field: '/id',
    });
  }
  const provider = parseHttpUrl(descriptor.provider.url ?? '');
  if (provider.ok && !(await isSameSite(publisher, provider.url))) {
    warnings.push({
      code: 'FOREIGN_PROVIDER_URL',
      message: `the provider's URL lies at ${provider.url.host}, another site than its publisher's`,
      field: '/provider/url',
    });
  }
  for (const member of ['id', 'name'] as const) {
    if (!mixesScripts(entry[member])) continue;
    warnings.push({
      code: 'MIXED_SCRIPT',
      message: `the ${member} ${quote(entry[member])} mixes letters of several scripts in one word`,
      field: `/${member}`,
    });
  }
  return warnings;
}

const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
/** Top-level names that are in no list of public suffixes, but used (RFC 6761, RFC 6762, RFC 7686, RFC 9476). */
const SPECIAL_USE = new Set(['alt', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']);

/** The labels of an id in reverse-domain form, unless its first ones are the very host of its publisher, or nothing follows them. */
function claimingLabels(id: string, publisher: URL): string[] | undefined {
  const labels = id.normalize('NFKC').toLowerCase().split('.');
  const own = publisher.hostname.split('.').reverse();
  return labels.length < 3 || own.every((label, i) => label === labels[i]) ? undefined : labels;
}

/**
 * The site that such an id names: `com.example.translate-v1` names that of `example.com`. Undefined where its first labels,
 * turned round, are no name below a public suffix, where nothing follows them, and where nobody can have that name.
 */
function claimedSite(labels: string[], { parse }: typeof import('tldts')): URL | undefined {
  const end = labels.findIndex((label) => !LABEL.test(label));
  const host = labels.slice(0, end === -1 ? labels.length : end).reverse();
  const { domain, isIcann, isPrivate } = parse(host.join('.'), { allowPrivateDomains: true });
  const isKnown = isIcann || isPrivate || SPECIAL_USE.has(labels[0] as string);
  if (domain === null || !isKnown || domain.split('.').length >= labels.length) return undefined;
  // An id can hold what is no name at all, such as `com.xn--a.skill`.
  return parseUrl(`https://${domain}`);
}
