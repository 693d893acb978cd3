#!/usr/bin/env node
// From Node 22.8 on, what was compiled once is read from a cache; so nothing is imported before.
const { enableCompileCache } = process.getBuiltinModule('node:module') as { enableCompileCache?(): void };
enableCompileCache?.();
const { run } = await import('./run.ts');

const interrupt = new AbortController();
// Only the first: the second one meets the default and ends the process at once.
process.once('SIGINT', () => interrupt.abort());

const exitCode = await run(process.argv.slice(2), {
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interrupt: interrupt.signal,
});

// Taking the heap apart at the end takes a short command some 15 ms; what it said must be out before.
const said = [process.stdout, process.stderr].map(
  (stream) => new Promise<unknown>((resolve) => stream.write('', resolve)),
);
await Promise.all(said);
process.exit(exitCode);
