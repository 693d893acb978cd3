import { afterEach, describe, expect, test } from 'vitest';
import { FAULTS, type Fault, type FaultName, PRIVATE_HOSTS } from '../../mocks/faults.ts';
import { WELL_KNOWN_PATH } from '../../mocks/provider.ts';
import { type LoopbackServer, serve } from '../../mocks/serve.ts';
import {
  findDuplicateIds,
  type IndexReading,
  judgeEntry,
  parse,
  parseHttpUrl,
  parseIndex,
  type SkillIndexEntry,
} from '../../src/protocol/index.ts';

const servers: LoopbackServer[] = [];
const closeAll = () => Promise.all(servers.map((server) => server.close()));
afterEach(async () => {
  await closeAll();
  servers.length = 0;
});

async function start(name: FaultName): Promise<string> {
  const server = await serve(FAULTS[name].make());
  servers.push(server);
  return server.origin;
}

const all = Object.entries(FAULTS) as [FaultName, Fault][];
const namesOf = (where: (fault: Fault, name: FaultName) => boolean) =>
  all.filter(([name, fault]) => where(fault, name)).map(([name]) => name);

/** What a document is refused for once it has arrived. */
const DOCUMENT_CODES: readonly string[] = [
  'HTML_INSTEAD',
  'NOT_JSON',
  'EMPTY_BODY',
  'TOO_DEEP',
  'VALIDATION_ERROR',
  'VERSION_INCOMPATIBLE',
];
const isDocumentFault = ({ code }: Fault) => code !== undefined && DOCUMENT_CODES.includes(code);

async function readIndex(origin: string): Promise<IndexReading> {
  const reading = parseIndex(await text(origin + WELL_KNOWN_PATH));
  if (!reading.ok) throw new Error(reading.failure.message);
  return reading.value;
}

/** As sent, but for a byte order mark and compression. */
const text = async (url: string) => (await fetch(url)).text();

/** Where the fault is: the index, or the descriptor of the first entry. */
async function faultyUrl(name: FaultName): Promise<string> {
  const origin = await start(name);
  if (FAULTS[name].hits === 'index') return origin + WELL_KNOWN_PATH;
  const { entries } = await readIndex(origin);
  return (entries[0] as SkillIndexEntry).descriptor_url;
}

const both = (...names: string[]) =>
  names.flatMap((name) => [`index-${name}`, `descriptor-${name}`]) as FaultName[];

describe('statuses', () => {
  test.each(namesOf((_fault, name) => /-\d{3}$/.test(name)))('%s', async (name) => {
    const response = await fetch(await faultyUrl(name));
    expect(response.status).toBe(Number(name.slice(-3)));
    if (response.status === 204) return;
    expect(await response.json()).toEqual({
      error: { code: FAULTS[name].code, message: expect.any(String) },
    });
  });

  test.each(both('429'))('%s asks for a day', async (name) => {
    expect((await fetch(await faultyUrl(name))).headers.get('retry-after')).toBe('86400');
  });

  test.each(both('challenge'))('%s', async (name) => {
    const response = await fetch(await faultyUrl(name));
    expect([response.status, response.headers.get('cf-mitigated')]).toEqual([403, 'challenge']);
    expect(await response.text()).toContain('challenge-platform');
  });
});

describe('documents', () => {
  test.each(namesOf((fault) => fault.hits === 'index' && isDocumentFault(fault)))('%s', async (name) => {
    expect(parseIndex(await text(await faultyUrl(name)))).toMatchObject({
      ok: false,
      failure: { code: FAULTS[name].code },
    });
  });

  test.each(namesOf((fault, name) => name.startsWith('descriptor') && isDocumentFault(fault)))(
    '%s',
    async (name) => {
      expect(parse(await text(await faultyUrl(name)))).toMatchObject({
        ok: false,
        failure: { code: FAULTS[name].code },
      });
    },
  );

  test.each(both('encoding'))('%s', async (name) => {
    const bytes = await (await fetch(await faultyUrl(name))).arrayBuffer();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });

  test.each(both('broken-gzip'))('%s', async (name) => {
    await expect(faultyUrl(name).then(text)).rejects.toThrow();
  });

  test.each(both('huge', 'gzip-bomb'))('%s is 32 MiB', async (name) => {
    const response = await fetch(await faultyUrl(name));
    expect((await response.arrayBuffer()).byteLength).toBe(32 * 2 ** 20);
  });

  test('index-20001-skills', async () => {
    const { entries } = await readIndex(await start('index-20001-skills'));
    expect(entries).toHaveLength(20_001);
    expect(findDuplicateIds(entries).size).toBe(0);
  });

  test.each(namesOf(({ code }) => code === 'DESCRIPTOR_MISMATCH'))('%s', async (name) => {
    const { entries } = await readIndex(await start(name));
    const [entry] = entries as [SkillIndexEntry];
    const reading = parse(await text(entry.descriptor_url));
    if (!reading.ok) throw new Error(reading.failure.message);
    const { descriptor_url, ...shared } = entry;
    const differing = Object.keys(shared).filter((member) => reading.value[member] !== shared[member]);
    expect(differing).toHaveLength(1);
    expect(['id', 'capability_type', 'access']).toContain(differing[0]);
  });
});

