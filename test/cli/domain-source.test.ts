import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openDomains, readLines } from '../../src/cli/domain-source.ts';
import { createShell } from '../../src/cli/shell.ts';
import { temporaryFolder } from '../e2e/support/cli.ts';

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

  it('estimates how many there will be, and knows it in the end', async () => {
    const file = join(await temporaryFolder(), 'domains.txt');
    await writeFile(file, '# about 2,000\r\n\r\n'.concat('domain.example\r\n'.repeat(2000)));
    const source = await openDomains([], file, shellWith(Readable.from([])));
    const domains = source[Symbol.asyncIterator]();
    expect(source.expected()).toBe(0);

    for (let i = 0; i < 200; i += 1) await domains.next();
    expect(source.expected()).toBeGreaterThan(1800);
    expect(source.expected()).toBeLessThan(2200);

    while (!(await domains.next()).done);
    expect(source.expected()).toBe(2000);
  });

  it('survives an interrupt before the first line is asked for', async () => {
    const interrupt = new AbortController();
    const stdin = new Readable({ read() {} });
    const io = { stdin, stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
    const source = await openDomains([], '-', createShell({ ...io, interrupt: interrupt.signal }));

    interrupt.abort();
    await new Promise((resolve) => stdin.once('close', resolve));

    await expect(collect(source)).rejects.toThrow('aborted');
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
