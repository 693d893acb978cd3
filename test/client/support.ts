import { createProvider, type MockProvider, type MockSite, validDescriptor } from '../../mocks/index.ts';
import { type ClientOptions, createClient } from '../../src/index.ts';

/** A client over sites by host, through an injected fetch: no socket, no name resolution. */
export function clientOver(sites: Record<string, MockSite>, options: ClientOptions = {}) {
  return createClient({
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const site = sites[new URL(request.url).host];
      return site ? site(request) : new Response(null, { status: 404 });
    },
    ...options,
  });
}

export const providerOf = (
  domain: string,
  ids: string[],
  options: Partial<Parameters<typeof createProvider>[0]> = {},
) => createProvider({ domain, name: domain, skills: ids.map((id) => validDescriptor({ id })), ...options });
export const siteOf = (...providers: MockProvider[]) =>
  Object.fromEntries(providers.map(({ domain, handle }) => [domain, handle]));
export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
