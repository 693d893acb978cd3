// The store in memory. To be run with --expose-gc.
import { createClient, createMemoryStore } from '../../dist/index.js';
import { progress } from './figures.mjs';
import { firstPages, pages, textQueries, timesOf, timesWithSecondPages } from './queries.mjs';
import { providerUpdate, SKILLS_PER_PROVIDER } from './skills.mjs';

/** Of the store that is filled until it lets providers go. */
const BOUND = 2 ** 28;

const [skills] = process.argv.slice(2);
const heapUsed = () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
await providerUpdate(0);

let before = heapUsed();
const bounded = createMemoryStore({ maxBytes: BOUND });
for (let number = 0, evicted = 0; evicted < 100; number++) {
  evicted += (await bounded.apply(await providerUpdate(number))).evictedProviders;
}
const boundedShare = (heapUsed() - before) / BOUND;
const boundedSkills = (
  await createClient({ store: bounded }).find({ includePrivate: true, limit: 1, total: true })
).total;
await bounded.close();

before = heapUsed();
const store = createMemoryStore({ maxBytes: 2 ** 36 });
let applyMs = 0;
const providers = Math.ceil(skills / SKILLS_PER_PROVIDER);
for (let number = 0; number < providers; number++) {
  const update = await providerUpdate(number);
  const start = performance.now();
  await store.apply(update);
  applyMs += performance.now() - start;
  if (number % 500 === 499) progress(`${number + 1} of ${providers} providers in memory`);
}
progress('');
const bytes = heapUsed() - before;

const queries = await pages(Number(skills));
// A client of its own for every round: none has an answer in its cache.
const first = [];
for (let round = 0; round < 200; round++) first.push(...(await timesOf(createClient({ store }), firstPages)));
const client = createClient({ store });
const cached = await timesOf(client, Array(200).fill(firstPages).flat());
const byFilter = await timesOf(client, queries);
const byText = {};
for (const [kind, ofKind] of Object.entries(textQueries())) {
  byText[kind] = await timesWithSecondPages(client, ofKind);
}
process.send({
  perSecond: ((providers * SKILLS_PER_PROVIDER) / applyMs) * 1000,
  bytesPerSkill: bytes / (providers * SKILLS_PER_PROVIDER),
  boundedShare,
  boundedBytesPerSkill: BOUND / boundedSkills,
  first,
  cached,
  byFilter,
  byText,
  rss: process.memoryUsage().rss,
});
