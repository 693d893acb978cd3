import { text as textOf } from 'node:stream/consumers';
import {
  createClient,
  createLock,
  type FindQuery,
  type Lock,
  type LockVerdict,
  parseLock,
  type SkillRecord,
  serializeLock,
  systemClock,
} from '../../index.ts';
import { refusalNotes } from '../account.ts';
import { type CredentialFlags, readCredentials } from '../credentials.ts';
import { askDatabase, openUntouched } from '../database.ts';
import { openText, replaceFile } from '../files.ts';
import { type DatabaseFlag, type NetworkFlags, networkOptions } from '../options.ts';
import { allRecords } from '../pages.ts';
import { type QueryFlags, toQuery } from '../query-flags.ts';
import { renderVerdict } from '../render-change.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags, UsageError } from '../usage-error.ts';

interface VerifyFlags extends NetworkFlags, CredentialFlags {
  json?: boolean;
}

interface LockFlags extends QueryFlags, VerifyFlags, DatabaseFlag {
  lock: string;
  verify?: boolean;
}

/** Descriptors that are in memory at once. */
const IN_MEMORY = 100;

/** Writes the lock, or looks whether what it holds is still so. */
export async function lock(text: string | undefined, flags: LockFlags, shell: Shell): Promise<number> {
  const query = toQuery(text, flags);
  if (flags.verify) {
    if (Object.keys(query).length > 0)
      throw new UsageError('--verify: looks at all that is locked, takes no query');
    return verify(flags, shell);
  }
  const { timeout, allowHttp, allowPrivate, credential, credentials, json } = flags;
  const others = {
    timeout,
    'allow-http': allowHttp,
    'allow-private': allowPrivate,
    credential,
    credentials,
    json,
  };
  const stray = Object.entries(others).find(([, value]) => value !== undefined);
  if (stray) throw new UsageError(`--${stray[0]}: only with --verify`);
  return write(query, flags, shell);
}

/** Locks all that matches and was seen at its publisher; exit code 1, and no file, where that is nothing. */
async function write(query: FindQuery, flags: LockFlags, shell: Shell): Promise<number> {
  return askDatabase(flags, shell, async (registry, store) => {
    let imported = 0;
    async function* confirmed(): AsyncGenerator<SkillRecord> {
      const pages = (cursor: string | undefined) =>
        blamingFlags(() =>
          registry.find({ ...query, include: 'descriptor', limit: IN_MEMORY, cursor }, systemClock.now()),
        );
      for await (const record of allRecords(pages, shell.signal)) {
        if (record.origin === undefined) yield record;
        else imported += 1;
      }
    }
    const made = await createLock(confirmed());
    const isEmpty = made.skills.length === 0;
    if (!isEmpty) {
      await replaceFile(flags.lock, `--lock ${flags.lock}`, [serializeLock(made)], shell);
      shell.note(`${made.skills.length} locked in ${flags.lock}`);
    } else if (store && imported === 0) shell.note('no stored skill matches');
    if (imported > 0) {
      shell.note(
        `${imported} left out: imported, and not confirmed by a publisher (skillscout refresh asks)`,
      );
    }
    return isEmpty ? 1 : 0;
  });
}

/** Prints what is not as it was locked; exit code 1 where there is any. */
async function verify(flags: LockFlags, shell: Shell): Promise<number> {
  const options = { ...networkOptions(flags), credentials: await readCredentials(flags, shell.io.env) };
  await blamingFlags(() => createClient(options).close());
  const locked = await readLock(flags.lock, shell);
  const { store } = await openUntouched(flags);
  const client = createClient({ ...options, ...(store && { store }) });
  let changed = 0;
  const refusals: Partial<Record<string, number>> = {};
  async function* counted(): AsyncGenerator<LockVerdict> {
    for await (const verdict of client.verifyLock(locked, { signal: shell.signal })) {
      if (verdict.state !== 'same') changed += 1;
      if (verdict.code) refusals[verdict.code] = (refusals[verdict.code] ?? 0) + 1;
      yield verdict;
    }
  }
  try {
    if (flags.json) await shell.printArray(counted());
    else await printVerdicts(counted(), shell);
  } finally {
    await client.close();
    await store?.close();
  }
  for (const note of refusalNotes(refusals, flags)) shell.note(note);
  shell.note(`${locked.skills.length - changed} of ${locked.skills.length} are as they were locked`);
  return changed > 0 ? 1 : 0;
}

async function printVerdicts(verdicts: AsyncIterable<LockVerdict>, { print, colors }: Shell): Promise<void> {
  for await (const verdict of verdicts) {
    if (verdict.state !== 'same') await print(renderVerdict(verdict, colors));
  }
}

async function readLock(file: string, shell: Shell): Promise<Lock> {
  const { text } = await openText(file, `--lock ${file}`, shell);
  return blamingFlags(async () => parseLock(await textOf(text)), { lock: `--lock ${file}` });
}
