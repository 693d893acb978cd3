import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mockProvider, protocolVersion, skillDescriptor } from '../../mocks/arbitraries.ts';
import { createProvider, HOSTILE_TEXT, type MockSite, validDescriptor } from '../../mocks/index.ts';
import {
  type Client,
  createClient,
  createLock,
  createMemoryStore,
  type SkillRecord,
} from '../../src/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientOver, idsOf, providerOf, siteOf } from './support.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

const linesOf = (client: Client, options?: Parameters<Client['export']>[0]) =>
  collect(client.export(options));
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

async function allOf(client: Client): Promise<SkillRecord[]> {
  const { records } = await client.find({ include: 'descriptor', includePrivate: true, limit: 1000 });
  return records;
}

/** A client whose registry holds the skills of these lines. */
async function imported(lines: readonly string[]) {
  const client = createClient();
  const report = await client.import([textOf(lines)]);
  return { client, report };
}

/** The lines that a client exports who crawled such a provider. */
async function exported(...ids: string[]): Promise<string[]> {
  await using client = clientOver(siteOf(providerOf('a.example', ids)));
  await client.crawlAll(['a.example']);
  return await linesOf(client);
}

describe('export', () => {
  it('says what it is, and how many there were', async () => {
    const lines = await exported('one', 'two');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { skillscoutSnapshot: 1 },
      expect.objectContaining({ domain: 'a.example', entry: expect.objectContaining({ id: 'one' }) }),
      expect.objectContaining({ domain: 'a.example', entry: expect.objectContaining({ id: 'two' }) }),
      { end: { skills: 2 } },
    ]);
    expect(lines.join('')).not.toMatch(/fetchedAt|freshUntil|etag|stale/i);
  });

  it('leaves private skills out unless they are asked for', async () => {
    const skills = [validDescriptor({ id: 'open' }), validDescriptor({ id: 'hidden', access: 'private' })];
    const a = createProvider({ domain: 'a.example', name: 'A', skills, token: 'secret' });
    await using client = clientOver(siteOf(a), {
      credentials: { 'https://a.example': { bearer: 'secret' } },
    });
    await client.crawlAll(['a.example']);

    expect((await linesOf(client)).join('')).not.toContain('hidden');
    expect((await linesOf(client, { includePrivate: true })).join('')).toContain('hidden');
  });

  it('goes on over many pages, and ends with its signal', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `skill-${n}`);
    await using client = clientOver(siteOf(providerOf('a.example', ids)));
    await client.crawlAll(['a.example']);
    const lines = await linesOf(client);
    expect(lines.slice(1, -1).map((line) => JSON.parse(line).entry.id)).toEqual(ids);

    const stop = new AbortController();
    const left = client.export({ signal: stop.signal });
    await left.next();
    stop.abort(new Error('enough'));
    await expect(collect(left)).rejects.toThrow('enough');
  });
});

// Seen to catch: URLs that are judged otherwise once Node has optimised the judgement.
it('export, then import into an empty registry, gives an equal one but for how it was seen', async () => {
  const registry = fc.uniqueArray(mockProvider(skillDescriptor({ protocol: protocolVersion(1) })), {
    selector: ({ domain }) => domain,
    minLength: 1,
    maxLength: 2,
  });
  const seen = ({ fetchedAt, freshUntil, stale, ...record }: SkillRecord) => record;
  await fc.assert(
    fc.asyncProperty(registry, fc.array(fc.nat(20_000)), async (published, cuts) => {
      const providers = published.map((options) => createProvider(options));
      const credentials = Object.fromEntries(
        published.map(({ domain, token }) => [`https://${domain}`, { bearer: token }]),
      );
      await using source = clientOver(siteOf(...providers), { credentials });
      await source.crawlAll(providers.map(({ domain }) => domain));
      const before = await allOf(source);
      const text = textOf(await linesOf(source, { includePrivate: true }));
      const ends = [...cuts.sort((a, b) => a - b), text.length];
      const pieces = ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
      await using target = createClient();

      const report = await target.import(pieces);

      expect(report).toEqual({ imported: before.length, known: 0, rejected: 0, codes: {}, rejections: [] });
      const after = await allOf(target);
      expect(after.map(seen)).toEqual(before.map((record) => ({ ...seen(record), origin: 'imported' })));
      expect(after.every(({ stale, freshUntil }) => stale && freshUntil === 0)).toBe(true);
      expect(textOf(await linesOf(target, { includePrivate: true }))).toBe(text);
    }),
    { numRuns: 100 },
  );
});

