import type { Readable, Writable } from 'node:stream';
import pc from 'picocolors';
import { jsonText, printable } from './text.ts';

type Terminal = Writable & { isTTY?: boolean };

/** The process around the command. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts at the first Ctrl-C. */
  readonly interrupt: AbortSignal;
}

/** How commands speak: results to stdout, everything else to stderr. */
export interface Shell {
  readonly io: Io;
  /** Of stdout; plain where it is no terminal or NO_COLOR is set. */
  readonly colors: ReturnType<typeof pc.createColors>;
  /** Aborts with Ctrl-C, and with an error of stdout such as a reader that went away. */
  readonly signal: AbortSignal;
  /** Writes results, no faster than they are read. Rejects with the error of stdout. */
  write(text: string): Promise<void>;
  /** {@link write} of a line. */
  print(line: string): Promise<void>;
  /** {@link print} of a value as JSON, over several lines where `indent` is given. */
  printJson(value: unknown, indent?: number): Promise<void>;
  /** One JSON array with one value a line, as they come. */
  printArray(values: AsyncIterable<unknown>): Promise<void>;
  /** A line for people, made {@link printable}. */
  note(line: string): void;
}

/** Whether stdout ended because nobody reads it any more, as in `| head -1`. */
export function isClosedPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE';
}

export function createShell(io: Io): Shell {
  const { stdout, stderr, env, interrupt } = io;
  const broken = new AbortController();
  stdout.on('error', (error) => broken.abort(error));
  // Nobody reads the notes: that is no reason to stop.
  stderr.on('error', () => {});
  const colourful = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

  async function write(text: string): Promise<void> {
    broken.signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  const print = (line: string) => write(`${line}\n`);

  async function printArray(values: AsyncIterable<unknown>): Promise<void> {
    let last: string | undefined;
    for await (const value of values) {
      await print(last === undefined ? '[' : `${last},`);
      last = jsonText(value);
    }
    await print(last === undefined ? '[]' : `${last}\n]`);
  }

  return {
    io,
    colors: pc.createColors(colourful),
    signal: AbortSignal.any([interrupt, broken.signal]),
    write,
    print,
    printJson: (value, indent) => print(jsonText(value, indent)),
    printArray,
    note: (line) => void stderr.write(`skillscout: ${printable(line, 1000)}\n`),
  };
}
