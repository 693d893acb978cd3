import { Command, Option } from 'commander';
import { VERSION } from '../version.ts';
import {
  addCredentialOptions,
  addDatabaseOption,
  addNetworkOptions,
  oneOf,
  repeatable,
  wholeNumber,
} from './options.ts';
import type { Shell } from './shell.ts';

// Each command loads its own code, so that `find` does not wait for what only `crawl` needs.

/** The command line. `finish` gets the exit code of the command that ran. */
export function createProgram(shell: Shell, finish: (exitCode: number) => void): Command {
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

  addDatabaseOption(addCredentialOptions(addNetworkOptions(program.command('crawl'))))
    .description('look at domains, store the skills that they publish')
    .argument('[domain...]', 'host, host:port or origin URL')
    .option('--file <file>', 'read more domains from a file, one a line; - is stdin')
    .addOption(wholeNumber('--concurrency <n>', 'domains, and requests, at once (default: 64)'))
    .addOption(wholeNumber('--per-origin <n>', 'requests at once to one origin (default: 4)'))
    .option('--refresh', 'ask every server again, also for what this run has fresh')
    .option('--json', 'print the report as JSON')
    .option('--outcomes', "with --json: every domain's outcome in the report")
    .addOption(new Option('--ndjson', 'print events as JSON, one a line, as they happen').conflicts('json'))
    .option('--quiet', 'no progress and no notes')
    .action(async (domains, flags) => {
      const { crawl } = await import('./commands/crawl.ts');
      finish(await crawl(domains, flags, shell));
    });

  addDatabaseOption(program.command('find'))
    .description('ask for stored skills')
    .argument('[text]', 'words of the id, name, tags or description')
    .addOption(oneOf('--type <type>', 'capability type', ['plugin', 'api', 'knowledge', 'task']))
    .addOption(oneOf('--access <level>', 'access level', ['public', 'restricted', 'private']))
    .addOption(oneOf('--auth <type>', 'way of authentication', ['api_key', 'oauth2', 'custom', 'none']))
    .addOption(repeatable('--tag <tag>', 'a tag that the skill has'))
    .addOption(repeatable('--domain <domain>', 'who publishes it'))
    .option('--include-private', 'find private skills as well, as does --access private')
    .addOption(wholeNumber('--limit <n>', 'most skills in one page (default: 50)'))
    .option('--cursor <cursor>', 'go on where the page before ended')
    .option('--total', 'count all matches')
    .option('--full', 'with JSON: whole records, descriptors included')
    .option('--json', 'print the page as JSON')
    .addOption(new Option('--ndjson', 'print skills as JSON, one a line').conflicts('json'))
    .action(async (text, flags) => {
      const { find } = await import('./commands/find.ts');
      finish(await find(text, flags, shell));
    });

  addDatabaseOption(program.command('show'))
    .description('everything known of one stored skill, and where it comes from')
    .argument('<domain>')
    .argument('<id>')
    .option('--include-private', 'show it even if it is private')
    .option('--json', 'print the record as JSON')
    .action(async (domain, id, flags) => {
      const { show } = await import('./commands/show.ts');
      finish(await show({ domain, id }, flags, shell));
    });

  addCredentialOptions(addNetworkOptions(program.command('check')))
    .description('every violation in what a provider publishes, or is about to')
    .argument('<target>', 'a domain, a descriptor URL, a file with an index or descriptor, or - for stdin')
    .option('--json', 'print the result as JSON')
    .action(async (target, flags) => {
      const { check } = await import('./commands/check.ts');
      finish(await check(target, flags, shell));
    });

  program
    .command('demo')
    .description('crawl a small internet on this machine and ask it three questions')
    .addOption(wholeNumber('--providers <n>', 'providers in it, a dozen of them at fault').default(120))
    .action(async (flags) => {
      const { demo } = await import('./commands/demo.ts');
      finish(await demo(flags, shell));
    });

  return program;
}
