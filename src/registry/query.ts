import { isSkillscoutError } from '../errors.ts';
import { type AccessLevel, type AuthType, type CapabilityType, parseDomain } from '../protocol/index.ts';
import { decodeCursor } from './cursor.ts';
import type { SkillKey, StoreQuery } from './store.ts';
import { tokenize } from './tokenize.ts';

/** One value, or several of which any will do. */
type AnyOf<T> = T | readonly T[];

/**
 * Which skills to find. All given filters must hold; without any, every skill is found. An option with a value of the wrong
 * kind, an empty list or a name that is not here is a TypeError.
 */
export interface FindQuery {
  capabilityType?: AnyOf<CapabilityType> | undefined;
  /** Naming `private` also asks for private skills, as `includePrivate` does. */
  access?: AnyOf<AccessLevel> | undefined;
  authType?: AnyOf<AuthType> | undefined;
  /** As `parseDomain` takes it. */
  domain?: AnyOf<string> | undefined;
  /** All of them, compared exactly; at most 64. A skill is found by its first 256 tags. */
  tags?: string | readonly string[] | undefined;
  /**
   * Words that all occur in the skill's id, name, tags or description, the last one also as the beginning of a word.
   * Case and accents do not count. Blank text does not filter; text without a letter or digit finds nothing.
   * At most 256 characters.
   */
  text?: string | undefined;
  /** Default `any`. */
  freshness?: 'fresh' | 'stale' | 'any' | undefined;
  /** Whether private skills are found as well, default false. */
  includePrivate?: boolean | undefined;
  /** `summary` (default) leaves the descriptor out. */
  include?: 'summary' | 'descriptor' | undefined;
  /** Most records in one page: 1 to 1000, default 50. */
  limit?: number | undefined;
  /** The `nextCursor` of a page of the same query: continues after it. */
  cursor?: string | undefined;
  /** Whether to count all matches, default false. */
  total?: boolean | undefined;
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

/** Checks a query and resolves its defaults. Undefined where no skill can match, since the text has no word in it. */
export function toStoreQuery(query: FindQuery, now: number): StoreQuery | undefined {
  object('query', query);
  const {
    capabilityType,
    access,
    authType,
    domain,
    tags,
    text,
    freshness = 'any',
    includePrivate = false,
    include = 'summary',
    limit = 50,
    cursor,
    total = false,
    ...others
  } = query;
  noOthers(others);
  oneOf('freshness', ['fresh', 'stale', 'any'], freshness);
  oneOf('include', ['summary', 'descriptor'], include);
  boolean('includePrivate', includePrivate);
  boolean('total', total);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new TypeError(`limit: expected an integer from 1 to ${MAX_LIMIT}`);
  }

  const capabilityTypes = listOf('capabilityType', capabilityType, (value) =>
    oneOf('capabilityType', CAPABILITY_TYPES, value),
  );
  const accessLevels = listOf('access', access, (value) => oneOf('access', ACCESS_LEVELS, value));
  const authTypes = listOf('authType', authType, (value) => oneOf('authType', AUTH_TYPES, value));
  const domains = listOf('domain', domain, canonicalDomain);
  const allTags = listOf('tags', tags, (value) => string('tags', value));
  if (allTags && allTags.length > MAX_QUERY_TAGS)
    throw new TypeError(`tags: expected at most ${MAX_QUERY_TAGS}`);
  const words = wordsOf(text);
  if (words?.length === 0) return undefined;

  const storeQuery: StoreQuery = {
    ...(capabilityTypes && { capabilityTypes }),
    ...(accessLevels && { access: accessLevels }),
    ...(authTypes && { authTypes }),
    ...(allTags && { tags: allTags }),
    ...(domains && { domains }),
    ...(words && { words }),
    ...(freshness !== 'any' && { freshness }),
    now,
    includePrivate: includePrivate || accessLevels?.includes('private') === true,
    limit,
    total,
  };
  if (cursor === undefined) return storeQuery;
  return { ...storeQuery, after: decodeCursor(storeQuery, string('cursor', cursor)) };
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
  if (text.length > MAX_TEXT) throw new TypeError(`text: expected at most ${MAX_TEXT} characters`);
  return [...tokenize(text)];
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
