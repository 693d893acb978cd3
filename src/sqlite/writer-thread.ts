import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { isSkillscoutError } from '../errors.ts';
import { loadDriver } from './driver.ts';
import { storeError } from './errors.ts';
import { openToWrite } from './file.ts';
import { type WriteOutcome, type WriteRequest, Writer } from './writer.ts';
import type { Answer, Message, ThreadData } from './writer-port.ts';

/*
 * The thread that writes, so that nobody else waits for the disk or for another process. Takes requests, and gives the answers
 * of each transaction at once, in the order of the requests, after it is committed.
 */

const { file, busyTimeoutMs } = workerData as ThreadData;
const port = parentPort as MessagePort;
const driver = await loadDriver();
let db: ReturnType<typeof openToWrite> | undefined;
let writer: Writer | undefined;
let isClosing = false;

port.on('message', (message: Message) => {
  if (message !== 'close') port.postMessage(outcomesOf(message).map(toAnswer));
  if (message === 'close' || isClosing) close();
});

function outcomesOf(first: WriteRequest): WriteOutcome[] {
  try {
    db ??= openToWrite(driver, { file, busyTimeoutMs });
    writer ??= new Writer(db);
  } catch (error) {
    return [{ error }];
  }
  return writer.runBatch(first, next);
}

function next(): WriteRequest | undefined {
  const message: Message | undefined = receiveMessageOnPort(port)?.message;
  if (message !== 'close') return message;
  isClosing = true;
  return undefined;
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
