import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ClientOptions } from '../index.ts';

/** The flags of every command that goes out to the network. */
export interface NetworkFlags {
  timeout?: number;
  allowHttp?: boolean;
  /** `*`: every private address. */
  allowPrivate?: string[];
}

export const addNetworkOptions = (command: Command): Command =>
  command
    .addOption(
      wholeNumber('--timeout <ms>', 'for one document, redirects and retries included (default: 10000)'),
    )
    .option('--allow-http', 'fetch http URLs too')
    .addOption(
      new Option(
        '--allow-private [=CIDR,...]',
        'connect to private addresses: all, or those in these ranges',
      ).argParser((text: string, previous: string[] = []) => {
        const ranges = text.split(',');
        // An empty variable in a script must not open everything.
        if (ranges.includes('')) throw new InvalidArgumentError('Expected CIDR ranges, or no "=" at all.');
        return [...previous, ...ranges];
      }),
    );

export function networkOptions({ timeout, allowHttp = false, allowPrivate }: NetworkFlags): ClientOptions {
  return {
    ...(timeout !== undefined && { http: { timeoutMs: timeout } }),
    unsafe: {
      allowHttp,
      ...(allowPrivate && { allowPrivateAddresses: allowPrivate.includes('*') || allowPrivate }),
    },
  };
}

/** The flags of every command that can ask as somebody. */
export const addCredentialOptions = (command: Command): Command =>
  command
    .addOption(
      repeatable(
        '--credential <origin=header:value>',
        'sent to this origin; the value may be @env:NAME or @file:PATH',
      ),
    )
    .option('--credentials <file>', 'JSON: { origin: { "header", "value" } or { "bearer" } }');

/** The flag of every command that works on what is stored. */
export interface DatabaseFlag {
  db?: string;
}

export const addDatabaseOption = (command: Command): Command =>
  command.option('--db <file>', "the database (default: in the user's data folder)");

/** An option that may be given several times. */
export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description}; repeatable`).argParser(append);

/** A {@link repeatable} one that takes only these values. */
export const oneOf = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, `${description}: ${choices.join(', ')}; repeatable`).argParser(
    (value, previous: string[] | undefined) => {
      if (!choices.includes(value)) throw new InvalidArgumentError(`Expected one of ${choices.join(', ')}.`);
      return append(value, previous);
    },
  );

/** An option with a number; which numbers make sense is the library's to say. */
export const wholeNumber = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value) => {
    if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
    return Number(value);
  });

const append = (value: string, previous: string[] = []): string[] => [...previous, value];
