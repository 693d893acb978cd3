import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FAULTS } from '../../mocks/faults.ts';
import { toHandlers } from '../../mocks/msw.ts';
import { WELL_KNOWN_PATH } from '../../mocks/provider.ts';
import { ConnectionReset } from '../../mocks/site.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const echo = async (request: Request) => new Response(request.url);

test('hosts are https, origins are what they say', async () => {
  server.use(...toHandlers({ 'a.example': echo, 'b.example:8443': echo, 'http://c.example': echo }));
  for (const url of ['https://a.example/x?y=1', 'https://b.example:8443/', 'http://c.example/']) {
    expect(await (await fetch(url)).text()).toBe(url);
  }
});

test.each(['https://other.example/', 'http://a.example/', 'https://a.example:8443/'])(
  '%s is nobody’s and an error',
  async (url) => {
    const complain = vi.spyOn(console, 'error').mockReturnValue();
    server.use(...toHandlers({ 'a.example': echo }));
    await expect(fetch(url)).rejects.toThrow();
    expect(complain.mock.lastCall?.join()).toContain(url);
    complain.mockRestore();
  },
);

test('a reset is a network error, before the body and inside of it', async () => {
  server.use(
    ...toHandlers({
      'a.example': async () => {
        throw new ConnectionReset();
      },
      'b.example': FAULTS['index-reset-in-body'].make(),
    }),
  );
  await expect(fetch('https://a.example/')).rejects.toThrow(TypeError);
  const response = await fetch(`https://b.example${WELL_KNOWN_PATH}`);
  await expect(response.text()).rejects.toThrow();
});

test.each(['index-hang', 'index-stall', 'index-drip'] as const)(
  '%s ends with the abort of the client',
  async (name) => {
    server.use(...toHandlers({ 'a.example': FAULTS[name].make() }));
    const client = new AbortController();
    const answer = fetch(`https://a.example${WELL_KNOWN_PATH}`, { signal: client.signal }).then(
      (response) => {
        const text = response.text();
        client.abort();
        return text;
      },
    );
    if (name === 'index-hang') client.abort();
    await expect(answer).rejects.toThrow();
  },
);

test('the gzip bomb unpacks', async () => {
  server.use(...toHandlers({ 'a.example': FAULTS['index-gzip-bomb'].make() }));
  const response = await fetch(`https://a.example${WELL_KNOWN_PATH}`);
  expect((await response.arrayBuffer()).byteLength).toBe(32 * 2 ** 20);
});
