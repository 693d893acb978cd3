import { text as textOf } from 'node:stream/consumers';
import {
  createClient,
  type InvocationOutcome,
  type ParameterDefinition,
  parseJson,
  type SkillFlag,
} from '../../index.ts';
import { refusalNotes } from '../account.ts';
import { type CredentialFlags, forEndpoints, readCredentials } from '../credentials.ts';
import { nothingStored, openExisting } from '../database.ts';
import { openText } from '../files.ts';
import { type DatabaseFlag, type NetworkFlags, networkOptions } from '../options.ts';
import type { Shell } from '../shell.ts';
import { printableLines } from '../text.ts';
import { blamingFlags, DOMAIN_ARGUMENT, UsageError } from '../usage-error.ts';

interface InvokeFlags extends NetworkFlags, CredentialFlags, DatabaseFlag {
  input?: string[];
  inputs?: string;
  wait?: number;
  accept?: SkillFlag[];
  includePrivate?: boolean;
  json?: boolean;
}

const OPTION_FLAGS = { ...DOMAIN_ARGUMENT, timeoutMs: '--wait', acceptWarnings: '--accept' };

/** Prints what the skill gave; exit code 1 where it gave nothing. */
export async function invoke(
  key: { domain: string; id: string },
  flags: InvokeFlags,
  shell: Shell,
): Promise<number> {
  const { wait: timeoutMs, accept: acceptWarnings, includePrivate = false, json, ...network } = flags;
  const given = flags.inputs === undefined ? [] : await readInputs(flags.inputs, shell);
  const single = (flags.input ?? []).map(readInput);
  const credentials = await readCredentials(flags, shell.io.env);
  const { store, path } = await openExisting(flags, { readOnly: true });
  try {
    await using client = await blamingFlags(() =>
      createClient({
        ...networkOptions(network),
        ...(store && { store }),
        // Nothing is discovered here: given once more so that they are judged before anything is asked.
        credentials,
        invocation: { credentials: forEndpoints(credentials) },
      }),
    );
    const record = await blamingFlags(() => client.get({ ...key, includePrivate }), OPTION_FLAGS);
    const typed = single.map(
      ([name, text]) => [name, typedBy(record?.descriptor.inputs, name, text)] as const,
    );
    const inputs = Object.fromEntries([...given, ...typed]);
    const options = { timeoutMs, acceptWarnings, includePrivate, signal: shell.signal };
    const outcome = await blamingFlags(() => client.invoke(key, inputs, options), OPTION_FLAGS);
    if (!store) shell.note(nothingStored(path));
    if (json) await shell.printJson(outcome, 2);
    else await tell(outcome, shell);
    for (const note of advice(outcome, flags)) shell.note(note);
    return outcome.status === 'completed' ? 0 : 1;
  } finally {
    await store?.close();
  }
}

async function tell(outcome: InvocationOutcome, shell: Shell): Promise<void> {
  const { status, code, message, violations = [], warnings, output } = outcome;
  if (status !== 'refused') {
    for (const warning of warnings) shell.note(`warning ${warning.code}: ${warning.message}`);
  }
  if (status !== 'completed') {
    shell.note(`${status}: ${code}: ${message}`);
    for (const violation of violations.slice(1)) shell.note(violation.message);
  } else if (typeof output === 'string') {
    await shell.print(shell.io.stdout.isTTY ? printableLines(output) : output);
  } else if (output !== undefined) await shell.printJson(output, 2);
}

/** Which flag lets it do what it did not. */
function advice({ status, code }: InvocationOutcome, flags: NetworkFlags): string[] {
  if (code === undefined) return [];
  if (code === 'AUTH_REQUIRED' && status === 'refused') {
    return ['--credential ORIGIN=HEADER:VALUE gives it one'];
  }
  if (code === 'SKILL_FLAGGED') return ['--accept CODE invokes it in spite of such a warning'];
  return refusalNotes({ [code]: 1 }, flags);
}

function readInput(text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError('--input: expected NAME=VALUE, such as text=water');
  }
  return [name, value];
}

async function readInputs(path: string, shell: Shell): Promise<[string, unknown][]> {
  const { text } = await openText(path, `--inputs ${path}`, shell);
  const json = parseJson(await textOf(text));
  if (json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)) {
    return Object.entries(json.value);
  }
  throw new UsageError(`--inputs ${path}: ${json.ok ? 'expected a JSON object' : json.failure.message}`);
}

/** The text itself for a parameter that takes text, else what it is in JSON; what is neither is refused with the inputs. */
function typedBy(definitions: ParameterDefinition[] = [], name: string, text: string): unknown {
  const type = definitions.find((definition) => definition.name === name)?.type;
  if (type === undefined || type === 'string') return text;
  const json = parseJson(text);
  return json.ok ? json.value : text;
}
