import { isSkillscoutError } from '../errors.ts';
import { type AccessLevel, type AuthType, type CapabilityType, parseDomain } from '../protocol/index.ts';
import { decodeCursor } from './cursor.ts';
import { MAX_TAG_LENGTH } from './document.ts';
import type {
  ChangePosition,
  ChangeQuery,
  ProviderPosition,
  ProviderQuery,
  SkillKey,
  SkillPosition,
  StoreQuery,
} from './store.ts';
import { queryWords } from './tokenize.ts';
import { parseVersionRange, type VersionSpan } from './version-range.ts';

/** One value, or several of which any will do. */
type AnyOf<T> = T | readonly T[];

/** One part of an answer, as every query for several things takes it. */
interface PageQuery {
  /** Most records in one page: 1 to 1000, default 50. */
  limit?: number | undefined;
  /** The `nextCursor` of a page of the same query: continues after it. */
  cursor?: string | undefined;
}

/**
 * Which skills to find. All given filters must hold; without any, every skill is found. An option with a value of the wrong
 * kind, an empty list or a name that is not here is a TypeError.
 */
export interface FindQuery extends PageQuery {
  capabilityType?: AnyOf<CapabilityType> | undefined;
  /** Naming `private` also asks for private skills, as `includePrivate` does. */
  access?: AnyOf<AccessLevel> | undefined;
  authType?: AnyOf<AuthType> | undefined;
  /** As `parseDomain` takes it; at most 256. */
  domain?: AnyOf<string> | undefined;
  /** All of them, compared exactly; at most 64 of 256 characters. A skill is found by its first 256 tags. */
  tags?: string | readonly string[] | undefined;
  /** A range of the skill's own version, as npm writes them: `^1.2.0`, `>=2 <4`. */
  version?: string | undefined;
  /** The same of the protocol version that the descriptor speaks. */
  protocolVersion?: string | undefined;
  /**
   * Words that all occur in the skill's name, tags, description, id or domain, the last one also as the beginning of a word.
   * Case and accents do not count. Blank text does not filter; text without a letter or digit finds nothing.
   * At most 256 characters. A skill is found by the first 960 distinct words of name, tags and description together.
   */
  text?: string | undefined;
  /**
   * Whether skills are left out that claim to be another's, can be mistaken for one of another domain, or were only imported.
   * Default false.
   */
  trusted?: boolean | undefined;
  /** Default `any`. */
  freshness?: 'fresh' | 'stale' | 'any' | undefined;
  /** Whether private skills are found as well, default false. */
  includePrivate?: boolean | undefined;
  /** `summary` (default) leaves the descriptor out. */
  include?: 'summary' | 'descriptor' | undefined;
  /** Whether to count all matches, default false. */
  total?: boolean | undefined;
  /** Whether to count all matches by capability type, access and auth type, default false. */
  facets?: boolean | undefined;
}

/** Which changes to list, in the order of time. */
export interface ChangesQuery extends PageQuery {
  /**
   * Only changes at this time or later; milliseconds since the epoch. A change has the time at which its look ended, and is
   * stored a little later: whoever asks again and again should let the times overlap.
   */
  since?: number | undefined;
  /** As `parseDomain` takes it; at most 256. */
  domain?: AnyOf<string> | undefined;
  /** Whether changes of private skills are listed as well, default false. */
  includePrivate?: boolean | undefined;
}

/** Which providers to list, by domain. */
export interface StatusQuery extends PageQuery {
  /** As `parseDomain` takes it; at most 256. */
  domain?: AnyOf<string> | undefined;
  /** Whether only those whose next look is due are listed, the most overdue first. Default false. */
  due?: boolean | undefined;
}

/** Which skill to get. */
export interface GetQuery {
  /** As `parseDomain` takes it. */
  domain: string;
  id: string;
  /** Whether a private skill is given out, default false. */
  includePrivate?: boolean | undefined;
}

const CAPABILITY_TYPES: readonly CapabilityType[] = ['plugin', 'api', 'knowledge', 'task'];
const ACCESS_LEVELS: readonly AccessLevel[] = ['public', 'restricted', 'private'];
const AUTH_TYPES: readonly AuthType[] = ['api_key', 'oauth2', 'custom', 'none'];
const MAX_LIMIT = 1000;
const MAX_TEXT = 256;
const MAX_QUERY_TAGS = 64;
const MAX_QUERY_DOMAINS = 256;

/** What positions in cursors look like. */
const FIRST_SKILL: SkillPosition = { rank: 0, number: 0 };
const FIRST_CHANGE: ChangePosition = { at: 0.5, number: 0 };
const FIRST_PROVIDER: ProviderPosition = { dueAt: 0.5, domain: '' };

/** What the answer of a query depends on, but for the time and how much of it is wanted: what its cursors are bound to. */
export function filtersOf(query: StoreQuery) {
  const { now, descriptors, after, limit, total, facets, ...filters } = query;
  return filters;
}

