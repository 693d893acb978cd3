import { readdir } from 'node:fs/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../e2e/support/cli.ts';
import { runHere } from './support/run.ts';

describe('bad input', () => {
  let dataFolder: string;

  beforeEach(async () => {
    dataFolder = await temporaryFolder();
    vi.stubEnv('XDG_DATA_HOME', dataFolder);
    return () => vi.unstubAllEnvs();
  });

  it.each([
    ['an unknown flag', ['crawl', 'a.example', '--tpye'], '--tpye'],
    ['an unknown command', ['crwal'], 'crwal'],
    ['a malformed domain', ['crawl', 'a.example/path'], 'a.example/path'],
    ['a file that is not there', ['crawl', '--file', '/nowhere/domains'], '/nowhere/domains'],
    ['a folder for a file', ['crawl', '--file', '/'], '--file /'],
    ['no domain at all', ['crawl'], 'domain'],
    ['a number out of range', ['crawl', 'a.example', '--timeout', '0'], '--timeout'],
    ['no number', ['crawl', 'a.example', '--concurrency', 'many'], '--concurrency'],
    ['two formats', ['crawl', 'a.example', '--json', '--ndjson'], '--ndjson'],
    ['outcomes without JSON', ['crawl', 'a.example', '--outcomes'], '--outcomes'],
    ['an unknown type', ['find', '--type', 'tool'], '--type'],
    ['a foreign cursor', ['find', '--cursor', 'abc'], '--cursor'],
    ['a limit out of range', ['find', '--limit', '0'], '--limit'],
    ['whole records as a table', ['find', '--full'], '--full'],
    ['a malformed domain to find', ['find', '--domain', 'a b'], '--domain'],
    ['a range that is none', ['crawl', 'a.example', '--allow-private=banana'], '--allow-private'],
    ['a version range that is none', ['find', '--skill-version', 'banana'], '--skill-version'],
    ['a protocol range that is none', ['find', '--protocol', '1.x banana'], '--protocol'],
    ['fresh and stale at once', ['find', '--fresh', '--stale'], '--stale'],
    ['a malformed domain to show', ['show', 'a b', 'x'], 'DOMAIN'],
    ['a malformed domain to ask the status of', ['status', 'a.example', 'a b'], 'DOMAIN'],
    ['a foreign cursor of a status', ['status', '--cursor', 'abc'], '--cursor'],
    ['a status limit out of range', ['status', '--limit', '1001'], '--limit'],
    ['a malformed domain to ask the changes of', ['changes', 'a b'], 'DOMAIN'],
    [
      'more domains than can be asked for',
      [
        'changes',
        ...Array(257)
          .fill('')
          .map((_, n) => `${n}.example`),
      ],
      'DOMAIN',
    ],
    ['a time that is none', ['changes', '--since', 'yesterday'], '--since'],
    ['two formats of changes', ['changes', '--json', '--ndjson'], '--ndjson'],
    ['outcomes of a refresh without JSON', ['refresh', '--outcomes'], '--outcomes'],
    ['a domain to refresh', ['refresh', 'a.example'], 'arguments'],
    ['too many arguments', ['find', 'one', 'two'], 'arguments'],
    ['a query of what is locked already', ['lock', '--verify', '--type', 'api'], '--verify'],
    ['words to look for in a lock', ['lock', 'translate', '--verify'], '--verify'],
    ['a credential to lock with', ['lock', '--credential', 'https://a.example=x:y'], '--credential'],
    ['a network flag to lock with', ['lock', '--allow-private'], '--allow-private'],
    ['verdicts of no verification', ['lock', '--json'], '--json'],
    ['a page of a lock', ['lock', '--limit', '7'], '--limit'],
    ['a version range that is none to lock', ['lock', '--skill-version', 'banana'], '--skill-version'],
    ['a lock that is not there', ['lock', '--verify', '--lock', '/nowhere/lock'], '--lock /nowhere/lock'],
    ['a bad range to verify with', ['lock', '--verify', '--allow-private=banana'], '--allow-private'],
    ['a folder to import', ['import', '/'], 'import /'],
    ['two files to export', ['export', 'one', 'two'], 'arguments'],
  ])('names %s in one line, exit code 2, and creates nothing', async (_, args, name) => {
    const { code, stdout, stderr } = await runHere(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^skillscout: .+\n$/);
    expect(stderr).toContain(name);
    expect(await readdir(dataFolder)).toEqual([]);
  });

  it('never repeats a secret', async () => {
    for (const [flag, value] of [
      ['--credential', 'S3CRET'],
      ['--credential', 'https://a.example=S3CRET'],
      ['--credential', 'http://a.example=x-api-key:S3CRET'],
      ['--credential', 'https://a.example=host:S3CRET'],
      ['--credential', 'https://a.example=x-api-key:S3CRET\r\nx: y'],
    ] as const) {
      const { code, stdout, stderr } = await runHere(['crawl', 'a.example', flag, value]);

      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^skillscout: --credential.*\n$/);
      expect(stderr).not.toContain('S3CRET');
    }
  });
});

describe('help', () => {
  it.each([
    ['--help'],
    ['crawl', '--help'],
    ['refresh', '--help'],
    ['find', '--help'],
    ['show', '--help'],
    ['status', '--help'],
    ['changes', '--help'],
    ['lock', '--help'],
    ['export', '--help'],
    ['import', '--help'],
    ['check', '--help'],
    ['demo', '--help'],
  ])('is a result: %s %s', async (...args) => {
    const { code, stdout, stderr } = await runHere(args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: skillscout/);
  });

  it('is what a bare command gets, as a mistake', async () => {
    const { code, stdout, stderr } = await runHere([]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: skillscout/);
  });
});
