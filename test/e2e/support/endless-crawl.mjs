// Crawls the same domains into the same file, again and again: argv are the file, the port of the server, and the domains.
import { createClient } from '../../../dist/index.js';
import { openSqliteStore } from '../../../dist/sqlite.js';

const [path, port, ...hosts] = process.argv.slice(2);
const client = createClient({
  store: await openSqliteStore({ path }),
  lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
});
for (;;) {
  await client.crawlAll(
    hosts.map((host) => `http://${host}:${port}`),
    { cacheMode: 'refresh' },
  );
}
