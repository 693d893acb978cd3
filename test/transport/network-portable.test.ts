import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNetwork } from '../../src/transport/network-portable.ts';

afterEach(() => vi.unstubAllGlobals());

const options = { connectTimeoutMs: 1000, judgeAddress: () => undefined };

describe('the portable network', () => {
  it("asks the platform's fetch as it is at the time of the call", async () => {
    const network = createNetwork(options);
    await network.prepare();
    vi.stubGlobal('fetch', async (input: string) => new Response(`asked ${input}`));
    const response = await network.fetch('https://provider.example/');
    expect(await new Response(response.body).text()).toBe('asked https://provider.example/');
    expect(network.addressCheck).toBe('literal');
    await network.close();
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
