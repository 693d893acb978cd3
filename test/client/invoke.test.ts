import { describe, expect, it, test } from 'vitest';
import { createProvider, type MockSite, validDescriptor } from '../../mocks/index.ts';
import {
  type ApprovalRequest,
  type ClientOptions,
  createLock,
  type InvokeOptions,
  SKILL_FLAGS,
  type SkillDescriptor,
} from '../../src/index.ts';
import { deferred } from '../support/deferred.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientOver } from './support.ts';

const DOMAIN = 'skills.example';
const ID = 'example.skills.translate';
const KEY = { domain: DOMAIN, id: ID };
const API_KEY = { header: 'X-API-Key', value: 'key-0123456789' };

const skill = (more: Partial<SkillDescriptor> = {}) =>
  validDescriptor({ id: ID, provider: { name: 'Skills' }, ...more });

/** A client that has looked at a provider that runs its skills. */
async function discovered(
  skills: SkillDescriptor[] = [skill()],
  options: ClientOptions = {},
  around: (site: MockSite) => MockSite = (site) => site,
) {
  const provider = createProvider({
    ...{ domain: DOMAIN, name: 'Skills', skills, token: 'sees-private' },
    invocations: { running: 0, credential: API_KEY },
  });
  const client = clientOver({ [DOMAIN]: around(provider.handle) }, options);
  await client.discover(DOMAIN);
  provider.requests.length = 0;
  return { client, provider };
}

const withEndpoint =
  (change: (descriptor: SkillDescriptor) => Partial<SkillDescriptor>) =>
  (site: MockSite): MockSite =>
  async (request) => {
    const response = await site(request);
    if (!new URL(request.url).pathname.endsWith('.json')) return response;
    const descriptor: SkillDescriptor = await response.json();
    return Response.json({ ...descriptor, ...change(descriptor) });
  };

