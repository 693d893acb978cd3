import { createInternet, type Expectation, serve } from '../../../mocks/index.ts';
import { type Client, createClient, type FindQuery, type ProviderOutcome, systemClock } from '../../index.ts';
import { startProgress } from '../progress.ts';
import { number, plural, renderReport, renderSkills } from '../render.ts';
import type { Shell } from '../shell.ts';
import { createTally } from '../tally.ts';
import { UsageError } from '../usage-error.ts';

/** Roughly how many of the providers are at fault. */
const FAULTY = 12;
/** Of those that make twelve of the default 120 faulty, one with many different faults. */
const SEED = 3;
/** Answers shown to one question. */
const SHOWN = 3;
const MAX_PROVIDERS = 100_000;

type Truth = ReadonlyMap<string, Expectation>;

interface Question {
  command: string;
  query: FindQuery;
  /** Which skills are the answer, where the internet can tell. */
  matches?: (skill: Expectation['skills'][number]) => boolean;
}

const QUESTIONS: readonly Question[] = [
  {
    command: 'find --type api',
    query: { capabilityType: 'api' },
    matches: ({ capability_type }) => capability_type === 'api',
  },
  {
    command: 'find --type task --access restricted',
    query: { capabilityType: 'task', access: 'restricted' },
    matches: ({ capability_type, access }) => capability_type === 'task' && access === 'restricted',
  },
  { command: 'find "train times" --auth none', query: { text: 'train times', authType: 'none' } },
];

/**
 * Crawls a generated internet over real sockets, asks for what was found, and holds both against what is true of that
 * internet. Exit code 1 where they differ.
 */
export async function demo({ providers }: { providers: number }, shell: Shell): Promise<number> {
  if (providers > MAX_PROVIDERS) throw new UsageError(`--providers: expected at most ${MAX_PROVIDERS}`);
  const internet = createInternet({ seed: SEED, providers, faulty: Math.min(1, FAULTY / providers) });
  const server = await serve(internet.handle);
  const client = createClient({
    lookup: server.lookup,
    unsafe: { allowHttp: true, allowPrivateAddresses: true },
  });
  try {
    const truth = new Map(
      internet.domains.map((host) => [`http://${host}:${server.port}`, internet.expectation(host)]),
    );
    const faulty = [...truth.values()].filter(({ code, rejectedCode }) => code ?? rejectedCode).length;
    await shell.print(
      `${plural(providers, 'provider')} on ${server.origin}, ${number(faulty)} of them at fault\n`,
    );
    const crawled = await crawlAll(client, truth, shell);
    const answered = await ask(client, truth, shell);
    return crawled && answered ? 0 : 1;
  } finally {
    await client.close();
    await server.close();
  }
}

/** Prints the report. True when every domain ended as it should have. */
async function crawlAll(client: Client, truth: Truth, shell: Shell): Promise<boolean> {
  const tally = createTally({ startedAt: systemClock.now(), keepOutcomes: false });
  const progress = await startProgress(shell, tally);
  const wrong: string[] = [];
  try {
    for await (const event of client.crawl(truth.keys(), { signal: shell.signal })) {
      if (event.type !== 'provider') continue;
      tally.add(event.outcome);
      progress?.update(truth.size);
      if (!isAsExpected(event.outcome, truth.get(event.outcome.domain))) wrong.push(event.outcome.domain);
    }
  } finally {
    progress?.stop();
  }
  tally.finish(systemClock.now());
  await shell.print(renderReport(tally.report, tally, shell.colors));

  const offered = [...truth.values()].reduce((sum, { skills }) => sum + skills.length, 0);
  const right = truth.size - wrong.length;
  const { accepted } = tally.report.skills;
  await shell.print(
    `\n${verdict(wrong.length === 0, shell)} ${number(right)} of ${plural(truth.size, 'domain')} ended as the mock internet ` +
      `says it should; ${number(accepted)} skills found, ${number(offered)} on offer`,
  );
  for (const domain of wrong.slice(0, 10)) await shell.print(`  not as expected: ${domain}`);
  return wrong.length === 0;
}

function isAsExpected(outcome: ProviderOutcome, expected: Expectation | undefined): boolean {
  const found = outcome.skills.map(({ id }) => id);
  return (
    expected !== undefined &&
    outcome.status === expected.status &&
    outcome.code === expected.code &&
    outcome.rejected.every(({ code }) => code === expected.rejectedCode) &&
    found.join('\n') === expected.skills.map(({ id }) => id).join('\n')
  );
}

/** Prints the answers. True when each is as long as it should be, where that is known. */
async function ask(client: Client, truth: Truth, shell: Shell): Promise<boolean> {
  const offered = [...truth.values()].flatMap(({ skills }) => skills);
  let good = true;
  for (const { command, query, matches } of QUESTIONS) {
    const { records, total = 0 } = await client.find({ ...query, limit: SHOWN, total: true });
    const expected = matches && offered.filter(matches).length;
    const right = expected === undefined || expected === total;
    good &&= right;
    const comparison =
      expected === undefined ? '' : `, ${number(expected)} on offer ${verdict(right, shell)}`;
    await shell.print(
      `\n${shell.colors.bold(`skillscout ${command}`)}   ${number(total)} found${comparison}`,
    );
    if (records.length > 0) await shell.print(renderSkills(records, shell.colors));
  }
  return good;
}

function verdict(right: boolean, { colors }: Shell): string {
  return right ? colors.green('✓') : colors.red('✗');
}
