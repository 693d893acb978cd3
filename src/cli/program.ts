import { Command, Option } from 'commander';
import { VERSION } from '../version.ts';
import {
  addCrawlOptions,
  addCredentialOptions,
  addDatabaseOption,
  addNetworkOptions,
  repeatable,
  wholeNumber,
} from './options.ts';
import { addQueryOptions } from './query-flags.ts';
import type { Shell } from './shell.ts';

// Each command loads its own code, so that `find` does not wait for what only `crawl` needs.

/**
 * The command line. `finish` gets the exit code of the command that ran. Where `first`, its first word, is the name of a command,
 * the others are left out: nobody asks for them.
 */
export function createProgram(shell: Shell, finish: (exitCode: number) => void, first = ''): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command('skillscout')
    .description('Finds the skills that domains publish by the Skill Sharing Protocol.')
    .version(VERSION, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text) => shell.note(text.replace(/^error: /, '')),
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 done with failures or violations, 2 wrong usage, 130 interrupted.',
    );

  const commands: Record<string, (command: Command) => Command> = {
    crawl: (command) =>
      addCrawlOptions(command)
        .description(
          'look at domains, asking for each document only if it has changed, and store their skills',
        )
        .argument('[domain...]', 'host, host:port or origin URL')
        .option('--file <file>', 'read more domains from a file, one a line; - is stdin')
        .option('--refresh', 'ask every server anew, which crawl always does')
        .option('--dry-run', 'store nothing: say what would change')
        .action(async (domains, flags) => {
          const { crawl } = await import('./commands/crawl.ts');
          finish(await crawl(domains, flags, shell));
        }),

    refresh: (command) =>
      addCrawlOptions(command)
        .description('look again at the stored providers that are due, the most overdue first')
        .option('--all', 'at every stored provider, due or not')
        .action(async (flags) => {
          const { refresh } = await import('./commands/refresh.ts');
          finish(await refresh(flags, shell));
        }),

    find: (command) =>
      addDatabaseOption(addQueryOptions(command))
        .description('ask for stored skills')
        .addOption(wholeNumber('--limit <n>', 'most skills in one page (default: 50)'))
        .option('--cursor <cursor>', 'go on where the page before ended')
        .option('--total', 'count all matches')
        .option('--facets', 'count all matches by type, access and way of authentication')
        .option('--full', 'with JSON: whole records, descriptors included')
        .option('--json', 'print the page as JSON')
        .addOption(new Option('--ndjson', 'print skills as JSON, one a line').conflicts('json'))
        .action(async (text, flags) => {
          const { find } = await import('./commands/find.ts');
          finish(await find(text, flags, shell));
        }),

    show: (command) =>
      addDatabaseOption(command)
        .description('everything known of one stored skill, and where it comes from')
        .argument('<domain>')
        .argument('<id>')
        .option('--include-private', 'show it even if it is private')
        .option('--json', 'print the record as JSON')
        .action(async (domain, id, flags) => {
          const { show } = await import('./commands/show.ts');
          finish(await show({ domain, id }, flags, shell));
        }),

    invoke: (command) =>
      addDatabaseOption(addCredentialOptions(addNetworkOptions(command)))
        .description('run a stored skill at its publisher and print its output')
        .argument('<domain>')
        .argument('<id>')
        .addOption(
          repeatable('--input <name=value>', 'an input: text, or JSON where the skill names another type'),
        )
        .option('--inputs <file>', 'a JSON object of inputs; - is stdin')
        .addOption(wholeNumber('--wait <ms>', 'for the whole execution (default: 60000)'))
        .addOption(repeatable('--accept <code>', 'invoke it in spite of warnings with this code'))
        .option('--include-private', 'invoke it even if it is private')
        .option('--json', 'print the outcome as JSON')
        .action(async (domain, id, flags) => {
          const { invoke } = await import('./commands/invoke.ts');
          finish(await invoke({ domain, id }, flags, shell));
        }),

    status: (command) =>
      addDatabaseOption(command)
        .description('stored providers: how the last look at each ended, and when the next one is due')
        .argument('[domain...]', 'only these; one alone is told in full')
        .option('--due', 'only those that are due, the most overdue first')
        .addOption(wholeNumber('--limit <n>', 'most providers in one page (default: 50)'))
        .option('--cursor <cursor>', 'go on where the page before ended')
        .option('--json', 'print the page as JSON')
        .action(async (domains, flags) => {
          const { status } = await import('./commands/status.ts');
          finish(await status(domains, flags, shell));
        }),

    changes: (command) =>
      addDatabaseOption(command)
        .description('what became of which skill, in the order of time')
        .argument('[domain...]', 'only of these')
        .option(
          '--since <time>',
          'ISO 8601 date or time (UTC), milliseconds since 1970, or a span back: 90m, 24h, 7d',
        )
        .option('--include-private', 'list changes of private skills as well')
        .option('--json', 'print all of them as one JSON array')
        .addOption(new Option('--ndjson', 'print changes as JSON, one a line').conflicts('json'))
        .action(async (domains, flags) => {
          const { changes } = await import('./commands/changes.ts');
          finish(await changes(domains, flags, shell));
        }),

    lock: (command) =>
      addDatabaseOption(addCredentialOptions(addNetworkOptions(addQueryOptions(command))))
        .description(
          'write down which stored skills are agreed to, or look whether they still are what they were',
        )
        .option('--lock <file>', 'the lock', 'skillscout.lock.json')
        .option('--verify', 'look at every locked skill again and tell what is not as it was locked')
        .option('--json', 'with --verify: print the verdicts as one JSON array')
        .action(async (text, flags) => {
          const { lock } = await import('./commands/lock.ts');
          finish(await lock(text, flags, shell));
        }),

    export: (command) =>
      addDatabaseOption(command)
        .description('write all stored skills as a snapshot: JSON, one a line')
        .argument('[file]', 'where to; - is stdout', '-')
        .option('--include-private', 'private skills as well')
        .action(async (file, flags) => {
          const { exportSkills } = await import('./commands/export.ts');
          finish(await exportSkills(file, flags, shell));
        }),

    import: (command) =>
      addDatabaseOption(command)
        .description('add the skills of a snapshot, to be confirmed by their publishers at the next refresh')
        .argument('[file]', 'where from; - is stdin', '-')
        .option('--json', 'print what became of its lines as JSON')
        .action(async (file, flags) => {
          const { importSkills } = await import('./commands/import.ts');
          finish(await importSkills(file, flags, shell));
        }),

    mcp: (command) =>
      addDatabaseOption(addCredentialOptions(addNetworkOptions(command)))
        .description(
          'serve what is stored to agents by the Model Context Protocol, over stdin and stdout or HTTP',
        )
        .addOption(wholeNumber('--http <port>', 'serve over streamable HTTP; 0 for any port that is free'))
        .option('--host <host>', 'with --http: where to listen (default: 127.0.0.1)')
        .option('--allow-discover', 'let agents look at any domain')
        .addOption(
          repeatable(
            '--allow-discover-domain <domain>',
            'let them look at this domain and those below it',
          ).conflicts('allowDiscover'),
        )
        .option('--allow-invoke', 'let agents invoke skills')
        .option('--include-private', 'let agents find, read and invoke private skills as well')
        .action(async (flags) => {
          const { mcp } = await import('./commands/mcp.ts');
          finish(await mcp(flags, shell));
        }),

    check: (command) =>
      addCredentialOptions(addNetworkOptions(command))
        .description('what to mend in what a provider publishes, or is about to')
        .argument(
          '<target>',
          'a domain, a descriptor URL, a file with an index or descriptor, or - for stdin',
        )
        .option('--json', 'print the result as JSON')
        .addOption(new Option('--sarif', 'print the findings as SARIF 2.1.0').conflicts('json'))
        .action(async (target, flags) => {
          const { check } = await import('./commands/check.ts');
          finish(await check(target, flags, shell));
        }),

    demo: (command) =>
      command
        .description('crawl a small internet on this machine and ask it three questions')
        .addOption(wholeNumber('--providers <n>', 'providers in it, a dozen of them at fault').default(120))
        .action(async (flags) => {
          const { demo } = await import('./commands/demo.ts');
          finish(await demo(flags, shell));
        }),
  };
  const names = Object.keys(commands);
  for (const name of names.includes(first) ? [first] : names) commands[name]?.(program.command(name));
  return program;
}
