import { afterEach, describe, expect, it, vi } from 'vitest';
import { Abort } from '../../src/abort.ts';
import { systemClock } from '../../src/clock.ts';
import { createNetwork } from '../../src/transport/network-portable.ts';

afterEach(() => vi.unstubAllGlobals());

const options = {
  clock: systemClock,
  connectTimeoutMs: 1000,
  maxIdleSockets: 64,
  judgeAddress: () => undefined,
};

describe('the portable network', () => {
  it("asks the platform's fetch as it is at the time of the call", async () => {
    const network = createNetwork(options);
    await network.prepare();
    vi.stubGlobal('fetch', async ({ url }: Request) => new Response(`asked ${url}`));
    const url = new URL('https://provider.example/');
    const answer = await network.hop({ method: 'GET', url, headers: {}, body: undefined }, new Abort());
    const { bytes } = await answer.read(1000, () => {});
    expect(new TextDecoder().decode(bytes)).toBe('asked https://provider.example/');
    expect(network.addressCheck).toBe('literal');
    await network.close();
  });

  it('refuses to be another transport than ky', () => {
    expect(() => createNetwork({ ...options, transport: 'node' })).toThrow(/^transport: /);
  });

  it.each([
    ['lookup', { lookup: () => {} }],
    ['http.proxy', { proxy: 'http://proxy.example' }],
    ['http.ca', { ca: 'pem' }],
  ])('refuses %s, which it cannot do', (name, more) => {
    expect(() => createNetwork({ ...options, ...more })).toThrow(
      new TypeError(`${name}: only possible with the fetch of Node.js`),
    );
  });
});