describe('client.invoke', () => {
  it('gives the output of a skill, and tells of each status once', async () => {
    const { client } = await discovered();
    const statuses: unknown[] = [];
    const outcome = await client.invoke(KEY, { text: 'x' }, { onStatus: (status) => statuses.push(status) });
    expect(outcome).toMatchObject({
      ...{ ...KEY, status: 'completed', output: { echo: { text: 'x' } }, executionId: 'run-1', requests: 1 },
      warnings: [{ code: 'ADDRESS_CHECK_LITERAL' }],
    });
    expect(outcome).not.toHaveProperty('code');
    expect(statuses).toEqual([{ executionId: 'run-1', status: 'completed' }]);
  });

  test.each<[string, Partial<SkillDescriptor>, Record<string, unknown>, string]>([
    ['inputs that break the definitions', {}, { text: 1 }, 'INVALID_INPUTS'],
    [
      'inputs nested too deeply',
      {},
      { text: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) },
      'INVALID_INPUTS',
    ],
    ['a skill that wants a credential', { auth: { type: 'api_key' } }, { text: 'x' }, 'AUTH_REQUIRED'],
    ['an id of another namespace', { id: 'com.google.search' }, { text: 'x' }, 'SKILL_FLAGGED'],
    [
      "a provider's URL at another site",
      { provider: { name: 'G', url: 'https://google.com/' } },
      { text: 'x' },
      'SKILL_FLAGGED',
    ],
    ['a private skill', { access: 'private' }, { text: 'x' }, 'SKILL_NOT_FOUND'],
  ])('sends nothing for %s', async (_, more, inputs, code) => {
    const { client, provider } = await discovered([skill(more)], {
      credentials: { [`https://${DOMAIN}`]: { bearer: 'sees-private' } },
    });
    const outcome = await client.invoke({ domain: DOMAIN, id: more.id ?? ID }, inputs);
    expect(outcome).toMatchObject({ status: 'refused', code, requests: 0 });
    expect(provider.requests).toEqual([]);
  });

  it('invokes private and flagged skills for who says so', async () => {
    const skills = [skill({ id: 'com.google.search', access: 'private' })];
    const { client } = await discovered(skills, {
      credentials: { [`https://${DOMAIN}`]: { bearer: 'sees-private' } },
    });
    const key = { domain: DOMAIN, id: 'com.google.search' };
    const options: InvokeOptions = { includePrivate: true, acceptWarnings: ['FOREIGN_ID'] };
    expect(await client.invoke(key, { text: 'x' }, options)).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'FOREIGN_ID' }, { code: 'ADDRESS_CHECK_LITERAL' }],
    });
  });

  it('refuses skills that collide, and that were only imported', async () => {
    const [a, b] = ['a.example', 'b.example'].map((domain) =>
      createProvider({ domain, name: domain, skills: [skill({ id: 'search' })], invocations: {} }),
    );
    if (!a || !b) throw new Error('unreachable');
    await using client = clientOver({ [a.domain]: a.handle, [b.domain]: b.handle });
    await client.crawlAll([a.domain, b.domain]);
    const refused = await client.invoke({ domain: a.domain, id: 'search' }, { text: 'x' });
    expect(refused).toMatchObject({
      code: 'SKILL_FLAGGED',
      message: expect.stringContaining('ID_COLLISION'),
    });

    const lines: string[] = [];
    for await (const line of client.export()) lines.push(`${line}\n`);
    await using other = clientOver({});
    await other.import(lines);
    const imported = await other.invoke(
      { domain: a.domain, id: 'search' },
      { text: 'x' },
      {
        acceptWarnings: SKILL_FLAGS.filter((flag) => flag !== 'IMPORTED'),
      },
    );
    expect(imported).toMatchObject({ code: 'SKILL_FLAGGED', message: expect.stringContaining('IMPORTED') });
  });

  it('lets no accepted warning overrule a lock', async () => {
    const { client, provider } = await discovered();
    const record = await client.get(KEY);
    const lock = await createLock(record ? [record] : []);
    provider.setSkills([
      skill({ description: 'Now something else.' }),
      skill({ id: 'example.skills.other' }),
    ]);
    const clock = createManualClock();
    const store = (await import('../../src/index.ts')).createMemoryStore();
    await using unlocked = clientOver({ [DOMAIN]: provider.handle }, { store, clock });
    await unlocked.discover(DOMAIN);
    await using locked = clientOver({ [DOMAIN]: provider.handle }, { store, clock, lock });
    provider.requests.length = 0;
    for (const id of [ID, 'example.skills.other', 'example.skills.unknown']) {
      const outcome = await locked.invoke(
        { domain: DOMAIN, id },
        { text: 'x' },
        { acceptWarnings: SKILL_FLAGS },
      );
      const code = id.endsWith('unknown') ? 'SKILL_NOT_FOUND' : 'LOCK_MISMATCH';
      expect(outcome).toMatchObject({ status: 'refused', code });
    }
    expect(provider.requests).toEqual([]);
  });

  it('warns of what may have changed, and of an endpoint elsewhere', async () => {
    const clock = createManualClock();
    const { client } = await discovered(
      [skill()],
      { clock },
      withEndpoint(() => ({ endpoint: { url: 'https://api.elsewhere.example/run' } })),
    );
    await clock.advance(400_000);
    const outcome = await client.invoke(KEY, { text: 'x' });
    expect(outcome.warnings.map(({ code }) => code)).toEqual([
      'SKILL_STALE',
      'FOREIGN_ENDPOINT',
      'ADDRESS_CHECK_LITERAL',
    ]);
    expect(outcome).toMatchObject({ status: 'failed', code: 'SKILL_NOT_FOUND', requests: 1 });
  });

  test.each<[unknown, unknown, string]>([
    ['x', {}, 'inputs'],
    [[], {}, 'inputs'],
    [{}, { caller: { id: 'a' } }, 'caller'],
    [{}, { timeoutMs: 0 }, 'timeoutMs'],
    [{}, { acceptWarnings: ['LOCK_MISMATCH'] }, 'acceptWarnings'],
    [{}, { onStatus: 1 }, 'onStatus'],
    [{}, { includePrivate: 1 }, 'includePrivate'],
    [{}, { signal: 1 }, 'signal'],
    [{}, { retries: 1 }, 'retries'],
  ])('takes no %j with %j', async (inputs, options, named) => {
    await using client = clientOver({});
    const work = client.invoke(KEY, inputs as Record<string, unknown>, options as InvokeOptions);
    await expect(work).rejects.toThrow(new RegExp(`^${named}: `));
    await expect(work).rejects.toThrow(TypeError);
  });

  it.each([
    ['a bigint', 1n],
    ['no number', Number.NaN],
    ['a number too large', { b: [Number.POSITIVE_INFINITY] }],
    ['a function', () => 1],
  ])('takes no inputs that JSON cannot hold, such as %s', async (_, a) => {
    await using client = clientOver({});
    await expect(client.invoke(KEY, { a })).rejects.toThrow('inputs: expected an object of plain JSON');
  });

  it('never sends a POST again after a reset', async () => {
    let posts = 0;
    const { client } = await discovered([skill()], {}, (site) => async (request) => {
      if (request.method !== 'POST') return site(request);
      posts += 1;
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    });
    expect(await client.invoke(KEY, { text: 'x' })).toMatchObject({
      status: 'failed',
      code: 'NETWORK_FAILURE',
      requests: 1,
    });
    expect(posts).toBe(1);
  });

  it.each([
    [503, { suggested_delay_ms: 10, max_attempts: 9 }, 3],
    [429, { max_attempts: 2 }, 2],
    [429, { suggested_delay_ms: 3_600_000 }, 1],
    [503, undefined, 1],
    [500, { suggested_delay_ms: 1 }, 1],
  ])('after %i with the advice %j sends it so often: %i', async (status, retry, count) => {
    let posts = 0;
    const clock = createManualClock();
    const { client } = await discovered([skill()], { clock }, (site) => async (request) => {
      if (request.method !== 'POST') return site(request);
      posts += 1;
      return Response.json(
        { error: { code: 'BUSY', message: 'Busy.', ...(retry && { retry }) } },
        { status },
      );
    });
    const work = client.invoke(KEY, { text: 'x' });
    await clock.advance(10_000);
    expect(await work).toMatchObject({ status: 'failed', ...(retry && { retry }) });
    expect(posts).toBe(count);
  });

  it('ends with an abort and with the client, whatever the provider does', async () => {
    const asked = deferred();
    const { client } = await discovered([skill()], {}, (site) => (request) => {
      if (request.method !== 'POST') return site(request);
      asked.resolve();
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const aborted = client.invoke(KEY, { text: 'x' }, { signal: controller.signal });
    const closed = client.invoke(KEY, { text: 'x' });
    await asked.promise;
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const expectation = expect(closed).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    await client.close();
    await expectation;
    await expect(client.invoke(KEY, {})).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });
});

