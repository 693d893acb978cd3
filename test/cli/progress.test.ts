import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startProgress } from '../../src/cli/progress.ts';
import { createShell } from '../../src/cli/shell.ts';
import { createTally } from '../../src/cli/tally.ts';

async function notesOfProgress(isTTY: boolean): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const shell = createShell({ stdin, stdout, stderr, env: {}, interrupt: new AbortController().signal });
  const progress = await startProgress(shell, createTally({ startedAt: 0, keepOutcomes: false }));
  progress?.update(10);
  progress?.stop();
  stderr.end();
  return text(stderr);
}

it('shows a bar on a terminal, and leaves the terminal as it was', async () => {
  const notes = await notesOfProgress(true);

  expect(notes).toContain('0/10 domains · 0 skills · 0 failed');
  expect(notes).not.toContain('\u001b[?7l');
  expect(notes).not.toContain('\u001b[?25l');
});

it('is silent elsewhere', async () => {
  expect(await notesOfProgress(false)).toBe('');
});
