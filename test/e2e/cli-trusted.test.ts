import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProvider, validDescriptor } from '../../mocks/index.ts';
import type { CrawlReport } from '../../src/index.ts';
import { LOOPBACK, runCli, serveForTest, temporaryFolder } from './support/cli.ts';

it('shows who clashes with whom in find, show and the report, and leaves them out when asked to', async () => {
  const bare = { provider: { name: 'P' } };
  const skillsOf = (own: string) => [
    validDescriptor({ ...bare, id: 'shared', name: `Skill of ${own}` }),
    validDescriptor({ ...bare, id: own, name: `Another of ${own}` }),
  ];
  const serveOne = async (own: string) => {
    const provider = createProvider({ domain: `${own}.example`, name: own, skills: skillsOf(own) });
    return (await serveForTest(provider.handle)).origin;
  };
  const origins = [await serveOne('first'), await serveOne('second')].sort();
  const db = join(await temporaryFolder(), 'skills.sqlite');
  const run = (...args: string[]) => runCli([...args, '--db', db]);

  const table = await run('crawl', ...origins, ...LOOPBACK);
  expect(table.stdout).toContain(`Collisions  1 id of several domains\n`);
  expect(table.stdout).toContain(`shared  ${origins.join(', ')}\n`);
  const report: CrawlReport = JSON.parse((await run('crawl', ...origins, '--json', ...LOOPBACK)).stdout);
  expect(report.collisions).toEqual({ total: 1, first: [{ id: 'shared', domains: origins }] });

  const lines = (await run('find')).stdout.trimEnd().split('\n').slice(1);
  expect(lines.filter((line) => line.includes('(!)'))).toEqual([
    expect.stringMatching(/ shared .* \(!\) ID_COLLISION$/),
    expect.stringMatching(/ shared .* \(!\) ID_COLLISION$/),
  ]);
  expect((await run('show', origins[0] ?? '', 'shared')).stdout).toContain(
    `  ! ID_COLLISION  the same id is published by ${origins[1]}\n`,
  );
  const trusted = JSON.parse((await run('find', '--trusted', '--total', '--json')).stdout);
  expect(trusted.total).toBe(2);
  expect(trusted.records.map(({ id }: { id: string }) => id).sort()).toEqual(['first', 'second']);
  expect((await run('lock', '--trusted', '--lock', `${db}.lock`)).stderr).toContain('2 locked in');
});
