// Asks a SQLite store in a process that has just opened it.
import { createClient } from '../../dist/index.js';
import { openSqliteStore } from '../../dist/sqlite.js';
import { pages, textQueries, timesOf, timesWithSecondPages } from './queries.mjs';

/** Questions that warm up: a process that has just started answers slowly. */
const WARM_UP = 400;

const [file, skills] = process.argv.slice(2);
const store = await openSqliteStore({ path: file });
const client = createClient({ store });
const queries = await pages(Number(skills));

const first = await timesOf(client, queries.slice(0, WARM_UP));
const byFilter = await timesOf(client, queries.slice(WARM_UP));
const few = queries.slice(0, 100);
await timesOf(client, few);
const cached = await timesOf(client, Array(20).fill(few).flat());
const byText = {};
for (const [kind, ofKind] of Object.entries(textQueries())) {
  byText[kind] = await timesWithSecondPages(client, ofKind);
}
const rss = process.memoryUsage().rss;
await store.close();
process.send({ first, byFilter, cached, byText, rss });
