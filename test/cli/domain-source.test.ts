import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openDomains, readLines } from '../../src/cli/domain-source.ts';
import { createShell } from '../../src/cli/shell.ts';

function shellWith(stdin: Readable) {
  const interrupt = new AbortController().signal;
  return createShell({ stdin, stdout: new PassThrough(), stderr: new PassThrough(), env: {}, interrupt });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* chunks(...texts: string[]) {
  yield* texts;
}

describe('readLines', () => {
  it('joins what chunks split, whatever the line ends', async () => {
    const text = 'one\ntwo\r\n\n# three\r\nfour';
    const expected = ['one', 'two', '', '# three', 'four'];

    for (let at = 0; at <= text.length; at += 1) {
      expect(await collect(readLines(chunks(text.slice(0, at), text.slice(at))))).toEqual(expected);
    }
  });

  it('keeps a bounded part of an endless line', async () => {
    const [line = '', next] = await collect(
      readLines(chunks(...Array(1000).fill('x'.repeat(10_000)), '\nnext')),
    );

    expect(line.length).toBeGreaterThan(1024);
    expect(line.length).toBeLessThan(20_000);
    expect(next).toBe('next');
  });
});

describe('openDomains', () => {
  it('gives the arguments first, then the lines, without blank ones and comments', async () => {
    const stdin = Readable.from([Buffer.from('\n# comment\n b.example \n\t# too\nc.example')]);
    const source = await openDomains(['a.example'], '-', shellWith(stdin));

    expect(await collect(source)).toEqual(['a.example', 'b.example', 'c.example']);
    expect(source.expected()).toBe(3);
  });

  it('reads no further than it is asked to', async () => {
    let given = 0;
    const stdin = new Readable({
      read() {
        given += 1;
        this.push(given <= 100_000 ? 'domain.example\n'.repeat(10) : null);
      },
    });
    const source = await openDomains([], '-', shellWith(stdin));
    const domains = source[Symbol.asyncIterator]();
    for (let i = 0; i < 100; i += 1) await domains.next();

    expect(given).toBeLessThan(10_000);
    await domains.return?.();
  });

  it('ends with an interrupt while it waits', async () => {
    const interrupt = new AbortController();
    const stdin = new Readable({ read() {} });
    const io = { stdin, stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
    const source = await openDomains([], '-', createShell({ ...io, interrupt: interrupt.signal }));
    const pending = source[Symbol.asyncIterator]().next();

    interrupt.abort();

    await expect(pending).rejects.toThrow('aborted');
    expect(stdin.destroyed).toBe(true);
  });
});
