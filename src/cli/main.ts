#!/usr/bin/env node
import * as modules from 'node:module';

// From Node 22.8 on, what was compiled once is read from a cache; so nothing else is imported before.
if ('enableCompileCache' in modules) (modules.enableCompileCache as () => void)();
const { run } = await import('./run.ts');

const interrupt = new AbortController();
// Only the first: the second one meets the default and ends the process at once.
process.once('SIGINT', () => interrupt.abort());

process.exitCode = await run(process.argv.slice(2), {
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interrupt: interrupt.signal,
});
