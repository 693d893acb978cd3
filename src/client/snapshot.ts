import { type ErrorCode, type Failure, SkillscoutError } from '../errors.ts';
import type { ReadOptions, SkillRecord } from '../protocol/index.ts';
import {
  type FindQuery,
  type ProviderUpdate,
  type Registry,
  readSnapshotLine,
  SNAPSHOT_VERSION,
  snapshotEnd,
  snapshotHead,
  snapshotSkill,
  toStored,
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

/** Skills that are read from the store, or written to it, at once. */
const SKILLS_IN_ONE_GO = 500;
const MAX_REJECTIONS = 100;
/** Of one line, in UTF-16 units: a skill holds one document of at most so many bytes, and a little more. */
const MAX_LINE = 16 * 2 ** 20;

/** The lines of a snapshot, without line ends. What is stored while it is written may be in it or not. */
export async function* exportSnapshot(
  registry: Registry,
  { includePrivate, now, signal }: { includePrivate: boolean; now: number; signal: AbortSignal | undefined },
): AsyncGenerator<string, void, undefined> {
  yield snapshotHead();
  let skills = 0;
  let query: FindQuery & { include: 'descriptor' } = {
    include: 'descriptor',
    includePrivate,
    limit: SKILLS_IN_ONE_GO,
  };
  for (;;) {
    signal?.throwIfAborted();
    const { records, nextCursor } = await registry.find(query, now);
    for (const record of records) yield snapshotSkill(record);
    skills += records.length;
    if (nextCursor === undefined) break;
    query = { ...query, cursor: nextCursor };
  }
  yield snapshotEnd(skills);
}

/**
 * Adds what a snapshot holds and the registry does not know. Rejects with a SkillscoutError `SNAPSHOT_INVALID` for one that is
 * none, of a later version, or cut off; what was read until then is kept.
 */
export async function importSnapshot(
  registry: Registry,
  chunks: Iterable<string> | AsyncIterable<string>,
  { now, forgetBefore, ...json }: ReadOptions & { now: number; forgetBefore: number },
  signal: AbortSignal | undefined,
): Promise<ImportReport> {
  const report: ImportReport = { imported: 0, known: 0, rejected: 0, codes: {}, rejections: [] };
  let batch: Omit<SkillRecord, 'stale'>[] = [];
  let count = 0;
  let line = 0;
  let isWhole = false;

  const reject = ({ code, message }: Failure) => {
    report.rejected++;
    report.codes[code] = (report.codes[code] ?? 0) + 1;
    if (report.rejections.length < MAX_REJECTIONS) report.rejections.push({ line, code, message });
  };
  const flush = async () => {
    const [first] = batch;
    if (first === undefined) return;
    const skills = await Promise.all(batch.map(toStored));
    batch = [];
    const { domain, view } = first;
    const update: ProviderUpdate = {
      domain,
      view,
      at: now,
      status: 'ok',
      skills,
      standIns: [],
      forgetBefore,
      isImport: true,
    };
    const { stored } = await registry.apply(update, { dryRun: false });
    report.imported += stored;
    report.known += skills.length - stored;
  };
  const add = async (record: Omit<SkillRecord, 'stale'>) => {
    const isNext = batch.length > 0 && batch.length < SKILLS_IN_ONE_GO && batch[0]?.domain === record.domain;
    // Within one update an id must not stand twice.
    if (!isNext || batch.some(({ id }) => id === record.id)) await flush();
    batch.push(record);
  };

  for await (const text of linesOf(chunks)) {
    signal?.throwIfAborted();
    line++;
    if (text === undefined) {
      reject({ code: 'BODY_TOO_LARGE', message: `the line is longer than ${MAX_LINE} characters` });
      continue;
    }
    if (text.trim() === '') continue;
    const reading = await readSnapshotLine(text, json);
    if (line === 1) {
      requireHead(reading.ok ? reading.value : undefined);
    } else if (isWhole) {
      throw invalid('something follows its end');
    } else if (!reading.ok) {
      count++;
      reject(reading.failure);
    } else if (reading.value.kind === 'skill') {
      count++;
      await add(reading.value.record);
    } else if (reading.value.kind === 'end') {
      isWhole = reading.value.skills === count;
      if (!isWhole) throw invalid(`it says ${reading.value.skills} skills, but has ${count}`);
    }
  }
  await flush();
  if (!isWhole) throw invalid(line === 0 ? 'it is empty' : 'it was cut off');
  return report;
}

function requireHead(head: { kind: string; version?: number } | undefined): void {
  if (head?.kind !== 'head' || head.version === undefined)
    throw invalid('its first line does not say that it is one');
  if (head.version > SNAPSHOT_VERSION) {
    throw invalid(`it has version ${head.version}; this is for ${SNAPSHOT_VERSION}`);
  }
}

const invalid = (why: string) => new SkillscoutError('SNAPSHOT_INVALID', `this is no whole snapshot: ${why}`);

/** Lines, without their ends, of text in pieces of any size; undefined for one that is too long. */
async function* linesOf(
  chunks: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string | undefined, void, undefined> {
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const text = rest + chunk.slice(start, end);
      yield isTooLong || text.length > MAX_LINE ? undefined : text;
      rest = '';
      isTooLong = false;
      start = end + 1;
    }
    rest = isTooLong ? '' : rest + chunk.slice(start);
    if (rest.length > MAX_LINE) {
      isTooLong = true;
      rest = '';
    }
  }
  if (isTooLong) yield undefined;
  else if (rest !== '') yield rest;
}
