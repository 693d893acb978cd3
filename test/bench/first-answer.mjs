// A process that opens a store and asks once. Times are in milliseconds since the process began.
const started = performance.now();
const { createClient } = await import('../../dist/index.js');
const { openSqliteStore } = await import('../../dist/sqlite.js');
const loaded = performance.now();
const store = await openSqliteStore({ path: process.argv[2] });
const client = createClient({ store });
const { records } = await client.find({ capabilityType: 'api', access: 'public', limit: 20 });
const answered = performance.now();
if (records.length === 0) throw new Error('the first question found nothing');
await store.close();
process.send({ startMs: started, loadMs: loaded - started, answerMs: answered - loaded });
