import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Served } from '../../src/mcp/index.ts';
import { serveStdio } from '../../src/mcp/index.ts';
import { deferred } from '../support/deferred.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { servedOf } from './support.ts';

/** A server on two streams, and what it writes, line by line. */
function serving(served: Served) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const controller = new AbortController();
  const errors: string[] = [];
  const ended = serveStdio(served, {
    stdin,
    stdout,
    signal: controller.signal,
    onError: ({ message }) => errors.push(message),
  });
  let text = '';
  stdout.on('data', (piece) => {
    text += piece;
  });
  const messages = () =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return {
    stdin,
    stdout,
    ended,
    errors,
    messages,
    stop: () => controller.abort(),
    send: (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    async until(count: number) {
      while (messages().length < count) await once(stdout, 'data');
      return messages();
    },
  };
}

const INITIALIZE = {
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const INITIALIZED = { method: 'notifications/initialized' };
const callOf = (id: number, name: string) => ({ id, method: 'tools/call', params: { name } });

describe('over streams', () => {
  it('answers what is under way when the input ends, and ends then', async () => {
    const [started, result] = [deferred(), deferred<object>()];
    const slow = () => {
      started.resolve();
      return result.promise;
    };
    const { send, stdin, until, ended, stdout } = serving(servedOf({ slow }));
    send(INITIALIZE);
    send(INITIALIZED);
    send(callOf(1, 'slow'));
    stdin.end();
    await started.promise;
    result.resolve({ done: true });
    await ended;
    const [first, second] = await until(2);
    expect(first).toMatchObject({ id: 'init', result: { serverInfo: { name: 'skillscout' } } });
    expect(second).toMatchObject({ id: 1, result: { structuredContent: { done: true } } });
    expect(stdout.writableEnded).toBe(false);
  });

  it('does not wait for what was taken back', async () => {
    const started = deferred();
    const endless = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const { send, stdin, ended } = serving(servedOf({ endless }));
    send(INITIALIZE);
    send(callOf(1, 'endless'));
    await started.promise;
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    stdin.end();
    await ended;
  });

  it('gives what is under way a second when it is told to end', async () => {
    const clock = createManualClock();
    const started = deferred();
    let aborted = false;
    const endless = (_: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) => {
      signal?.addEventListener('abort', () => {
        aborted = true;
      });
      started.resolve();
      return new Promise(() => {});
    };
    const { send, stop, ended, until } = serving(servedOf({ endless, quick: async () => ({}) }, { clock }));
    send(INITIALIZE);
    send(callOf(1, 'endless'));
    await started.promise;
    stop();
    send(callOf(2, 'quick'));
    expect((await until(2))[1]).toMatchObject({ id: 2 });
    await clock.advance(999);
    expect(aborted).toBe(false);
    await clock.advance(1);
    await ended;
    expect(aborted).toBe(true);
    expect(clock.sleepers).toBe(0);
  });

  it('ends at once when it is told to and nothing is under way', async () => {
    const clock = createManualClock();
    const { stop, ended } = serving(servedOf({}, { clock }));
    stop();
    await ended;
    expect(clock.sleepers).toBe(0);
  });

  it('goes on after a line that is no message, and says so', async () => {
    const { stdin, send, until, errors, ended } = serving(servedOf());
    stdin.write('no JSON\n{"jsonrpc":"1.0"}\n[]\n\n');
    send(INITIALIZE);
    expect(await until(1)).toMatchObject([{ id: 'init' }]);
    expect(errors).toHaveLength(4);
    stdin.end();
    await ended;
  });

  it('ends at a message without end', async () => {
    const { stdin, ended, errors } = serving(servedOf());
    const piece = 'x'.repeat(2 ** 20);
    for (let n = 0; n < 5; n += 1) stdin.write(piece);
    await ended;
    expect(errors).toEqual(['ReadBuffer exceeded maximum size of 4194304 bytes']);
  });

  it('ends at a message without end although a call is under way, which is aborted', async () => {
    const [started, aborted] = [deferred(), deferred()];
    const slow: Parameters<typeof servedOf>[0] = {
      slow: (_, call) => {
        call?.signal?.addEventListener('abort', () => aborted.resolve());
        started.resolve();
        return new Promise(() => {});
      },
    };
    const { send, stdin, ended } = serving(servedOf(slow));
    send(INITIALIZE);
    send(callOf(1, 'slow'));
    await started.promise;
    stdin.write('x'.repeat(2 ** 22 + 1));
    await Promise.all([ended, aborted.promise]);
  });

  it('tells of changes, at most every two seconds, once the client is ready', async () => {
    const clock = createManualClock();
    let revision = 1;
    const { send, stdin, until, messages, ended } = serving(
      servedOf({}, { clock, revision: () => revision }),
    );
    await clock.advance(0);
    revision += 1;
    await clock.advance(2_000);
    expect(messages()).toEqual([]);
    send(INITIALIZE);
    await until(1);
    send(INITIALIZED);
    await clock.advance(2_000);
    expect(messages()).toHaveLength(1);
    revision += 5;
    await clock.advance(1_999);
    expect(messages()).toHaveLength(1);
    await clock.advance(1);
    expect((await until(2))[1]).toEqual({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' });
    await clock.advance(10_000);
    expect(messages()).toHaveLength(2);
    stdin.end();
    await ended;
  });

  it('ends with the failure of the store', async () => {
    const clock = createManualClock();
    let fails = false;
    const revision = () => {
      if (fails) throw new Error('the disk is gone');
      return 1;
    };
    const { ended } = serving(servedOf({}, { clock, revision }));
    const failure = expect(ended).rejects.toThrow('the disk is gone');
    fails = true;
    await clock.advance(2_000);
    await failure;
  });
});
