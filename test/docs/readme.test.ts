import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ERROR_CODES, VERSION } from '../../src/index.ts';
import { HOME } from '../../src/version.ts';
import { brokenLinks, codeBlocks, marked, root, typeErrors } from '../support/markdown.ts';

const readme = readFileSync(`${root}README.md`, 'utf8');

describe('README', () => {
  it('has the table of codes that errors.ts gives', () => {
    const rows = Object.entries(ERROR_CODES).map(
      ([code, { retryable, meaning }]) => `| \`${code}\` | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
    );
    const table = ['| code | again | meaning |', '| --- | --- | --- |', ...rows].join('\n');
    expect(marked(readme, 'codes')).toBe(table);
  });

  it('has library examples that compile', () => {
    const blocks = codeBlocks(readme, 'ts');
    expect(blocks.length).toBeGreaterThanOrEqual(5);
    expect(typeErrors(blocks)).toEqual([]);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(readme, 'README.md')).toEqual([]);
  });
});

it('is one version everywhere', () => {
  expect(VERSION).toBe(packageJson.version);
  expect(HOME).toBe(packageJson.homepage);
});
