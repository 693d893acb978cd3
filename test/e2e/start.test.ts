import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';

const dist = new URL('../../dist/', import.meta.url);

const OF_COMMANDS = ['fs', 'fs/promises', 'module', 'path', 'stream', 'stream/promises', 'url'].map(
  (name) => `node:${name}`,
);

/** What a module of the built package loads before it runs: packages and built-ins by name, and files of ours. */
async function loadedAtOnce(entry: string): Promise<{ foreign: string[]; files: string[] }> {
  const foreign = new Set<string>();
  const files = new Set([new URL(entry, dist).href]);
  for (const file of files) {
    const code = await readFile(new URL(file), 'utf8');
    for (const [, specifier = ''] of code.matchAll(/^(?:import|export)\b(?:[^;"]*\bfrom)?\s*"([^"]+)";/gm)) {
      if (specifier === '#network') files.add(new URL('network-node.js', dist).href);
      else if (specifier.startsWith('.')) files.add(new URL(specifier, file).href);
      else foreign.add(specifier);
    }
  }
  return { foreign: [...foreign].sort(), files: [...files] };
}

// Each package costs a starting process milliseconds, and so does each file: what is not for every use is imported by it.
describe('what is loaded at once', () => {
  it.each([
    ['index.js', [], 5],
    ['protocol.js', [], 2],
    ['cli/main.js', [], 1],
    ['network-node.js', [], 3],
    ['run-*.js', [], 4],
    ['find-*.js', OF_COMMANDS, 7],
    ['crawl-*.js', OF_COMMANDS, 9],
  ])('by %s is %j, from at most %i files', async (entry, foreign, most) => {
    const [start = '', end] = entry.split('*');
    const name = end
      ? (await readdir(dist)).find((name) => name.startsWith(start) && name.endsWith(end))
      : entry;
    const loaded = await loadedAtOnce(name ?? entry);
    expect(loaded.foreign).toEqual(foreign);
    expect(loaded.files.length).toBeLessThanOrEqual(most);
  });
});

it('a question loads nothing that crawls', async () => {
  const find = (await readdir(dist)).find((name) => name.startsWith('find-')) ?? '';
  const { files } = await loadedAtOnce(find);
  expect(files.filter((file) => /\/(?:client|network)-/.test(file))).toEqual([]);
});

// What is CommonJS is parsed three times: to learn its format and its exports, and to run.
it('of packages, only these are loaded by a crawl or a question, where they are needed', async () => {
  const names = await readdir(dist);
  const own = names.filter((name) =>
    /^(?:client|commands|core|crawl|find|parts|run|sqlite)-.*\.js$/.test(name),
  );
  const codes = await Promise.all(own.map((name) => readFile(new URL(name, dist), 'utf8')));
  const asked = codes.flatMap((code) => code.match(/(?<=\b(?:import|require)\(")[^."][^"]*/g) ?? []);
  expect(asked.sort()).toEqual(['cli-progress', 'ky', 'semver/classes/range.js', 'unhomoglyph']);
});

it('a look at an http provider loads nothing for https, compression, fetch or names', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const code = `
    const { createClient } = await import('${new URL('index.js', dist).href}');
    const client = createClient({ unsafe: { allowHttp: true, allowPrivateAddresses: true } });
    const { code } = await client.discover('http://127.0.0.1:${port}');
    await client.close();
    console.log(JSON.stringify([code, ...process.moduleLoadList]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  server.close();
  const [outcome, ...loaded] = JSON.parse(stdout) as string[];
  expect(outcome).toBe('INDEX_NOT_FOUND');
  const spared = [
    'dns',
    'https',
    'internal/deps/undici/undici',
    'perf_hooks',
    'tls',
    'worker_threads',
    'zlib',
  ];
  expect(spared.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
});

it('the public suffix list as it is built judges as the package does', async () => {
  const chunk = (await readdir(dist)).find((name) => name.startsWith('es6-')) ?? '';
  const built: { parse: typeof parse } = await import(new URL(chunk, dist).href);
  const suffixes = [
    'com',
    'co.uk',
    'github.io',
    'ck',
    'www.ck',
    'kawasaki.jp',
    'city.kawasaki.jp',
    '\u0431\u0433',
    'example',
  ];
  for (const suffix of suffixes) {
    for (const host of [suffix, `a.${suffix}`, `a.b.${suffix}`]) {
      const options = { allowPrivateDomains: true };
      expect(built.parse(host, options)).toEqual(parse(host, options));
    }
  }
});
