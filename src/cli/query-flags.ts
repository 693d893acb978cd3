import type { Command } from 'commander';
import { Option } from 'commander';
import type { AccessLevel, AuthType, CapabilityType, FindQuery } from '../index.ts';
import { oneOf, repeatable } from './options.ts';

/** The flags of every command that asks for skills. */
export interface QueryFlags {
  type?: CapabilityType[];
  access?: AccessLevel[];
  auth?: AuthType[];
  tag?: string[];
  domain?: string[];
  skillVersion?: string;
  protocol?: string;
  fresh?: boolean;
  stale?: boolean;
  trusted?: boolean;
  includePrivate?: boolean;
}

export const addQueryOptions = (command: Command): Command =>
  command
    .argument('[text]', 'words of the id, name, tags or description')
    .addOption(oneOf('--type <type>', 'capability type', ['plugin', 'api', 'knowledge', 'task']))
    .addOption(oneOf('--access <level>', 'access level', ['public', 'restricted', 'private']))
    .addOption(oneOf('--auth <type>', 'way of authentication', ['api_key', 'oauth2', 'custom', 'none']))
    .addOption(repeatable('--tag <tag>', 'a tag that the skill has'))
    .addOption(repeatable('--domain <domain>', 'who publishes it'))
    .option('--skill-version <range>', "range of the skill's own version, as npm writes them: ^1.2.0")
    .option('--protocol <range>', 'range of the protocol version that the skill speaks')
    .addOption(new Option('--fresh', 'only what needs no new look').conflicts('stale'))
    .option('--stale', 'only what does')
    .option(
      '--trusted',
      'only what claims, resembles and repeats nothing of another, and was not just imported',
    )
    .option('--include-private', 'private skills as well, as does --access private');

export function toQuery(text: string | undefined, flags: QueryFlags): FindQuery {
  const { type, access, auth, tag, domain, skillVersion, protocol, fresh, stale } = flags;
  const { trusted, includePrivate } = flags;
  return {
    ...(text !== undefined && { text }),
    ...(type && { capabilityType: type }),
    ...(access && { access }),
    ...(auth && { authType: auth }),
    ...(tag && { tags: tag }),
    ...(domain && { domain }),
    ...(skillVersion !== undefined && { version: skillVersion }),
    ...(protocol !== undefined && { protocolVersion: protocol }),
    ...(fresh && { freshness: 'fresh' }),
    ...(stale && { freshness: 'stale' }),
    ...(trusted && { trusted }),
    ...(includePrivate && { includePrivate }),
  };
}
