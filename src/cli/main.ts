#!/usr/bin/env node
import { run } from './run.ts';

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
