import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { toHandlers } from '../../mocks/msw.ts';
import type { MockSite } from '../../mocks/site.ts';

/** Serves mock sites through msw for the tests of one file. A request to any other origin is an error. */
export function useMswInternet(): { mount(sites: Readonly<Record<string, MockSite>>): void } {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return {
    mount(sites) {
      server.resetHandlers(...toHandlers(sites));
    },
  };
}
