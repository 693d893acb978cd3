import { once } from 'node:events';
import { type Client, createClient, type InvocationRequest } from 'skillscout';
import { createProvider, HOSTILE_TEXT, serve, validDescriptor } from 'skillscout/testing';

/** Orders, terminal escapes, invisible tag characters, a megabyte. */
const HOSTILE = `${HOSTILE_TEXT} \u{e0073}\u{e0065}\u{e0063} ${'long '.repeat(200_000)}`;

export const INPUTS = { text: 'Guten Morgen', target: 'en' };
export const TRANSLATION = 'Good morning';

export interface World {
  client: Client;
  /** The invocations that came, in order. */
  asked: InvocationRequest[];
  /** Keeps the next invocation waiting: resolves with when its caller will have left, once it has come. */
  keepWaiting(): Promise<{ left: Promise<unknown> }>;
  close(): Promise<void>;
}

/** A client that knows a provider with one skill, whose description is hostile. */
export async function openWorld(): Promise<World> {
  const asked: InvocationRequest[] = [];
  let onCome: (() => void) | undefined;
  const departures = new EventTarget();
  const provider = createProvider({
    domain: 'language.example',
    name: 'Language',
    skills: [
      validDescriptor({
        id: 'translate',
        name: 'Translate',
        description: `Translates text. ${HOSTILE}`,
        provider: { name: 'Language' },
        inputs: [
          { name: 'text', type: 'string', required: true },
          { name: 'target', type: 'string', required: true, enum: ['en', 'fr'] },
        ],
      }),
    ],
    invocations: {
      running: 0,
      async run(request) {
        asked.push(request);
        if (onCome) await new Promise(() => onCome?.());
        return TRANSLATION;
      },
    },
  });
  const server = await serve((request) => {
    request.signal.addEventListener('abort', () => departures.dispatchEvent(new Event('left')));
    return provider.handle(request);
  });
  const client = createClient({ unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] } });
  await client.crawlAll([server.origin]);
  return {
    client,
    asked,
    async keepWaiting() {
      const left = once(departures, 'left');
      await new Promise<void>((resolve) => {
        onCome = resolve;
      });
      onCome = undefined;
      return { left };
    },
    async close() {
      await client.close();
      await server.close();
    },
  };
}
