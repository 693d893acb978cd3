import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type LoopbackServer, type MockSite, serve } from '../../../mocks/index.ts';

export const BIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  code: number | null;
  /** What ended the process, where it did not end by itself. */
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  /** Default: nothing. `null` leaves it open. */
  stdin?: string | null;
  env?: Record<string, string>;
}

/** The built command as a process of its own, so that signals and pipes are real. */
export function startCli(
  args: readonly string[],
  { stdin = '', env = {} }: CliOptions = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  if (!existsSync(BIN)) throw new Error('dist/cli/main.js is missing: run npm run build first');
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command that does not read its input may end first.
  child.stdin.on('error', () => {});
  if (stdin !== null) child.stdin.end(stdin);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export async function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  const child = startCli(args, options);
  const ended = exitOf(child);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ...(await ended), stdout, stderr };
}

export function exitOf(child: ReturnType<typeof startCli>): Promise<Pick<CliResult, 'code' | 'signal'>> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

/** Lines of stdout as they come. */
export function linesOf(child: ReturnType<typeof startCli>): AsyncIterator<string> {
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}

/** A folder that the end of the test removes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skillscout-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A site on loopback until the end of the test. */
export async function serveForTest(site: MockSite): Promise<LoopbackServer> {
  const server = await serve(site);
  onTestFinished(() => server.close());
  return server;
}

/** Flags that open loopback to a crawl. */
export const LOOPBACK = ['--allow-http', '--allow-private=127.0.0.0/8'] as const;
