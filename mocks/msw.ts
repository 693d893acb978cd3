import { type HttpHandler, HttpResponse, http } from 'msw';
import { ConnectionReset, type MockSite } from './site.ts';

/**
 * Sites as msw request handlers: `server.use(...toHandlers({ 'a.example': provider.handle }))`. A key is `host` or
 * `host:port` for https, or an origin URL. Requests to other origins stay unhandled, so that `onUnhandledRequest: 'error'`
 * shows them. A {@link ConnectionReset} becomes a network error.
 */
export function toHandlers(sites: Readonly<Record<string, MockSite>>): HttpHandler[] {
  const byOrigin = new Map(
    Object.entries(sites).map(([key, site]) => [
      new URL(key.includes('://') ? key : `https://${key}`).origin,
      site,
    ]),
  );
  const siteFor = (request: Request) => byOrigin.get(new URL(request.url).origin);
  return [
    http.all(
      ({ request }) => siteFor(request) !== undefined,
      async ({ request }) => {
        try {
          return await siteFor(request)?.(request);
        } catch (error) {
          if (error instanceof ConnectionReset || request.signal.aborted) return HttpResponse.error();
          throw error;
        }
      },
    ),
  ];
}
