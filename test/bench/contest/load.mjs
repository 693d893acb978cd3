// Serves the providers of the contests over HTTP on loopback, until the parent process goes away.
import { createServer } from 'node:http';
import { bodiesOf, prepareAll } from './providers.mjs';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' };

prepareAll();
let requests = 0;
let bodies = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, ({ url, headers }, response) => {
  if (url === '/counts') {
    response.end(JSON.stringify({ requests, bodies }));
    requests = bodies = 0;
    return;
  }
  requests++;
  const [, label = 'site-00000', kind = 'site', number = '0'] =
    /^((\w+)-(\d{5}))\.example:/.exec(headers.host) ?? [];
  if (kind === 'hang') return;
  if (kind === 'none') {
    response.writeHead(404).end();
    return;
  }
  const etag = `"${number}${url}"`;
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, { ...HEADERS, etag }).end();
    return;
  }
  bodies++;
  const provider = bodiesOf(label, Number(number), headers.host);
  const isIndex = url === '/.well-known/skill-sharing';
  const body = Buffer.from(isIndex ? provider.index() : provider.descriptor(Number(url.slice(8))));
  response.writeHead(200, { ...HEADERS, etag, 'content-length': body.length }).end(body);
});

server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
