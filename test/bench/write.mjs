// Fills a SQLite store as a crawl does, and beside it, in turns, files with nothing but the rows.
import { openSqliteStore } from '../../dist/sqlite.js';
import { ownTokens } from './dist/registry/tokens.js';
import { columnOf } from './dist/sqlite/classes.js';
import { loadDriver } from './dist/sqlite/driver.js';
import { openToWrite } from './dist/sqlite/file.js';
import { progress, sum } from './figures.mjs';
import { providerUpdate, SKILLS_PER_PROVIDER } from './skills.mjs';

/** Updates that a crawl has under way. */
const IN_FLIGHT = 32;
const PROVIDERS_PER_ROUND = 500;
/** The bare files are written for so many skills; then the store goes on alone. */
const COMPARED_SKILLS = 200_000;

const [file, skills] = process.argv.slice(2);
const providers = Math.ceil(skills / SKILLS_PER_PROVIDER);
const compared = Math.min(providers, COMPARED_SKILLS / SKILLS_PER_PROVIDER);

const driver = await loadDriver();
const store = await openSqliteStore({ path: file });
const written = openToWrite(driver, { file, busyTimeoutMs: 5000 });
const bare = await emptyStore(`${file}.bare`);
const plain = await emptyStore(`${file}.plain`);
plain.exec('CREATE TABLE plain (domain TEXT, id TEXT, document TEXT, PRIMARY KEY (domain, id)) STRICT');
const knownTerms = new Set();

const rounds = [];
for (let first = 0; first < providers; first += PROVIDERS_PER_ROUND) {
  const count = Math.min(PROVIDERS_PER_ROUND, providers - first);
  const updates = await Promise.all(Array.from({ length: count }, (_, i) => providerUpdate(first + i)));
  const { ms: storeMs, batches } = await timeStore(updates);
  const round = { skills: count * SKILLS_PER_PROVIDER, storeMs, batches: batches.length };
  if (first < compared) {
    const rows = bareRows(updates, first);
    round.bareMs = timeRows(bare, rows, batches);
    round.plainMs = timeRows(plain, updates.map(plainRows), batches);
  }
  rounds.push(round);
  progress(`${first + count} of ${providers} providers written`);
}
progress('');
const closing = performance.now();
await store.close();
const closeMs = performance.now() - closing;
for (const db of [written, bare, plain]) db.close();

const both = rounds.filter(({ bareMs }) => bareMs !== undefined);
const total = (ofRounds, name) => sum(ofRounds.map((round) => round[name]));
const speed = (ofRounds) => (total(ofRounds, 'skills') / total(ofRounds, 'storeMs')) * 1000;
const tenth = Math.ceil(rounds.length / 10);
process.send({
  perSecond: speed(rounds),
  firstTenth: speed(rounds.slice(0, tenth)),
  lastTenth: speed(rounds.slice(-tenth)),
  ofBare: total(both, 'bareMs') / total(both, 'storeMs'),
  ofPlain: total(both, 'plainMs') / total(both, 'storeMs'),
  barePerSecond: (total(both, 'skills') / total(both, 'bareMs')) * 1000,
  perTransaction: providers / total(rounds, 'batches'),
  closeMs,
});

/** Connected as the writer of a store is. */
async function emptyStore(path) {
  await (await openSqliteStore({ path })).close();
  return openToWrite(driver, { file: path, busyTimeoutMs: 5000 });
}

/** Also tells how many updates were stored by each transaction: those that are reported in one turn of the event loop. */
async function timeStore(updates) {
  const batches = [];
  let batch = 0;
  const start = performance.now();
  const source = updates.values();
  const worker = async () => {
    for (const update of source) {
      await store.apply(update);
      if (batch++ === 0) {
        setImmediate(() => {
          batches.push(batch);
          batch = 0;
        });
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const ms = performance.now() - start;
  await new Promise(setImmediate);
  return { ms, batches };
}

/** The rows that the store has written for each update, in the order in which they were. */
function bareRows(updates, first) {
  const from = first * SKILLS_PER_PROVIDER;
  const added = (table) => written.all(`SELECT * FROM ${table} WHERE number > ? ORDER BY number`, from);
  const tables = ['skills', 'documents', 'changes'].map((table) => [table, added(table)]);
  const byKey = new Map(
    updates.flatMap(({ skills }) =>
      skills.map((skill) => [`${skill.entry.domain} ${skill.entry.id}`, skill]),
    ),
  );
  return updates.map((_, i) => {
    const ofUpdate = ([table, rows]) =>
      rows.slice(i * SKILLS_PER_PROVIDER, (i + 1) * SKILLS_PER_PROVIDER).map((row) => [table, row]);
    const stored = ofUpdate(tables[0]).map(([, row]) => row);
    const provider = written.get('SELECT * FROM providers WHERE domain = ?', stored[0].domain);
    const words = stored.map(({ number, domain, id, capability_type, access, auth_type }) => ({
      number,
      column: columnOf({ capabilityType: capability_type, access, authType: auth_type }),
      tokens: ownTokens(byKey.get(`${domain} ${id}`)),
    }));
    const terms = words
      .flatMap(({ tokens }) => tokens.filter((token) => /^\d/.test(token)).map((token) => token.slice(1)))
      .filter((term) => !knownTerms.has(term) && knownTerms.add(term));
    return [
      ...tables.flatMap(ofUpdate),
      ...words.map(({ number, column, tokens }) => [
        `words (rowid, ${column})`,
        { number, text: tokens.join(' ') },
      ]),
      ...terms.map((term) => ['terms', { term }]),
      ['providers', provider],
    ].map(([table, row]) => insertion(table, Object.values(row)));
  });
}

function plainRows({ skills }) {
  return skills.map(({ entry, descriptor }) =>
    insertion('plain', [entry.domain, entry.id, `${JSON.stringify(entry)}${descriptor}`]),
  );
}

function insertion(table, values) {
  return [`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, ...values];
}

/** Milliseconds to insert the rows of each update by prepared statements, so many updates to each transaction. */
function timeRows(db, rowsOfUpdates, batches) {
  let done = 0;
  const start = performance.now();
  for (const size of batches) {
    const rows = rowsOfUpdates.slice(done, done + size).flat();
    db.transaction('IMMEDIATE', () => {
      for (const row of rows) db.run(...row);
    });
    done += size;
  }
  return performance.now() - start;
}
