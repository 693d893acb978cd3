import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { changed, FAULTS, validDescriptor, validIndex } from '../../mocks/index.ts';
import type { toSarif } from '../../src/cli/sarif.ts';
import { VERSION } from '../../src/index.ts';
import { LOOPBACK, serveForTest, temporaryFolder } from '../e2e/support/cli.ts';
import { runHere } from './support/run.ts';

type Log = ReturnType<typeof toSarif>;

async function sarif(...args: string[]): Promise<{ code: number; log: Log }> {
  const { code, stdout, stderr } = await runHere(['check', '--sarif', ...args]);
  expect(stderr).toBe('');
  const log: Log = JSON.parse(stdout);
  conforms(log);
  return { code, log };
}

/** What SARIF 2.1.0 requires of a log, by its sections, and the members of it that are used. */
function conforms({ version, runs, ...log }: Log): void {
  // 3.13: version and runs.
  expect({ version, log }).toEqual({
    version: '2.1.0',
    log: { $schema: expect.stringMatching(/sarif-2\.1\.0/) },
  });
  for (const { tool, columnKind, results } of runs) {
    expect(columnKind).toBe('utf16CodeUnits');
    // 3.19: a component has a name; 3.49: a rule has an id, and texts are messages (3.12).
    const { name, version, informationUri, rules } = tool.driver;
    expect({ name, version, isUri: URL.canParse(informationUri) }).toEqual({
      name: 'skillscout',
      version: VERSION,
      isUri: true,
    });
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule).toEqual({
        id: expect.stringMatching(/^[A-Z_]+$/),
        shortDescription: { text: expect.stringMatching(/\S\.$/) },
        fullDescription: { text: expect.stringMatching(/\S\.$/) },
        help: { text: expect.stringMatching(/\S\.$/) },
        defaultConfiguration: { level: expect.stringMatching(/^(?:error|warning|note)$/) },
      });
    }
    // 3.27: a result has a message; its rule is the one at its index (3.27.6); 3.28: locations.
    for (const { message, level, ruleId, ruleIndex, locations } of results) {
      expect(message.text).toMatch(/\S/);
      expect(rules[ruleIndex]).toMatchObject({ id: ruleId, defaultConfiguration: { level } });
      expect(locations).toHaveLength(1);
      for (const { physicalLocation } of locations) {
        const { uri } = physicalLocation.artifactLocation;
        expect(uri).toMatch(/^[!#$&-;=?-Z_a-z~%]+$/);
        expect(URL.canParse(uri, 'file:///base/')).toBe(true);
      }
    }
  }
}

const placesOf = ({ runs }: Log) =>
  runs[0]?.results.map(({ ruleId, locations: [location] }) => [
    ruleId,
    location?.physicalLocation.artifactLocation.uri,
    location?.logicalLocations?.[0]?.fullyQualifiedName,
  ]);

describe('check --sarif', () => {
  it('gives a run without results where all is good', async () => {
    const file = join(await temporaryFolder(), 'good.json');
    await writeFile(file, JSON.stringify(validIndex()));

    const { code, log } = await sarif(file);

    expect({ code, places: placesOf(log) }).toEqual({ code: 0, places: [] });
  });

  it('names a file by a URI and the member by its JSON Pointer', async () => {
    const file = join(await temporaryFolder(), 'my index é#.json');
    const index = changed(changed(validIndex(), '/skills/0/access', 'secret'), '/provider/name', 7);
    await writeFile(file, JSON.stringify(index));

    const { code, log } = await sarif(file);

    expect(code).toBe(1);
    expect(placesOf(log)?.sort()).toEqual([
      ['VALIDATION_ERROR', pathToFileURL(file).href, '/provider/name'],
      ['VALIDATION_ERROR', pathToFileURL(file).href, '/skills/0/access'],
    ]);
  });

  it('keeps a relative path relative, so that it is found in a repository', async () => {
    const file = relative(process.cwd(), join(await temporaryFolder(), 'a b.json'));
    await writeFile(file, JSON.stringify(validDescriptor({ created_at: 'yesterday' })));

    const { code, log } = await sarif(file);

    expect(code).toBe(0);
    expect(placesOf(log)).toEqual([['INVALID_DATE', file.replace('a b', 'a%20b'), '/created_at']]);
  });

  it('names the documents of a domain by their URLs, and who saw what', async () => {
    const { origin } = await serveForTest(FAULTS['descriptor-404'].make());

    const credential = ['--credential', `${origin}=x-api-key:k-3f9a`];
    const { code, log } = await sarif(origin, ...LOOPBACK, ...credential);

    expect(code).toBe(1);
    const [first] = placesOf(log) ?? [];
    expect(first).toEqual(['SKILL_NOT_FOUND', `${origin}/.well-known/skill-sharing`, '/skills/0']);
    expect(log.runs[0]?.properties).toEqual({ target: origin, ok: false });
    expect(JSON.stringify(log)).not.toContain('k-3f9a');
  });

  it('is another form than --json', async () => {
    const { code, stderr } = await runHere(['check', '-', '--json', '--sarif']);

    expect(code).toBe(2);
    expect(stderr).toMatch(/'--sarif' cannot be used with option '--json'/);
  });
});
