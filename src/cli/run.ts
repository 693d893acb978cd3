import { CommanderError } from 'commander';
import { isSkillscoutError } from '../errors.ts';
import { createProgram } from './program.ts';
import { createShell, type Io, isClosedPipe } from './shell.ts';
import { UsageError } from './usage-error.ts';

const EXIT = { failures: 1, usage: 2, interrupted: 130 } as const;

/**
 * Runs one command line, without the program's own name, and gives its exit code: 0 done, 1 done with failures or
 * violations, 2 wrong usage, 130 interrupted. What is not foreseen is thrown.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const shell = createShell(io);
  let exitCode = 0;
  const finish = (code: number) => {
    exitCode = code;
  };
  const program = createProgram(shell, finish, args[0]);
  try {
    await program.parseAsync(withBareAllowPrivate(args), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (isClosedPipe(error)) return 0;
    if (io.interrupt.aborted) return EXIT.interrupted;
    if (!isForeseen(error)) throw error;
    shell.note(error.message);
    return error instanceof UsageError ? EXIT.usage : EXIT.failures;
  }
  return io.interrupt.aborted ? EXIT.interrupted : exitCode;
}

/** Without a value of its own, `--allow-private` would swallow the domain behind it. */
function withBareAllowPrivate(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, i) => (i < end && arg === '--allow-private' ? '--allow-private=*' : arg));
}

/** What the caller, the store or the machine is to blame for; anything else is a mistake of this program. */
function isForeseen(error: unknown): error is Error {
  if (error instanceof UsageError || isSkillscoutError(error)) return true;
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
