import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { isSkillscoutError } from '../errors.ts';
import type { StoredSkill } from '../registry/index.ts';
import { loadDriver } from './driver.ts';
import { storeError } from './errors.ts';
import { openToWrite } from './file.ts';
import { Turns } from './turns.ts';
import { type WriteOutcome, type WriteRequest, Writer } from './writer.ts';
import type { Answer, Message, ThreadData } from './writer-port.ts';

/*
 * The thread that writes, so that nobody else waits for the disk or for another process. Takes requests, and gives the answers
 * of each transaction at once, in the order of the requests, after it is committed.
 */

const { file, busyTimeoutMs, maxResponseBytes } = workerData as ThreadData;
const port = parentPort as MessagePort;
const driver = loadDriver();
let db: ReturnType<typeof openToWrite> | undefined;
let writer: Writer | undefined;
let isClosing = false;
const turns = new Turns();
/** Skills that came ahead of their update, by parcel. */
const ahead = new Map<number, StoredSkill[]>();

port.on('message', (message: Message) => {
  const request = requestOf(message);
  if (request) write(request);
  if (isClosing) close();
});

function write(first: WriteRequest): void {
  const begin = systemClock.now();
  port.postMessage(outcomesOf(first).map(toAnswer));
  const pause = turns.pauseAfter(begin, systemClock.now());
  if (pause > 0 && !isClosing) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
}

function outcomesOf(first: WriteRequest): WriteOutcome[] {
  try {
    db ??= openToWrite(driver, { file, busyTimeoutMs });
    writer ??= new Writer(db, { maxResponseBytes });
  } catch (error) {
    return [{ error }];
  }
  return writer.runBatch(first, next);
}

function next(): WriteRequest | undefined {
  for (;;) {
    const message: Message | undefined = receiveMessageOnPort(port)?.message;
    const request = message && requestOf(message);
    if (request || message === undefined || isClosing) return request;
  }
}

/** What there is to do, if the message says so. */
function requestOf(message: Message): WriteRequest | undefined {
  if (message === 'close') {
    isClosing = true;
    return undefined;
  }
  if (message.kind === 'skills') {
    const { parcel, skills } = message;
    ahead.set(parcel, [...(ahead.get(parcel) ?? []), ...skills]);
    return undefined;
  }
  if (message.kind !== 'apply' || message.parcel === undefined) return message;
  const skills = ahead.get(message.parcel) ?? [];
  ahead.delete(message.parcel);
  return { kind: 'apply', update: { ...message.update, skills } };
}

function toAnswer(outcome: WriteOutcome): Answer {
  if (!('error' in outcome)) return outcome;
  const error = storeError(outcome.error, file);
  return {
    code: isSkillscoutError(error) ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
  };
}

function close(): void {
  try {
    // Everything into the file itself, as far as no reader is in the way.
    db?.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // What stays in the log is read from there.
  }
  db?.close();
  port.close();
}
