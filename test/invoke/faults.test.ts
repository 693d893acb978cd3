import { describe, expect, it } from 'vitest';
import {
  createProvider,
  INVOCATION_FAULTS,
  type InvocationFault,
  type MockSite,
  serve,
  validDescriptor,
} from '../../mocks/index.ts';
import {
  type ClientOptions,
  type Clock,
  createClient,
  type InvocationOutcome,
  SKILL_FLAGS,
  systemClock,
} from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { useMswInternet } from '../support/msw-internet.ts';

const all = (Object.entries(INVOCATION_FAULTS) as [string, InvocationFault][]).map(([name, fault], n) => ({
  ...fault,
  name,
  host: `fault-${n}.example`,
}));
const ENDLESS = 'status-never-ends';
const ending = all.filter(({ name }) => name !== ENDLESS);
const sites: Record<string, MockSite> = Object.fromEntries(all.map(({ host, make }) => [host, make()]));

/** Real time for time limits; pauses between questions take none. */
const hasty: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms <= 5000 ? 0 : ms, signal),
};
const options: ClientOptions = { clock: hasty, http: { retries: 0, maxBodyBytes: 2 ** 20 } };

type NamedFault = (typeof all)[number];

async function outcomesOf(
  faults: NamedFault[],
  domainOf: (host: string) => string,
  more: ClientOptions,
): Promise<InvocationOutcome[]> {
  await using client = createClient({ ...options, ...more });
  const domains = faults.map(({ host }) => domainOf(host));
  await client.crawlAll(domains);
  return await Promise.all(
    domains.map((domain) => {
      const key = { domain, id: 'com.example.translate-v1' };
      return client.invoke(key, { text: 'water' }, { acceptWarnings: SKILL_FLAGS });
    }),
  );
}

function expectPromised(outcomes: InvocationOutcome[], faults: NamedFault[]) {
  const named = (results: Pick<InvocationOutcome, 'status' | 'code'>[]) =>
    Object.fromEntries(results.map(({ status, code }, n) => [faults[n]?.name, { status, code }]));
  expect(named(outcomes)).toEqual(named(faults));
}

it('over sockets, a client reports what is promised of every provider with a fault', async () => {
  const server = await serve(async (request) => {
    const site = sites[new URL(request.url).hostname];
    return site ? site(request) : new Response('no such host', { status: 421 });
  });
  try {
    const outcomes = await outcomesOf(ending, (host) => `http://${host}:${server.port}`, {
      lookup: server.lookup,
      unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.1/32'] },
    });
    expectPromised(outcomes, ending);
  } finally {
    await server.close();
  }
});

describe('under msw, a client', () => {
  const internet = useMswInternet();

  it('reports what is promised of every provider with a fault', async () => {
    const faults = ending.filter(({ name }) => !name.endsWith('-reset'));
    internet.mount(Object.fromEntries(faults.map(({ host, make }) => [host, make()])));
    const outcomes = await outcomesOf(faults, (host) => host, { fetch: (...args) => fetch(...args) });
    expectPromised(outcomes, faults);
  });
});

it('waits for no execution longer than it was told to', async () => {
  const site = INVOCATION_FAULTS[ENDLESS].make();
  const clock = createManualClock();
  await using client = createClient({ clock, fetch: async (...args) => site(new Request(...args)) });
  await client.discover('endless.example');
  const key = { domain: 'endless.example', id: 'com.example.translate-v1' };
  const statuses: string[] = [];
  const work = client.invoke(
    key,
    { text: 'x' },
    {
      acceptWarnings: SKILL_FLAGS,
      timeoutMs: 30_000,
      onStatus: ({ status }) => statuses.push(status),
    },
  );
  await clock.advance(30_000);
  const { durationMs, requests, ...outcome } = await work;
  expect(outcome).toMatchObject({ status: 'failed', code: 'EXECUTION_TIMEOUT', executionId: 'run-1' });
  expect({ durationMs, statuses }).toEqual({ durationMs: 30_000, statuses: ['accepted', 'running'] });
  // One POST, and questions after pauses of 225 ms, half as much again each time, then 4.5 s: a tenth is taken by chance.
  expect(requests).toBe(13);
  expect(clock.sleepers).toBe(0);
});

it('runs the skills of a provider that works', async () => {
  const skills = [validDescriptor()];
  const provider = createProvider({ domain: 'a.example', name: 'A', skills, invocations: { running: 0 } });
  await using client = createClient({ fetch: async (...args) => provider.handle(new Request(...args)) });
  await client.discover('a.example');
  const key = { domain: 'a.example', id: 'com.example.translate-v1' };
  const outcome = await client.invoke(key, { text: 'water' }, { acceptWarnings: SKILL_FLAGS });
  expect(outcome).toMatchObject({ status: 'completed', output: { echo: { text: 'water' } } });
  expect(JSON.parse(provider.requests.at(-1)?.body ?? '')).toEqual({
    caller: { id: 'skillscout', type: 'service' },
    skill_id: 'com.example.translate-v1',
    inputs: { text: 'water' },
    context: { timeout_ms: 60_000 },
  });
});
