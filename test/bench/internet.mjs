// Serves a provider of 1 to 3 skills for every host over HTTP on loopback, until the parent process goes away.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { makeDescriptor } from './skills.mjs';
import { between, createRandom } from './vocabulary.mjs';

const server = createServer(({ url, headers: { host } }, response) => {
  const body = JSON.stringify(documentAt(host, url));
  // As long as servers on the Internet take.
  setTimeout(answer, between(Math.random, 20, 200), response, body);
});

server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());

function answer(response, body) {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=300', etag });
  response.end(body);
}

function documentAt(host, path) {
  const random = createRandom(host);
  const skills = Array.from({ length: between(random, 1, 3) }, (_, k) => makeDescriptor(random, host, k));
  if (path !== '/.well-known/skill-sharing') return skills[path.slice(1)];
  const entries = skills.map(({ id, name, capability_type, description, access, version }, k) => {
    const descriptor_url = `http://${host}/${k}`;
    return { id, name, capability_type, description, descriptor_url, access, version };
  });
  return {
    protocol: { version: '1.0.0' },
    provider: { name: host },
    skills: entries.filter(({ access }) => access !== 'private'),
  };
}