describe('connections', () => {
  test.each(both('hang', 'stall', 'drip'))(
    '%s never ends, and nothing is left after an abort',
    async (name) => {
      const url = await faultyUrl(name);
      const client = new AbortController();
      const settled = fetch(url, { signal: client.signal }).then(async ({ body }) => {
        const reader = body?.getReader();
        await reader?.read();
        if (name.endsWith('drip')) await reader?.read();
        client.abort();
        await reader?.read();
      });
      if (name.endsWith('hang')) client.abort();
      await expect(settled).rejects.toThrow();
      await closeAll();
      expect(servers.map((server) => server.connections())).toEqual([0]);
    },
  );

  test.each(both('reset'))('%s', async (name) => {
    await expect(faultyUrl(name).then(fetch)).rejects.toThrow();
  });

  test.each(both('reset-in-body'))('%s', async (name) => {
    const response = await fetch(await faultyUrl(name));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});

describe('redirects', () => {
  const locationOf = async (name: FaultName) => {
    const url = await faultyUrl(name);
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(302);
    return { url, location: new URL(response.headers.get('location') ?? '', url) };
  };

  test.each(both('redirect-loop'))('%s', async (name) => {
    await expect(faultyUrl(name).then(fetch)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/redirect/) },
    });
  });

  test.each(both('redirect-elsewhere', 'redirect-metadata'))('%s', async (name) => {
    const { url, location } = await locationOf(name);
    expect(location.protocol).toBe('https:');
    expect(location.host).not.toBe(new URL(url).host);
  });

  test.each(both('redirect-downgrade'))('%s', async (name) => {
    const { url, location } = await locationOf(name);
    expect(location.href).toBe(url);
  });
});

describe('entries', () => {
  test.each(namesOf(({ code }, name) => name.startsWith('entry') && code === 'VALIDATION_ERROR'))(
    '%s',
    async (name) => {
      const { entries } = await readIndex(await start(name));
      expect(entries.map((entry, position) => judgeEntry(entry, position).ok)).toEqual([false, true, true]);
    },
  );

  test('entry-proto-access has the access in an own __proto__', async () => {
    const { entries } = await readIndex(await start('entry-proto-access'));
    expect(Object.hasOwn(entries[0] as object, '__proto__')).toBe(true);
  });

  test('entry-duplicate-id', async () => {
    const { entries } = await readIndex(await start('entry-duplicate-id'));
    expect([...findDuplicateIds(entries).values()]).toEqual([[0, 3]]);
  });

  test('entry-private', async () => {
    const { entries } = await readIndex(await start('entry-private'));
    expect(entries).toMatchObject([{ access: 'private' }, { access: 'public' }, { access: 'public' }]);
  });

  test.each(namesOf(({ code }) => code === 'URL_REFUSED'))('%s', async (name) => {
    const { entries } = await readIndex(await start(name));
    expect(entries.map((entry) => parseHttpUrl((entry as SkillIndexEntry).descriptor_url).ok)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test.each(PRIVATE_HOSTS)('entry-%s', async (host) => {
    const { entries } = await readIndex(await start(`entry-${host}`));
    expect(entries[0]).toMatchObject({ descriptor_url: `https://${host}/skills/x.json` });
  });
});

describe('what is not at fault is whole', () => {
  test.each(namesOf(({ hits }) => hits === 'nothing'))('%s', async (name) => {
    const origin = await start(name);
    const { entries } = await readIndex(origin);
    expect(entries).toHaveLength(3);
    for (const entry of entries) await expectWhole(entry);
  });

  test.each(namesOf(({ hits }) => hits === 'entry'))('%s leaves the others alone', async (name) => {
    const { entries } = await readIndex(await start(name));
    for (const entry of entries.slice(1, 3)) await expectWhole(entry);
  });

  test.each(namesOf(({ hits }) => hits === 'index'))('%s leaves the descriptors alone', async (name) => {
    const origin = await start(name);
    expect(parse(await text(`${origin}/skills/com.example.one.json`)).ok).toBe(true);
  });

  async function expectWhole(entry: unknown) {
    const judged = judgeEntry(entry, 0);
    if (!judged.ok) throw new Error(judged.violations[0]?.message);
    const { id, access, capability_type, descriptor_url } = judged.entry;
    expect(parse(await text(descriptor_url))).toMatchObject({
      ok: true,
      value: { id, access, capability_type },
    });
  }
});

test('what the harmless faults add is there', async () => {
  const seen = async (name: FaultName) => {
    const response = await fetch((await start(name)) + WELL_KNOWN_PATH);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { response, bytes, text: new TextDecoder().decode(bytes) };
  };
  expect([...(await seen('harmless-bom')).bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect((await seen('harmless-gzip')).response.headers.get('content-encoding')).toBe('gzip');
  expect((await seen('harmless-octet-stream')).response.headers.get('content-type')).toBe(
    'application/octet-stream',
  );
  expect((await seen('harmless-redirect')).response.redirected).toBe(true);
  expect((await seen('harmless-next-minor')).text).toContain('"version":"1.9.0"');
  expect((await seen('harmless-unknown-members')).text).toContain('"__proto__"');
  expect((await seen('harmless-hostile-text')).text).toContain('\\u001b[2J');
});

test('a fault can be put into any site', async () => {
  const site = FAULTS['index-404'].make(async () => new Response('mine'));
  expect(await (await site(new Request('https://a.example/'))).text()).toBe('mine');
  expect((await site(new Request(`https://a.example${WELL_KNOWN_PATH}`))).status).toBe(404);
});

test('every fault says what it does and what follows', () => {
  for (const [name, { describe, hits, status, code }] of all) {
    expect(describe, name).toMatch(/^[a-z]/);
    expect(status, name).toBe(
      { index: code === 'INDEX_NOT_FOUND' ? 'none' : 'failed', entry: 'partial', nothing: 'ok' }[hits],
    );
    expect(code === undefined, name).toBe(hits === 'nothing');
  }
});