/** Checks a query and resolves its defaults. Undefined where no skill can match, since the text has no word in it. */
export async function toStoreQuery(query: FindQuery, now: number): Promise<StoreQuery | undefined> {
  object('query', query);
  const {
    capabilityType,
    access,
    authType,
    domain,
    tags,
    version,
    protocolVersion,
    text,
    freshness = 'any',
    includePrivate = false,
    trusted = false,
    include = 'summary',
    limit = 50,
    cursor,
    total = false,
    facets = false,
    ...others
  } = query;
  noOthers(others);
  oneOf('freshness', ['fresh', 'stale', 'any'], freshness);
  oneOf('include', ['summary', 'descriptor'], include);
  boolean('includePrivate', includePrivate);
  boolean('trusted', trusted);
  boolean('total', total);
  boolean('facets', facets);
  pageSize(limit);

  const capabilityTypes = listOf('capabilityType', capabilityType, (value) =>
    oneOf('capabilityType', CAPABILITY_TYPES, value),
  );
  const accessLevels = listOf('access', access, (value) => oneOf('access', ACCESS_LEVELS, value));
  const authTypes = listOf('authType', authType, (value) => oneOf('authType', AUTH_TYPES, value));
  const domains = domainList(domain);
  const allTags = listOf('tags', tags, (value) => shortText('tags', value, MAX_TAG_LENGTH));
  atMost('tags', MAX_QUERY_TAGS, allTags);
  const versions = await spansOf('version', version);
  const protocolVersions = await spansOf('protocolVersion', protocolVersion);
  const words = wordsOf(text);
  if (words?.length === 0) return undefined;

  const storeQuery: StoreQuery = {
    ...(capabilityTypes && { capabilityTypes }),
    ...(accessLevels && { access: accessLevels }),
    ...(authTypes && { authTypes }),
    ...(allTags && { tags: allTags }),
    ...(domains && { domains }),
    ...(versions && { versions }),
    ...(protocolVersions && { protocolVersions }),
    ...(words && { words }),
    ...(freshness !== 'any' && { freshness }),
    now,
    includePrivate: includePrivate || accessLevels?.includes('private') === true,
    trusted,
    descriptors: include === 'descriptor',
    limit,
    total,
    facets,
  };
  if (cursor === undefined) return storeQuery;
  return {
    ...storeQuery,
    after: decodeCursor(filtersOf(storeQuery), string('cursor', cursor), FIRST_SKILL),
  };
}

/** Checks a query for changes and resolves its defaults. */
export function toChangeQuery(query: ChangesQuery): ChangeQuery {
  object('query', query);
  const { since, domain, includePrivate = false, limit = 50, cursor, ...others } = query;
  noOthers(others);
  boolean('includePrivate', includePrivate);
  pageSize(limit);
  if (since !== undefined && !Number.isFinite(since)) {
    throw new TypeError('since: expected milliseconds since the epoch');
  }
  const domains = domainList(domain);
  const filters = { ...(since !== undefined && { since }), ...(domains && { domains }), includePrivate };
  const after =
    cursor === undefined ? {} : { after: decodeCursor(filters, string('cursor', cursor), FIRST_CHANGE) };
  return { ...filters, ...after, limit };
}

/** Checks a query for providers and resolves its defaults. */
export function toProviderQuery(query: StatusQuery, now: number): ProviderQuery {
  object('query', query);
  const { domain, due = false, limit = 50, cursor, ...others } = query;
  noOthers(others);
  boolean('due', due);
  pageSize(limit);
  const domains = domainList(domain);
  const filters = { ...(domains && { domains }), order: due ? ('due' as const) : ('domain' as const) };
  const after =
    cursor === undefined ? {} : { after: decodeCursor(filters, string('cursor', cursor), FIRST_PROVIDER) };
  return { ...filters, ...(due && { dueAt: now }), ...after, limit };
}

/** Checks the question for one skill and makes its domain canonical. A record that was found is a question too. */
export function toSkillKey(query: GetQuery): SkillKey & { includePrivate: boolean } {
  object('query', query);
  const { domain, id, includePrivate = false } = query;
  boolean('includePrivate', includePrivate);
  return { domain: canonicalDomain(domain), id: string('id', id), includePrivate };
}

function wordsOf(text: string | undefined): string[] | undefined {
  if (text === undefined || string('text', text).trim() === '') return undefined;
  shortText('text', text, MAX_TEXT);
  return queryWords(text);
}

async function spansOf(option: string, range: string | undefined): Promise<VersionSpan[] | undefined> {
  return range === undefined ? undefined : parseVersionRange(option, shortText(option, range, MAX_TEXT));
}

function domainList(domain: AnyOf<string> | undefined): string[] | undefined {
  const domains = listOf('domain', domain, canonicalDomain);
  atMost('domain', MAX_QUERY_DOMAINS, domains);
  return domains;
}

function canonicalDomain(value: string): string {
  try {
    return parseDomain(value).domain;
  } catch (error) {
    throw isSkillscoutError(error) ? new TypeError(`domain: ${error.message}`, { cause: error }) : error;
  }
}

/** Sorted and without repeats, so that the same question always is the same query. */
function listOf<T extends string>(
  option: string,
  value: AnyOf<T> | undefined,
  check: (value: T) => T,
): T[] | undefined {
  if (value === undefined) return undefined;
  const values: readonly T[] = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(values) || values.length === 0) {
    throw new TypeError(`${option}: expected a string or a list of at least one`);
  }
  return [...new Set(values.map(check))].sort();
}

function oneOf<T extends string>(option: string, choices: readonly T[], value: T): T {
  if (!choices.includes(value)) throw new TypeError(`${option}: expected one of ${choices.join(', ')}`);
  return value;
}

function string(option: string, value: string): string {
  if (typeof value !== 'string') throw new TypeError(`${option}: expected a string`);
  return value;
}

function shortText(option: string, value: string, most: number): string {
  if (string(option, value).length <= most) return value;
  throw new TypeError(`${option}: expected at most ${most} characters`);
}

function atMost(option: string, most: number, values: readonly string[] | undefined): void {
  if (values && values.length > most) throw new TypeError(`${option}: expected at most ${most}`);
}

function pageSize(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return;
  throw new TypeError(`limit: expected an integer from 1 to ${MAX_LIMIT}`);
}

function boolean(option: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new TypeError(`${option}: expected true or false`);
}

function object(option: string, value: object): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${option}: expected an object`);
}

function noOthers(others: object): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new TypeError(`${name}: no such option`);
}
