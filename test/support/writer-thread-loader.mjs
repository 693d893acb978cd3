// Hooks that give a worker thread the bundle of writer-thread.ts in its place.
import { readFile } from 'node:fs/promises';

let bundle;

export function initialize(data) {
  bundle = data.bundle;
}

export async function load(url, context, nextLoad) {
  if (!url.endsWith('/src/sqlite/writer-thread.ts')) return nextLoad(url, context);
  return { format: 'module', source: await readFile(bundle), shortCircuit: true };
}