describe('the approval', () => {
  it('sees the skill, where it comes from and what would be sent, and nothing has left', async () => {
    const seen: ApprovalRequest[] = [];
    const { client, provider } = await discovered([skill({ inputs: [{ name: 'text', default: 'hello' }] })], {
      invocation: {
        approve: (request) => {
          expect(provider.requests).toEqual([]);
          seen.push(request);
          return true;
        },
      },
    });
    const record = await client.get(KEY);
    expect(await client.invoke(KEY, {})).toMatchObject({
      status: 'completed',
      output: { echo: { text: 'hello' } },
    });
    const [request] = seen;
    expect(request?.provenance).toEqual({
      ...{
        domain: DOMAIN,
        descriptorUrl: record?.descriptorUrl,
        view: 'anonymous',
        fetchedAt: record?.fetchedAt,
      },
      ...{ contentHash: record?.contentHash, endpointOrigin: `https://${DOMAIN}` },
    });
    expect(request).toMatchObject({ skill: { id: ID }, warnings: [], inputs: { text: 'hello' } });
    expect(() => {
      (request?.skill.descriptor.endpoint as { url: string }).url = 'https://evil.example/';
    }).toThrow(TypeError);
    expect(Object.isFrozen(request?.inputs)).toBe(true);
  });

  it.each<[string, () => unknown]>([
    ['no', () => false],
    ['anything but true', () => 'yes'],
    [
      'a throw',
      () => {
        throw new Error('s3cret');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('s3cret'))],
  ])('refuses by %s', async (_, approve) => {
    const { client, provider } = await discovered([skill()], {
      invocation: { approve: approve as () => boolean },
    });
    const outcome = await client.invoke(KEY, { text: 'x' });
    expect(outcome).toMatchObject({ status: 'refused', code: 'APPROVAL_REFUSED', requests: 0 });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    expect(provider.requests).toEqual([]);
  });

  it('takes its time: the limit begins after it', async () => {
    const clock = createManualClock();
    const answer = deferred<boolean>();
    const { client } = await discovered([skill()], { clock, invocation: { approve: () => answer.promise } });
    const work = client.invoke(KEY, { text: 'x' }, { timeoutMs: 1000 });
    await clock.advance(3_600_000);
    answer.resolve(true);
    expect(await work).toMatchObject({ status: 'completed', durationMs: 3_600_000 });
  });
});

