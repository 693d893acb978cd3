import type { FindQuery, SkillSummary } from '../index.ts';
import type { CallOptions, SearchInput, SearchResult, ToolboxClient } from './api.ts';
import { fitHits, hasShowableId } from './skill-hits.ts';
import { cleanLine, NOTICE } from './untrusted.ts';

export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 15;
/** As much of a query as is looked at; what `find` takes. */
const MAX_QUERY = 256;
const MAX_WORDS = 8;
const WORD_TOKENS = 20;
/** Pages that are read where ids cannot be shown. */
const MAX_PAGES = 4;

type Filters = Pick<FindQuery, 'capabilityType' | 'includePrivate'>;

interface Found {
  skills: SkillSummary[];
  more: boolean;
}

/** What the toolbox's `searchSkills` does. */
export async function searchSkills(
  client: Pick<ToolboxClient, 'find'>,
  { query = '', capabilityType, limit = DEFAULT_LIMIT }: SearchInput,
  { includePrivate, signal }: CallOptions & { includePrivate: boolean },
): Promise<SearchResult> {
  if (typeof query !== 'string') throw new TypeError('query: expected a string');
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new TypeError(`limit: expected an integer from 1 to ${MAX_LIMIT}`);
  }
  const filters = { capabilityType, includePrivate };
  const find = async (text: string) => {
    signal?.throwIfAborted();
    return findShowable(client, { ...filters, text }, limit);
  };
  const text = query.slice(0, MAX_QUERY);
  const whole = await find(text);
  if (whole.skills.length > 0) return toResult(whole);
  const part = await findByFewerWords(wordsOf(text), find);
  if (part === undefined) {
    const narrowed = capabilityType === undefined ? '' : ', or no capability_type';
    return toResult(whole, `Nothing matches. Try other words${narrowed}.`);
  }
  const words = part.words.map((word) => cleanLine(word, WORD_TOKENS)).join(', ');
  return toResult(part.found, `No skill has all words of the query; these have: ${words}.`);
}

function toResult({ skills, more }: Found, hint?: string): SearchResult {
  const rest = { notice: NOTICE, more: true, ...(hint !== undefined && { hint }) };
  const hits = fitHits(skills, rest);
  const { notice, ...others } = rest;
  return { notice, skills: hits, ...others, more: more || hits.length < skills.length };
}

async function findShowable(
  client: Pick<ToolboxClient, 'find'>,
  query: Filters & { text: string },
  limit: number,
): Promise<Found> {
  const skills: SkillSummary[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { records, nextCursor } = await client.find({ ...query, limit, cursor });
    skills.push(...records.filter(hasShowableId));
    cursor = nextCursor;
    if (cursor === undefined || skills.length >= limit) break;
  }
  return { skills: skills.slice(0, limit), more: cursor !== undefined || skills.length > limit };
}

/**
 * The skills that have the most of the words, as near as some dozens of questions tell: words that no skill has are dropped,
 * then one at a time whichever leaves something, the shorter ones first.
 */
async function findByFewerWords(
  words: readonly string[],
  find: (text: string) => Promise<Found>,
): Promise<{ found: Found; words: string[] } | undefined> {
  const ask = async (some: readonly string[]) => ({ found: await find(some.join(' ')), words: [...some] });
  const alone = await Promise.all(words.map((word) => ask([word])));
  let left = alone.filter(({ found }) => found.skills.length > 0).flatMap((answer) => answer.words);
  if (left.length < words.length && left.length > 0) {
    const answer = await ask(left);
    if (answer.found.skills.length > 0) return answer;
  }
  while (left.length > 1) {
    const byLength = [...left].sort((a, b) => a.length - b.length);
    for (const dropped of byLength) {
      const answer = await ask(left.filter((word) => word !== dropped));
      if (answer.found.skills.length > 0) return answer;
    }
    left = left.filter((word) => word !== byLength[0]);
  }
  return undefined;
}

let segmenter: Intl.Segmenter | undefined;

/** The distinct words of a sentence in its order; of many the longest, since short ones say least. */
function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase()))
    if (isWordLike) words.add(segment);
  const longest = new Set([...words].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS));
  return [...words].filter((word) => longest.has(word));
}
