import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const dist = new URL('../../dist/', import.meta.url);

const OF_COMMANDS = [
  'fs',
  'fs/promises',
  'module',
  'path',
  'stream',
  'stream/consumers',
  'stream/promises',
  'url',
].map((name) => `node:${name}`);

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
    ['run-*.js', ['node:module'], 4],
    ['find-*.js', OF_COMMANDS, 9],
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