describe('credentials', () => {
  const ORIGIN = `https://${DOMAIN}`;
  const needs = (auth: SkillDescriptor['auth']) => [skill({ auth })];
  const sent = (provider: { requests: { headers: Record<string, string> }[] }) =>
    provider.requests[0]?.headers;

  it('are sent in the header that the skill names, and are in no outcome', async () => {
    const { client, provider } = await discovered(
      needs({ type: 'api_key', header: 'X-Api-Key' }),
      { invocation: { credentials: { [ORIGIN]: { apiKey: API_KEY.value } } } },
      (site) => async (request) => {
        if (request.method !== 'POST') return site(request);
        const answer = await (await site(request)).json();
        return Response.json({
          ...answer,
          output: `${request.headers.get('x-api-key')} ${answer.output.echo.text}`,
        });
      },
    );
    const caller = { id: 'me', type: 'user', credentials: { token: 'caller-token' } };
    const outcome = await client.invoke(KEY, { text: 'caller-token' }, { caller });
    expect(outcome).toMatchObject({ status: 'completed', output: '[credential] [credential]' });
    expect(outcome.warnings.map(({ code }) => code)).toContain('SECRET_REDACTED');
    expect(sent(provider)?.['x-api-key']).toBe(API_KEY.value);
    expect(JSON.stringify(outcome)).not.toMatch(/key-0123456789|caller-token/);
  });

  it.each<[string, (secret: string) => Response]>([
    [
      'a redirect that is refused',
      (secret) =>
        new Response(null, { status: 307, headers: { location: `https://evil.example/${secret}` } }),
    ],
    [
      'a charset that is none',
      (secret) => new Response('x', { headers: { 'content-type': `text/plain; charset=${secret}` } }),
    ],
  ])('of the caller are not shown in %s', async (_, answer) => {
    const { client } = await discovered([skill()], {}, (site) => async (request) => {
      if (request.method !== 'POST') return site(request);
      return answer((await request.json()).caller.credentials.token);
    });
    const caller = { id: 'me', type: 'service', credentials: { token: 'Caller-Token-1' } };
    const outcome = await client.invoke(KEY, { text: 'x' }, { caller });
    expect(outcome.status).toBe('failed');
    expect(JSON.stringify(outcome)).not.toMatch(/caller-token-1/i);
    expect(outcome.warnings.map(({ code }) => code)).toContain('SECRET_REDACTED');
  });

  it('go as bearer to skills with oauth2, and by a function to others', async () => {
    const messages: unknown[] = [];
    const auth = {
      type: 'oauth2',
      oauth2: { authorization_url: ORIGIN, token_url: `${ORIGIN}/token`, scopes: {} },
    } as const;
    const bearer = await discovered(needs(auth), {
      invocation: { credentials: { [ORIGIN]: { bearer: 'b-1' } } },
    });
    await bearer.client.invoke(KEY, { text: 'x' });
    expect(bearer.provider.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/invoke$/)]);
    expect(sent(bearer.provider)?.authorization).toBe('Bearer b-1');

    const signed = await discovered(needs({ type: 'custom' }), {
      invocation: {
        credentials: {
          [ORIGIN]: async (message) => {
            messages.push(message);
            return { header: 'x-signature', value: 'signed' };
          },
        },
      },
    });
    await signed.client.invoke(KEY, { text: 'x' });
    expect(sent(signed.provider)?.['x-signature']).toBe('signed');
    expect(messages).toMatchObject([
      { method: 'POST', url: expect.stringMatching(/^https:/), body: expect.stringContaining('"inputs"') },
    ]);
  });

  test.each([
    'Host',
    'Cookie',
    'set-cookie',
    'Expect',
    'X-Forwarded-For',
    'Sec-Fetch-Mode',
    '__proto__',
    'Connection',
    'Transfer-Encoding',
    'Content-Length',
    'TE',
    'Upgrade',
    'Proxy-Authorization',
    'a b',
    'x\r\ny',
    '',
  ])('are not set as %j, whatever the descriptor says', async (header) => {
    const { client, provider } = await discovered(needs({ type: 'api_key', header }), {
      invocation: { credentials: { [ORIGIN]: { apiKey: 'key-0123456789' } } },
    });
    const outcome = await client.invoke(KEY, { text: 'x' });
    expect(outcome).toMatchObject({ status: 'refused', code: 'CREDENTIAL_FAILED', requests: 0 });
    expect(provider.requests).toEqual([]);
  });

  test.each<[string, NonNullable<ClientOptions['invocation']>['credentials'], string]>([
    ['another origin', { 'https://other.example': { apiKey: 'k' } }, 'AUTH_REQUIRED'],
    ['another kind', { [ORIGIN]: { bearer: 'k' } }, 'AUTH_REQUIRED'],
    ['a function that has none', { [ORIGIN]: async () => undefined }, 'AUTH_REQUIRED'],
    ['a function that fails', { [ORIGIN]: () => Promise.reject(new Error('s3cret')) }, 'CREDENTIAL_FAILED'],
    [
      'a function that gives nonsense',
      { [ORIGIN]: async () => ({ header: 'host', value: 's3cret' }) },
      'CREDENTIAL_FAILED',
    ],
  ])('of %s lead to nothing being sent', async (_, credentials, code) => {
    const { client, provider } = await discovered(needs({ type: 'api_key' }), {
      invocation: { credentials },
    });
    const outcome = await client.invoke(KEY, { text: 'x' });
    expect(outcome).toMatchObject({ status: 'refused', code, requests: 0 });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    expect(provider.requests).toEqual([]);
  });

  it('of discovery, and of skills that need none, are not sent', async () => {
    const { client, provider } = await discovered([skill()], {
      credentials: { [ORIGIN]: { bearer: 'sees-private' } },
      invocation: { credentials: { [ORIGIN]: { apiKey: 'k' } } },
    });
    await client.invoke(KEY, { text: 'x' });
    expect(sent(provider)).not.toHaveProperty('authorization');
    expect(sent(provider)).not.toHaveProperty('x-api-key');
  });

  test.each<[unknown, string]>([
    [{ 'http://a.example': { bearer: 'k' } }, 'must be https'],
    [{ 'https://a.example/path': { bearer: 'k' } }, 'is not an origin'],
    [{ [ORIGIN]: { bearer: 'k', apiKey: 'k' } }, 'expected { apiKey }'],
    [{ [ORIGIN]: { bearer: 's3cret\n' } }, 'expected { apiKey }'],
    [{ [ORIGIN]: 's3cret' }, 'expected { apiKey }'],
  ])('like %j are refused by createClient', (credentials, message) => {
    const create = () =>
      clientOver({}, { invocation: { credentials } as ClientOptions['invocation'] & object });
    expect(create).toThrow(message);
    expect(create).not.toThrow('s3cret');
  });
});
