import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../../src/cli/run.ts';

export interface RunOptions {
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** Whether stdout is a terminal. */
  isTTY?: boolean;
}

/** A command in this process. */
export async function runHere(
  args: readonly string[],
  { stdin = '', env = {}, isTTY = false }: RunOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const interrupt = new AbortController().signal;
  const code = await run(args, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    env,
    interrupt,
  });
  stdout.end();
  stderr.end();
  const [printed, noted] = await outputs;
  return { code, stdout: printed, stderr: noted };
}
