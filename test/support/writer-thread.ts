/*
 * The SQLite store writes in a worker thread, where Vitest transforms nothing and Node 20 runs no TypeScript: each run bundles
 * the thread's code once, and a hook gives threads that bundle.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const outDir = join(tmpdir(), `skillscout-writer-thread-${process.pid}`);
const loader = new URL('writer-thread-loader.mjs', import.meta.url).href;
const data = JSON.stringify({ bundle: join(outDir, 'writer-thread.js') });

/** Arguments of Node for the processes that tests run in; their worker threads inherit them. */
export const execArgv = [
  '--import',
  `data:text/javascript,import { register } from 'node:module'; register('${loader}', { data: ${data} });`,
];

/** Vitest's globalSetup. */
export default async function setup(): Promise<() => Promise<void>> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('../../src/sqlite/writer-thread.ts', import.meta.url)),
      outDir,
      emptyOutDir: true,
      minify: false,
    },
  });
  return () => rm(outDir, { recursive: true, force: true }); // each project of the run calls it
}
