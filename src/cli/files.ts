import { createWriteStream } from 'node:fs';
import { open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Shell } from './shell.ts';
import { fileTrouble, UsageError } from './usage-error.ts';

/**
 * The text of a file, read only as fast as it is taken and until the command ends; `-` is stdin. Throws a {@link UsageError}
 * that begins with `name` where there is none.
 */
export async function openText(
  file: string,
  name: string,
  { io, signal }: Shell,
): Promise<{ text: Readable; size?: number }> {
  const { text, ...others } =
    file === '-' ? { text: io.stdin.setEncoding('utf8') } : await openFile(file, name);
  // Whoever iterates gets the error; without a listener one that comes earlier would end the process.
  addAbortSignal(signal, text).on('error', () => {});
  return { text, ...others };
}

async function openFile(file: string, name: string): Promise<{ text: Readable; size: number }> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const handle = await open(file);
    return { text: handle.createReadStream({ encoding: 'utf8' }), size: found.size };
  } catch (error) {
    throw new UsageError(`${name}: ${fileTrouble(error)}`);
  }
}

/**
 * Writes a file as a whole or not at all: beside it, then in its place. What is there and is no regular file, such as a device,
 * is written to. Throws a {@link UsageError} that begins with `name` where that cannot be begun.
 */
export async function replaceFile(
  file: string,
  name: string,
  text: Iterable<string> | AsyncIterable<string>,
  { signal }: Shell,
): Promise<void> {
  const { path, isReplaced } = await placeOf(file, name);
  if (!isReplaced) return pipeline(text, createWriteStream(path), { signal });
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}`);
  const handle = await open(draft, 'wx').catch((error) => {
    throw new UsageError(`${name}: ${fileTrouble(error)}`);
  });
  try {
    await pipeline(text, handle.createWriteStream({ flush: true }), { signal });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft);
    throw error;
  }
}

/** A link leads to the file that is meant. */
async function placeOf(file: string, name: string): Promise<{ path: string; isReplaced: boolean }> {
  try {
    const path = await realpath(file);
    const found = await stat(path);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return { path, isReplaced: found.isFile() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path: file, isReplaced: true };
    throw new UsageError(`${name}: ${fileTrouble(error)}`);
  }
}