describe('import', () => {
  it('marks what it adds, which is neither fresh nor trusted nor lockable, and due at once', async () => {
    const { client } = await imported(await exported('one'));
    const [record, ...others] = await allOf(client);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ origin: 'imported', stale: true });
    expect((await client.find({ freshness: 'fresh' })).records).toEqual([]);
    expect((await client.find({ trusted: true })).records).toEqual([]);
    await expect(createLock([record as SkillRecord])).rejects.toThrow(/imported/);
    expect((await client.status({ due: true })).records).toMatchObject([
      { domain: 'a.example', status: 'imported', successes: 0, skills: 1 },
    ]);
    expect((await client.changes()).records).toMatchObject([{ kind: 'added', id: 'one' }]);
  });

  it('tells who listens, and ends when the client is closed', async () => {
    const lines = await exported('one', 'two');
    const client = createClient();
    const heard: string[] = [];
    client.subscribe(({ kind, id }) => heard.push(`${kind} ${id}`));
    await client.import([textOf(lines)]);
    expect(heard).toEqual(['added one', 'added two']);

    const endless = async function* () {
      yield `${lines[0]}\n`;
      await new Promise(() => {});
    };
    const waiting = expect(client.import(endless())).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    await client.close();
    await waiting;
  });

  it('leaves what is known as it is', async () => {
    const lines = await exported('one', 'two');
    const forged = lines.map((line) => line.replaceAll('Translates', 'Steals'));
    await using client = clientOver(siteOf(providerOf('a.example', ['one'])));
    await client.crawlAll(['a.example']);
    const before = await client.get({ domain: 'a.example', id: 'one' });

    expect(await client.import([textOf(forged)])).toMatchObject({ imported: 1, known: 1, rejected: 0 });
    expect(await client.get({ domain: 'a.example', id: 'one' })).toEqual(before);
    expect(await client.import([textOf(forged)])).toMatchObject({ imported: 0, known: 2, rejected: 0 });
  });

  it('takes the first of several of one id', async () => {
    const [head = '', one = ''] = await exported('one');
    const twice = [
      head,
      one,
      one.replaceAll('"name":"', '"name":"Not '),
      JSON.stringify({ end: { skills: 2 } }),
    ];
    const { client, report } = await imported(twice);
    expect(report).toMatchObject({ imported: 1, known: 1, rejected: 0 });
    expect((await client.get({ domain: 'a.example', id: 'one' }))?.name).toBe(validDescriptor().name);
  });

  it('judges everything anew, and says which line is wrong', async () => {
    const [head = '', good = ''] = await exported('one');
    const wrong = (change: (line: Record<string, never>) => unknown) =>
      JSON.stringify(change(JSON.parse(good)));
    const deep = JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`);
    const lines = [
      ['NOT_JSON', good.slice(0, -9)],
      ['VALIDATION_ERROR', '[]'],
      ['VALIDATION_ERROR', 'null'],
      ['VALIDATION_ERROR', '"skill"'],
      ['VALIDATION_ERROR', wrong(({ view, ...line }) => line)],
      ['INVALID_DOMAIN', wrong((line) => ({ ...line, domain: 'A.example' }))],
      ['INVALID_DOMAIN', wrong((line) => ({ ...line, domain: 'a.example/path' }))],
      ['VALIDATION_ERROR', wrong((line) => ({ ...line, entry: { id: 'one' } }))],
      ['VALIDATION_ERROR', wrong((line) => ({ ...line, descriptor: { protocol: { version: '1.0.0' } } }))],
      ['VALIDATION_ERROR', wrong(({ descriptor, ...line }) => line)],
      ['VERSION_INCOMPATIBLE', good.replace('"protocol":{"version":"1', '"protocol":{"version":"2')],
      [
        'TOO_DEEP',
        wrong(({ descriptor, ...line }) => ({
          ...line,
          descriptor: { ...(descriptor as unknown as object), deep },
        })),
      ],
      [
        'DESCRIPTOR_MISMATCH',
        wrong(({ entry, ...line }) => ({ ...line, entry: { ...(entry as unknown as object), id: 'x' } })),
      ],
      ['PRIVATE_EXPOSED', good.replaceAll('"access":"public"', '"access":"private"')],
      ['URL_REFUSED', wrong((line) => ({ ...line, descriptorUrl: 'javascript:alert(1)' }))],
      ['URL_REFUSED', wrong((line) => ({ ...line, descriptorUrl: 'https://user:pw@a.example/' }))],
      ['BODY_TOO_LARGE', wrong((line) => ({ ...line, padding: 'x'.repeat(18 * 2 ** 20) }))],
    ] as const;
    const end = JSON.stringify({ end: { skills: lines.length + 1 } });

    const { client, report } = await imported([head, ...lines.map(([, line]) => line), good, end]);

    expect(report.rejections.map(({ line, code }) => [line, code])).toEqual(
      lines.map(([code], i) => [i + 2, code]),
    );
    expect(report).toMatchObject({ imported: 1, rejected: lines.length, codes: { URL_REFUSED: 2 } });
    expect(idsOf(await allOf(client))).toEqual(['one']);
  });

  it('keeps the first hundred reasons', async () => {
    const lines = Array(150).fill('{}');
    const { report } = await imported(['{"skillscoutSnapshot":1}', ...lines, '{"end":{"skills":150}}']);
    expect(report).toMatchObject({ rejected: 150, codes: { VALIDATION_ERROR: 150 } });
    expect(report.rejections).toHaveLength(100);
  });

  it('takes what is deep, long and hostile in itself, as a crawl does', async () => {
    const deep = JSON.parse(`${'['.repeat(63)}${']'.repeat(63)}`);
    const long = '\u0001\u200b'.repeat(250_000);
    const skills = [
      validDescriptor({ id: 'one', name: HOSTILE_TEXT, deep, long, ['__proto__']: HOSTILE_TEXT }),
    ];
    await using source = clientOver(siteOf(providerOf('a.example', [], { skills })));
    expect((await source.crawlAll(['a.example'])).skills.accepted).toBe(1);

    const { client, report } = await imported(await linesOf(source));
    expect(report).toMatchObject({ imported: 1, rejected: 0 });
    expect((await allOf(client))[0]?.descriptor).toEqual(skills[0]);
  });

  it('warns of claims as a crawl does', async () => {
    const skills = [validDescriptor({ id: 'com.paypal.pay', name: 'P\u0430yPal' })];
    await using source = clientOver(siteOf(providerOf('a.example', [], { skills })));
    await source.crawlAll(['a.example']);
    const codes = (records: SkillRecord[]) =>
      records.flatMap(({ warnings }) => warnings.map(({ code }) => code));

    const { client } = await imported(await linesOf(source));
    expect(codes(await allOf(client))).toEqual(codes(await allOf(source)));
    expect(codes(await allOf(client))).toContain('FOREIGN_ID');
  });

  it('reads any line ends, blank lines and a byte order mark', async () => {
    const lines = await exported('one', 'two');
    const client = createClient();
    expect(await client.import([`\ufeff\n\n${lines.join('\r\n\r\n \r\n')}`])).toMatchObject({ imported: 2 });
  });

  it.each<[string, (lines: string[]) => string, RegExp, number]>([
    ['nothing', () => '', /it is empty$/, 0],
    ['blank lines', () => '\n\n', /it is empty$/, 0],
    ['another file', () => 'id,name\n1,2\n', /first line/, 0],
    ['no first line', (lines) => textOf(lines.slice(1)), /first line/, 0],
    ['a later version', () => '{"skillscoutSnapshot":2}\n{"new":1}\n', /version 2/, 0],
    ['a version that is none', () => '{"skillscoutSnapshot":0.5}\n', /version 0\.5/, 0],
    ['no end', (lines) => textOf(lines.slice(0, -1)), /it was cut off$/, 2],
    ['half a line', (lines) => textOf(lines.slice(0, 2)) + lines[2]?.slice(0, 50), /it was cut off$/, 1],
    [
      'a missing line',
      (lines) => textOf([...lines.slice(0, 2), ...lines.slice(3)]),
      /says that it has 2 skills, and has 1$/,
      1,
    ],
    [
      'something after its end',
      (lines) => textOf([...lines, lines[1] ?? '']),
      /follows its end in line 5$/,
      2,
    ],
    ['two in a row', (lines) => textOf([...lines, ...lines]), /follows its end in line 5$/, 2],
    [
      'one in another',
      (lines) => textOf([...lines.slice(0, 2), ...lines]),
      /another one begins in line 3$/,
      1,
    ],
  ])('keeps what it has read, and refuses the rest: %s', async (_, text, reason, kept) => {
    const lines = await exported('one', 'two');
    await using client = createClient();

    const error = await client.import([text(lines)]).catch((reason) => reason);

    expect(error).toMatchObject({ code: 'SNAPSHOT_INVALID', details: { imported: kept, known: 0 } });
    expect(error.message).toMatch(reason);
    expect(error.message).not.toMatch(/[\n\r]/);
    expect(await allOf(client)).toHaveLength(kept);
  });

  it('takes no more of its source than it needs, and leaves it when it is aborted', async () => {
    const lines = await exported('one');
    let isLeft = false;
    async function* endless() {
      try {
        yield `${lines[0]}\n`;
        for (;;) {
          yield `${lines[1]}\n`;
          if (!stop.signal.aborted) stop.abort(new Error('enough'));
        }
      } finally {
        isLeft = true;
      }
    }
    const stop = new AbortController();
    await using client = createClient();
    await expect(client.import(endless(), { signal: stop.signal })).rejects.toThrow('enough');
    expect(isLeft).toBe(true);

    const silent: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    };
    const never = client.import(silent, { signal: AbortSignal.timeout(1) });
    await expect(never).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(client.import([Buffer.from('x')] as never)).rejects.toThrow(TypeError);
  });
});

describe('a forged snapshot', () => {
  /** Answers 304 to whatever is conditional, as one whose ETag was forged along with the body would wish for. */
  const certifying =
    (site: MockSite, conditional: string[]): MockSite =>
    async (request) => {
      const { headers, url } = request;
      if (!headers.has('if-none-match') && !headers.has('if-modified-since')) return site(request);
      conditional.push(url);
      return new Response(null, { status: 304, headers: { etag: headers.get('if-none-match') ?? '"x"' } });
    };

  it.each([
    ['refresh', (client: Client) => client.refresh()],
    ['crawl', (client: Client) => client.crawlAll(['a.example'], { cacheMode: 'refresh' })],
    ['discover', (client: Client) => client.discover('a.example')],
  ])('is replaced by the first %s, which asks unconditionally', async (_, look) => {
    const forged = (await exported('one')).map((line) =>
      line.replaceAll('https://', 'https://evil.').replaceAll('evil.a.', 'a.'),
    );
    const conditional: string[] = [];
    const clock = createManualClock();
    const genuine = providerOf('a.example', ['one']);
    const store = createMemoryStore();
    await using client = clientOver(
      { 'a.example': certifying(genuine.handle, conditional) },
      { store, clock },
    );
    await client.import([textOf(forged)]);
    const [forgery] = await allOf(client);
    expect(forgery?.descriptor.endpoint.url).toContain('evil');
    expect((await client.find({ freshness: 'fresh' })).records).toEqual([]);
    await expect(createLock([forgery as SkillRecord])).rejects.toThrow(TypeError);

    await look(client);

    expect(conditional).toEqual([]);
    expect(genuine.requests.map(({ status }) => status)).toEqual([200, 200]);
    const [record] = await allOf(client);
    expect(record?.descriptor).toEqual(genuine.skills[0]);
    expect(record).toMatchObject({
      stale: false,
      contentHash: expect.not.stringContaining(`${forgery?.contentHash}`),
    });
    expect(record).not.toHaveProperty('origin');
    expect((await createLock([record as SkillRecord])).skills).toHaveLength(1);
  });

  it('stays a forgery while its publisher cannot be asked', async () => {
    await using client = clientOver(
      { 'a.example': async () => new Response('', { status: 500 }) },
      {
        http: { retries: 0 },
      },
    );
    await client.import([textOf(await exported('one'))]);

    await client.refresh();

    expect(await allOf(client)).toMatchObject([{ origin: 'imported', stale: true }]);
    expect((await client.find({ freshness: 'fresh' })).records).toEqual([]);
  });

  it('is gone when its publisher does not list it', async () => {
    await using client = clientOver(siteOf(providerOf('a.example', ['other'])));
    await client.import([textOf(await exported('one'))]);

    await client.refresh();

    expect(idsOf(await allOf(client))).toEqual(['other']);
  });
});
