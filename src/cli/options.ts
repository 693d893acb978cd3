import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ClientOptions } from '../index.ts';
import type { CredentialFlags } from './credentials.ts';
import { UsageError } from './usage-error.ts';

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
      wholeNumber(
        '--timeout <ms>',
        'for one document or answer, redirects and retries included (default: 10000)',
      ),
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

/** The flags of every command that goes through many domains. */
export interface CrawlFlags extends NetworkFlags, CredentialFlags, DatabaseFlag {
  concurrency?: number;
  perOrigin?: number;
  json?: boolean;
  outcomes?: boolean;
  ndjson?: boolean;
  quiet?: boolean;
}

export const addCrawlOptions = (command: Command): Command =>
  addDatabaseOption(addCredentialOptions(addNetworkOptions(command)))
    .addOption(wholeNumber('--concurrency <n>', 'domains, and requests, at once (default: 64)'))
    .addOption(wholeNumber('--per-origin <n>', 'requests at once to one origin (default: 2)'))
    .option('--json', 'print the report as JSON')
    .option('--outcomes', "with --json: every domain's outcome in the report")
    .addOption(new Option('--ndjson', 'print events as JSON, one a line, as they happen').conflicts('json'))
    .option('--quiet', 'no progress and no notes');

/** Throws a {@link UsageError} for flags that do not go together. */
export function crawlOptions({
  concurrency,
  perOrigin,
  json,
  outcomes,
  ...network
}: CrawlFlags): ClientOptions {
  if (outcomes && !json) throw new UsageError('--outcomes: only with --json');
  return {
    ...networkOptions(network),
    concurrency: {
      ...(concurrency !== undefined && { global: concurrency, providers: concurrency }),
      ...(perOrigin !== undefined && { perOrigin }),
    },
  };
}

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
