// The questions that the stores are asked. No two are the same, so none is answered from the client's cache of answers.
import { encodeCursor } from './dist/registry/cursor.js';
import { filtersOf, toStoreQuery } from './dist/registry/query.js';
import { between, COMMON, createRandom, pick, WORDS, zipf } from './vocabulary.mjs';

const TYPES = ['api', 'knowledge', 'task', 'plugin'];
const ACCESS = ['public', 'restricted', 'private', ['public', 'restricted']];
const PER_PAGE = 20;

/** By type and access, 20 on a page: the first page of each filter, and pages from all over its matches. */
export async function pages(skills) {
  const random = createRandom('pages');
  const filters = TYPES.flatMap((type, i) =>
    ACCESS.flatMap((access) => [
      { capabilityType: type, access, limit: PER_PAGE },
      { capabilityType: [type, TYPES[(i + 1) % TYPES.length]], access, limit: PER_PAGE },
    ]),
  );
  const queries = await Promise.all(
    filters.map(async (filter) => {
      const bound = filtersOf(await toStoreQuery(filter, 0));
      const cursor = () => encodeCursor(bound, { rank: 0, number: between(random, 1, skills) });
      return [filter, ...Array.from({ length: 99 }, () => ({ ...filter, cursor: cursor() }))];
    }),
  );
  return shuffled(distinct(queries.flat()), random);
}

/** The first page of every filter by one type and one access. */
export const firstPages = TYPES.flatMap((capabilityType) =>
  ACCESS.map((access) => ({ capabilityType, access, limit: PER_PAGE })),
);

/** Text with a type filter, by kind of text. */
export function textQueries() {
  const random = createRandom('texts');
  const rank = zipf(50_000);
  const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));
  const common = () => WORDS.latin[between(random, 0, 49)];
  const any = () => WORDS.latin[rank(random)];
  const rare = () => WORDS.latin[between(random, 5000, 49_999)];
  const cjk = () => WORDS[pick(random, ['chinese', 'japanese'])][between(random, 0, 999)];
  const texts = {
    'common words': [...times(20, () => COMMON.latin), ...times(200, common)],
    'rare words': times(200, rare),
    'two words': times(300, (i) => `${common()} ${[common, any, rare][i % 3]()}`),
    'prefixes of 2 to 10 letters': times(360, (i) => prefix(any, 2 + (i % 9))),
    'Chinese and Japanese': [
      ...times(20, (i) => (i % 2 ? COMMON.chinese : COMMON.japanese)),
      ...times(60, () => cjk().slice(0, 1)),
      ...times(120, cjk),
      ...times(60, () => `${cjk()}${cjk()}`),
      ...times(40, () => `${pick(random, [COMMON.chinese, COMMON.japanese])}${cjk()}`),
    ],
    'words that nobody has': times(200, (i) => (i % 2 ? `${common()} nobody${i}` : `nobody${i} ${common()}`)),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([kind, ofKind]) => [
      kind,
      distinct(
        ofKind.map((text) => ({
          text,
          capabilityType: pick(random, TYPES),
          ...(random() < 0.5 && { access: pick(random, ACCESS) }),
          limit: PER_PAGE,
        })),
      ),
    ]),
  );
}

function prefix(word, length) {
  for (;;) {
    const found = word();
    if (found.length >= length) return found.slice(0, length);
  }
}

/** How long each of the queries took, in milliseconds, in their order. */
export async function timesOf(client, queries) {
  const times = [];
  for (const query of queries) {
    const start = performance.now();
    await client.find(query);
    times.push(performance.now() - start);
  }
  return times;
}

/** Asks every query and, where more follows, for the second page. */
export async function timesWithSecondPages(client, queries) {
  const seconds = [];
  const times = [];
  for (const query of queries) {
    const start = performance.now();
    const { nextCursor } = await client.find(query);
    times.push(performance.now() - start);
    if (nextCursor !== undefined) seconds.push({ ...query, cursor: nextCursor });
  }
  return [...times, ...(await timesOf(client, seconds))];
}

function distinct(queries) {
  return [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()];
}

function shuffled(values, random) {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [values[i], values[j]] = [values[j], values[i]];
  }
  return values;
}
