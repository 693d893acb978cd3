// The first page of skills of a type: of the store in memory, of an array, and of one table of SQLite with an index.
import assert from 'node:assert';
import { createClient, createMemoryStore } from '../../dist/index.js';
import { loadDriver } from './dist/sqlite/driver.js';
import { median, progress } from './figures.mjs';
import { providerUpdate, SKILLS_PER_PROVIDER } from './skills.mjs';

const TYPES = ['api', 'knowledge', 'task', 'plugin'];
const PER_PAGE = 20;
/** Pages of each type in a round; a filter over a million takes long enough to be timed once. */
const PAGES = { ours: 50, sqlite: 50, filter: 3 };

const [skills, rounds] = process.argv.slice(2).map(Number);
const store = createMemoryStore({ maxBytes: 2 ** 36 });
const array = [];
const { DatabaseSync } = await loadDriver();
const db = new DatabaseSync(':memory:', { readOnly: false });
db.exec('CREATE TABLE skills (number INTEGER PRIMARY KEY, type TEXT, access TEXT, summary TEXT) STRICT');
db.exec("CREATE INDEX by_type ON skills (type) WHERE access <> 'private'; BEGIN");
const insert = db.prepare('INSERT INTO skills (type, access, summary) VALUES (?, ?, ?)');
for (let number = 0; number < skills / SKILLS_PER_PROVIDER; number++) {
  const update = await providerUpdate(number);
  await store.apply(update);
  for (const { entry } of update.skills) {
    array.push({ ...entry });
    insert.run(entry.capability_type, entry.access, JSON.stringify(entry));
  }
  if (number % 500 === 499) progress(`${(number + 1) * SKILLS_PER_PROVIDER} of ${skills} skills`);
}
progress('');
db.exec('COMMIT');
const select = db.prepare(
  `SELECT summary FROM skills WHERE type = ? AND access <> 'private' ORDER BY number LIMIT ${PER_PAGE}`,
);

const ways = {
  ours: async (capabilityType, client) => (await client.find({ capabilityType, limit: PER_PAGE })).records,
  filter: (type) =>
    array.filter((each) => each.capability_type === type && each.access !== 'private').slice(0, PER_PAGE),
  sqlite: (type) => select.all(type).map(({ summary }) => JSON.parse(summary)),
};

await pages();
const times = { ours: [], filter: [], sqlite: [] };
for (let round = 0; round < rounds; round++) {
  for (const [name, found] of Object.entries(await pages())) times[name].push(found);
}
process.send(times);

/** The median time of a page in microseconds, each way. All ways must find the same. */
async function pages() {
  const medians = {};
  const ids = {};
  for (const [name, find] of Object.entries(ways)) {
    const each = [];
    for (let page = 0; page < PAGES[name]; page++) {
      // A client of its own: none has an answer in its cache.
      const client = createClient({ store });
      for (const type of TYPES) {
        const start = performance.now();
        const records = await find(type, client);
        each.push((performance.now() - start) * 1000);
        ids[type] ??= records.map(({ domain, id }) => `${domain} ${id}`);
        assert.deepEqual(
          records.map(({ domain, id }) => `${domain} ${id}`),
          ids[type],
          `${name}, ${type}`,
        );
      }
    }
    medians[name] = median(each);
  }
  return medians;
}
