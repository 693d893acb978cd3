import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import type { StoredSkill } from '../registry/index.ts';
import { Turns } from './turns.ts';
import { WriteSession } from './write-session.ts';
import type { WriteRequest } from './writer.ts';
import type { Message } from './writer-port.ts';

/*
 * The thread that writes, so that nobody else waits for the disk or for another process. Takes requests, and gives the answers
 * of each transaction at once, in the order of the requests, after it is committed.
 */

const session = new WriteSession(workerData);
const port = parentPort as MessagePort;
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
  port.postMessage(session.run(first, next));
  const pause = turns.pauseAfter(begin, systemClock.now());
  if (pause > 0 && !isClosing) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
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

function close(): void {
  session.tidyAndClose();
  port.close();
}
