import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../mocks/index.ts';
import { createClient } from '../../src/index.ts';

/** Runs a program of `support/` over the built package, and reads the JSON that it prints. */
async function report(program: string, ...args: string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(`support/${program}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', path, ...args]);
  return JSON.parse(stdout);
}

describe('a crawl of silent hosts that is interrupted', () => {
  it.each([
    ['abort', 'enough'],
    ['close', 'CLIENT_CLOSED'],
  ])(
    '[F11] by %s leaves no socket, timer, listener or unhandled rejection, and the process can end',
    async (how, result) => {
      expect(await report('interrupted-crawl.mjs', how)).toEqual({
        // For each domain its budget's timer, and one that all requests share.
        during: { sockets: 64, listeners: 1, sleeping: 65 },
        result,
        after: { sleeping: 0, listeners: 0 },
        resources: [],
        unhandled: [],
      });
    },
  );
});

it('[F11] 10,000 looks under one long-lived signal leave no listener and no memory behind', {
  timeout: 180_000,
}, async () => {
  const { grown, ...rest } = (await report('many-discovers.mjs')) as { grown: number };
  expect(rest).toEqual({
    statuses: { ok: 8000, none: 1000, failed: 1000 },
    listeners: { most: 1, between: 0, end: 0 },
  });
  expect(grown).toBeLessThan(8 * 2 ** 20);
});

it('everything is rejected after close, and close twice is one close', async () => {
  const server = await serve(() => new Promise(() => {}));
  onTestFinished(() => server.close());
  const client = createClient({
    lookup: server.lookup,
    unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
  });
  const closed = { name: 'SkillscoutError', code: 'CLIENT_CLOSED' };
  const pending = expect(client.discover(server.origin)).rejects.toMatchObject(closed);
  await Promise.all([client.close(), client.close()]);
  await pending;
  await expect(client.discover('a.example')).rejects.toMatchObject(closed);
  await expect(client.find()).rejects.toMatchObject(closed);
  await expect(client.get({ domain: 'a.example', id: 'x' })).rejects.toMatchObject(closed);
  await expect(client.fetchDescriptor('https://a.example/x')).rejects.toMatchObject(closed);
  await expect(client.crawl(['a.example']).next()).rejects.toMatchObject(closed);
  await expect(client.crawlAll(['a.example'])).rejects.toMatchObject(closed);
});
