import { expect, it, onTestFinished } from 'vitest';
import { type MockSite, serve, validDescriptor, validEntry, validIndex } from '../../mocks/index.ts';
import { createClient } from '../../src/index.ts';
import { LOOPBACK } from './support.ts';

it.each([
  ['a bearer token', { bearer: 'S3cr3t' }],
  ['a header of its own', { header: 'x-api-key', value: 'S3cr3t' }],
  ['a function', async () => ({ header: 'cookie', value: 'session=S3cr3t' })],
])('[D2] %s for A goes to A alone, whomever its index names', async (_, credential) => {
  const seen: { from: 'A' | 'B'; path: string; secret: boolean }[] = [];
  const log = (from: 'A' | 'B', request: Request) =>
    seen.push({
      from,
      path: new URL(request.url).pathname,
      secret: [...request.headers.values()].some((value) => value.includes('S3cr3t')),
    });
  const b = await serve(async (request) => {
    log('B', request);
    return Response.json(validDescriptor({ id: 'at-b' }));
  });
  const site: MockSite = async (request) => {
    log('A', request);
    const { pathname, origin } = new URL(request.url);
    if (pathname === '/a.json') return Response.json(validDescriptor({ id: 'at-a' }));
    const entries = [
      validEntry({ id: 'at-a', descriptor_url: `${origin}/a.json` }),
      validEntry({ id: 'at-b', descriptor_url: `${b.origin}/b.json` }),
    ];
    return Response.json(validIndex({ skills: entries }));
  };
  const a = await serve(site);
  const client = createClient({
    unsafe: LOOPBACK,
    descriptorOrigins: 'any',
    credentials: { [a.origin]: credential },
  });
  onTestFinished(async () => {
    await client.close();
    await Promise.all([a.close(), b.close()]);
  });

  const outcome = await client.discover(a.origin);
  expect(outcome).toMatchObject({ status: 'ok', view: 'authenticated' });
  expect(outcome.skills.map(({ id }) => id)).toEqual(['at-a', 'at-b']);
  await client.discover(b.origin);
  await client.fetchDescriptor(`${b.origin}/other.json`);
  expect(seen.filter(({ from }) => from === 'A').map(({ secret }) => secret)).toEqual([true, true]);
  const atB = seen.filter(({ from }) => from === 'B');
  expect(atB).toHaveLength(3);
  expect(atB.map(({ secret }) => secret)).toEqual([false, false, false]);
  expect(JSON.stringify(outcome)).not.toContain('S3cr3t');
});
