import { abortable } from '../abort.ts';
import { type ErrorCode, type Failure, SkillscoutError } from '../errors.ts';
import type { ReadOptions, SkillRecord } from '../protocol/index.ts';
import {
  type FindQuery,
  type ProviderUpdate,
  type Registry,
  readSnapshotLine,
  recordToStored,
  SNAPSHOT_VERSION,
  snapshotEnd,
  snapshotHead,
  snapshotSkill,
} from '../registry/index.ts';

/** What became of the lines of a snapshot. */
export interface ImportReport {
  /** Skills that were added. */
  imported: number;
  /** Skills that were known already, and stay as they are. */
  known: number;
  rejected: number;
  codes: Partial<Record<ErrorCode, number>>;
  /** The first hundred. `line` counts from 1. */
  rejections: { line: number; code: ErrorCode; message: string }[];
}

/** Skills that are read from the store at once: one can be a few megabytes. */
const READ_IN_ONE_GO = 100;
/** Skills of one domain that are written at once. */
const WRITTEN_IN_ONE_GO = 500;
/** Of the text of these, in UTF-16 units. */
const MAX_BATCH_SIZE = 2 ** 24;
const MAX_REJECTIONS = 100;
/** Of one line, in UTF-16 units: a document of the default size, were each character of it escaped, and a little more. */
const MAX_LINE = 17 * 2 ** 20;

/** The lines of a snapshot, without line ends. What is stored while it is written may be in it or not. */
export async function* exportSnapshot(
  registry: Registry,
  { includePrivate, now, signal }: { includePrivate: boolean; now: number; signal: AbortSignal | undefined },
): AsyncGenerator<string, void, undefined> {
  const query = { include: 'descriptor', includePrivate, limit: READ_IN_ONE_GO } as const;
  let skills = 0;
  let cursor: FindQuery['cursor'];
  yield snapshotHead();
  do {
    signal?.throwIfAborted();
    const page = await registry.find({ ...query, cursor }, now);
    for (const record of page.records) yield snapshotSkill(record);
    skills += page.records.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  yield snapshotEnd(skills);
}

/**
 * Adds what a snapshot holds and the registry does not know. Rejects with a SkillscoutError `SNAPSHOT_INVALID` for one that is
 * none, of a later version, or not whole; what was read until then is kept, and `details` are the report on it.
 */
export async function importSnapshot(
  registry: Pick<Registry, 'apply'>,
  chunks: Iterable<string> | AsyncIterable<string>,
  { now, forgetBefore, ...json }: ReadOptions & { now: number; forgetBefore: number },
  signal: AbortSignal | undefined,
): Promise<ImportReport> {
  const report: ImportReport = { imported: 0, known: 0, rejected: 0, codes: {}, rejections: [] };
  const batch = new Map<string, Omit<SkillRecord, 'stale'>>();
  let batchSize = 0;
  let domain = '';

  async function flush(): Promise<void> {
    if (batch.size === 0) return;
    const skills = await Promise.all([...batch.values()].map((record) => recordToStored(record)));
    batch.clear();
    batchSize = 0;
    const update: ProviderUpdate = {
      ...{ domain, view: 'anonymous', at: now, status: 'ok', skills, standIns: [] },
      forgetBefore,
      isImport: true,
    };
    const { stored } = await registry.apply(update, { dryRun: false });
    report.imported += stored;
    report.known += skills.length - stored;
  }

  async function add(record: Omit<SkillRecord, 'stale'>, size: number): Promise<void> {
    const isFull = batch.size === WRITTEN_IN_ONE_GO || batchSize + size > MAX_BATCH_SIZE;
    // Within one update an id must not stand twice.
    if (record.domain !== domain || isFull || batch.has(record.id)) await flush();
    domain = record.domain;
    batch.set(record.id, record);
    batchSize += size;
  }

  function reject(line: number, { code, message }: Failure): void {
    report.rejected += 1;
    report.codes[code] = (report.codes[code] ?? 0) + 1;
    if (report.rejections.length < MAX_REJECTIONS) report.rejections.push({ line, code, message });
  }

  /** Gives why the snapshot is not whole, if it is not. */
  async function read(): Promise<string | undefined> {
    let isBegun = false;
    let isEnded = false;
    let skills = 0;
    for await (const { text, line } of linesOf(untilAborted(chunks, signal))) {
      const reading = text === undefined ? lineTooLong : await readSnapshotLine(text, json);
      const value = reading.ok ? reading.value : undefined;
      if (!isBegun) {
        if (value?.kind !== 'head') return 'its first line does not say that it is one';
        if (value.version !== SNAPSHOT_VERSION) {
          return `it has version ${value.version}, this version of skillscout reads ${SNAPSHOT_VERSION}`;
        }
        isBegun = true;
      } else if (isEnded) return `something follows its end in line ${line}`;
      else if (value?.kind === 'head') return `another one begins in line ${line}`;
      else if (value?.kind === 'end') {
        if (value.skills !== skills) return `it says that it has ${value.skills} skills, and has ${skills}`;
        isEnded = true;
      } else {
        skills += 1;
        if (reading.ok && value) await add(value.record, text?.length ?? 0);
        else if (!reading.ok) reject(line, reading.failure);
      }
    }
    if (!isBegun) return 'it is empty';
    return isEnded ? undefined : 'it was cut off';
  }

  const fault = await read();
  await flush();
  if (fault === undefined) return report;
  const details = { ...report };
  throw new SkillscoutError('SNAPSHOT_INVALID', `this is no whole snapshot: ${fault}`, { details });
}

const lineTooLong = {
  ok: false,
  failure: { code: 'BODY_TOO_LARGE', message: `the line is longer than ${MAX_LINE} characters` },
} as const;

/** Lines that are not blank, without their ends and counted from 1; without `text` where one is too long. */
async function* linesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ line: number; text?: string }, void, undefined> {
  let line = 1;
  let rest: string | undefined = '';
  const append = (text: string) => {
    rest = rest === undefined || rest.length + text.length > MAX_LINE ? undefined : rest + text;
  };
  const lineHere = () => (rest === undefined ? { line } : { line, text: rest });
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      append(chunk.slice(start, end));
      if (rest?.trim() !== '') yield lineHere();
      rest = '';
      line += 1;
      start = end + 1;
    }
    append(chunk.slice(start));
  }
  if (rest?.trim() !== '') yield lineHere();
}

/** Pieces of text; one that never comes holds nobody up after the abort. */
async function* untilAborted(
  chunks: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let isOver = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const pending = Promise.resolve(source.next());
      const next = await (signal ? abortable(pending, signal) : pending);
      isOver = next.done === true;
      if (next.done) return;
      if (typeof next.value !== 'string') throw new TypeError('snapshot: expected pieces of text');
      yield next.value;
    }
  } finally {
    // Who is asked to end while it never answers is not waited for.
    if (!isOver) Promise.resolve(source.return?.()).catch(() => {});
  }
}
