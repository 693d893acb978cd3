import { expect, it, onTestFinished } from 'vitest';
import { validDescriptor } from '../../mocks/index.ts';
import { createClient } from '../../src/index.ts';
import { serve } from '../support/loopback-server.ts';

it('a crawl keeps as many connections as the providers in progress need, and no more', async () => {
  const providers = 20;
  const skills = 3;
  const server = await serve((request, response) => {
    const origin = `http://${request.headers.host}`;
    const [, position] = /^\/(\d+)$/.exec(request.url ?? '') ?? [];
    const { endpoint, inputs, output, auth, ...shared } = validDescriptor();
    const { protocol, provider, name, version, capability_type, description, access } = shared;
    const id = (at: number | string) => `example.skill-${at}`;
    const entry = (at: number) => ({
      ...{ id: id(at), name, capability_type, description, access, version },
      descriptor_url: `${origin}/${at}`,
    });
    const document =
      position === undefined
        ? { protocol, provider, skills: Array.from({ length: skills }, (_, at) => entry(at)) }
        : { ...validDescriptor(), id: id(position) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  await using client = createClient({
    concurrency: { providers: 2, perOrigin: 1 },
    unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
    lookup: (_hostname, _options, callback) => callback(null, '127.0.0.1', 4),
  });
  const domains = Array.from({ length: providers }, (_, at) => `http://p${at}.example:${server.port}`);
  const { skills: found } = await client.crawlAll(domains);
  expect(found).toEqual({ accepted: providers * skills, rejected: 0 });
  expect(server.connections).toBe(providers);
  expect(server.mostOpen).toBeLessThan(providers);
});
