import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProvider, HOSTILE_TEXT, untilAborted, validDescriptor } from '../../mocks/index.ts';
import { runHere } from '../cli/support/run.ts';
import { deferred } from '../support/deferred.ts';
import { exitOf, LOOPBACK, serveForTest, startCli, temporaryFolder } from './support/cli.ts';

const KEY = { header: 'X-API-Key', value: 'k-0123456789' };
const plain = { provider: { name: 'A' } };
const skills = [
  validDescriptor({
    ...plain,
    id: 'repeat',
    name: 'Repeat',
    inputs: [
      { name: 'text', type: 'string', required: true },
      { name: 'times', type: 'integer' },
      { name: 'options', type: 'object' },
      { name: 'loud', type: 'boolean' },
    ],
  }),
  validDescriptor({ ...plain, id: 'shout', name: 'Shout' }),
  validDescriptor({ ...plain, id: 'locked', name: 'Locked', auth: { type: 'api_key' } }),
  validDescriptor({ ...plain, id: 'com.google.search', name: 'Search' }),
  validDescriptor({ ...plain, id: 'wait', name: 'Wait', inputs: [] }),
];

/** A provider that was crawled, and the command on what is stored of it. */
async function crawled() {
  const provider = createProvider({
    ...{ domain: 'a.example', name: 'A', skills },
    invocations: {
      running: 0,
      credential: KEY,
      run: ({ skill_id, inputs }) => (skill_id === 'repeat' ? inputs : HOSTILE_TEXT),
    },
  });
  const waiting = deferred();
  const { origin } = await serveForTest((request) => {
    if (!request.url.endsWith('/wait.invoke')) return provider.handle(request);
    waiting.resolve();
    return untilAborted(request.signal);
  });
  const folder = await temporaryFolder();
  const db = join(folder, 'skills.sqlite');
  await runHere(['crawl', origin, '--db', db, '--quiet', ...LOOPBACK]);
  const args = (id: string, ...more: string[]) => ['invoke', origin, id, '--db', db, ...LOOPBACK, ...more];
  return { provider, origin, folder, args, waiting: waiting.promise };
}

it('sends typed inputs and prints the output as JSON', async () => {
  const { args, folder } = await crawled();
  const file = join(folder, 'inputs.json');
  await writeFile(file, '{"text":"from the file","times":1}');
  const inputs = ['--input', 'times=3', '--input', 'options={"a":[1]}', '--input', 'loud=true'];
  const { code, stdout, stderr } = await runHere(args('repeat', '--inputs', file, ...inputs));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ text: 'from the file', times: 3, options: { a: [1] }, loud: true });

  const outcome = await runHere(args('repeat', '--inputs', '-', '--json'), { stdin: '{"text":"7"}' });
  expect(JSON.parse(outcome.stdout)).toMatchObject({ status: 'completed', output: { text: '7' } });
});

it('prints text as it is, and without what steers a terminal on one', async () => {
  const { args } = await crawled();
  const here = await runHere(args('shout', '--input', 'text=x'));
  expect(here).toEqual({ code: 0, stdout: `${HOSTILE_TEXT}\n`, stderr: '' });
  const terminal = await runHere(args('shout', '--input', 'text=x'), { isTTY: true });
  expect(terminal.stdout).toContain('\\u{1b}[2J');
  expect(terminal.stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

const refusals: [id: string, flags: string[], code: number, line: string, next?: string][] = [
  [
    'locked',
    ['--input', 'text=x'],
    1,
    'refused: AUTH_REQUIRED: the skill wants api_key in x-api-key, and no credential is configured',
    '--credential ORIGIN=HEADER:VALUE gives it one',
  ],
  [
    'com.google.search',
    ['--input', 'text=x'],
    1,
    'refused: SKILL_FLAGGED: the skill has warnings that are not accepted: FOREIGN_ID\n',
    '--accept CODE invokes it in spite of such a warning',
  ],
  [
    'repeat',
    ['--input', 'times=many'],
    1,
    'refused: INVALID_INPUTS: ',
    '/times is "many"; expected integer.',
  ],
  ['nobody', [], 1, 'refused: SKILL_NOT_FOUND: no skill "nobody" of http://'],
  ['shout', ['--input', 'text'], 2, '--input: expected NAME=VALUE, such as text=water'],
  ['shout', ['--inputs', 'nowhere.json'], 2, '--inputs nowhere.json: there is no such file'],
  ['shout', ['--inputs', '-'], 2, '--inputs -: The body is empty.'],
  ['shout', ['--wait', '0'], 2, '--wait: expected a whole number'],
  ['shout', ['--accept', 'ANY'], 2, '--accept: expected a list of FOREIGN_ID'],
];
it('says in a line why a skill is not invoked, and in the next what helps', async () => {
  const { args, provider } = await crawled();
  provider.requests.length = 0;
  for (const [id, flags, code, line, next] of refusals) {
    const result = await runHere(args(id, ...flags));
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(`skillscout: ${line}`);
    expect(result.stderr.split('\n').slice(1)).toEqual(next ? [`skillscout: ${next}`, ''] : ['']);
  }
  const guarded = args('shout', '--input', 'text=x').filter((arg) => !arg.startsWith('--allow'));
  expect((await runHere(guarded)).stderr).toMatch(
    /^skillscout: refused: ADDRESS_REFUSED: .*\nskillscout: --allow-private lets it connect to private addresses\n$/,
  );
  expect(provider.requests).toEqual([]);
});

it('takes credentials as the other commands do, and accepted warnings', async () => {
  const { args, origin, provider } = await crawled();
  const credential = ['--credential', `${origin}=X-API-Key:@env:KEY`];
  const run = await runHere(args('locked', '--input', 'text=x', ...credential), { env: { KEY: KEY.value } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(provider.requests.at(-1)).toMatchObject({ status: 200, headers: { 'x-api-key': KEY.value } });

  const accepted = await runHere(args('com.google.search', '--input', 'text=x', '--accept', 'FOREIGN_ID'));
  expect(accepted).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^skillscout: warning FOREIGN_ID: /),
  });
});

it('ends with Ctrl-C', async () => {
  const { args, waiting } = await crawled();
  const child = startCli(args('wait'));
  const ended = exitOf(child);
  await waiting;
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 130, signal: null });
});
