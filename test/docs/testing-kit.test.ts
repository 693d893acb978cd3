import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as kit from '../../mocks/index.ts';
import { brokenLinks, codeBlocks, marked, root, typeErrors } from '../support/markdown.ts';

const document = readFileSync(`${root}docs/testing-kit.md`, 'utf8');
const faults: [string, kit.Fault][] = Object.entries(kit.FAULTS);

describe('docs/testing-kit.md', () => {
  it('has the table of faults that the kit gives', () => {
    const rows = faults.map(
      ([name, { describe, hits, status, code }]) =>
        `| \`${name}\` | ${describe} | ${hits} | ${status} | ${code ? `\`${code}\`` : ''} |`,
    );
    const table = [
      '| fault | the site … | hits | status | code |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ];
    expect(marked(document, 'faults')).toBe(table.join('\n'));
  });

  it('says how many faults there are', () => {
    expect(document).toContain(`${faults.length} named ways`);
  });

  it('names every function, class and corpus of the kit', () => {
    const helpers = [
      'changed',
      'withUnknownMembers',
      'HOSTILE_TEXT',
      'PRIVATE_HOSTS',
      'descriptorPath',
      'indexEntry',
      'jsonResponse',
      'errorResponse',
    ];
    const named = Object.keys(kit).filter((name) => document.includes(name));
    expect([...named, ...helpers].sort()).toEqual(Object.keys(kit).sort());
  });

  it('has examples that compile', () => {
    const blocks = codeBlocks(document, 'ts');
    expect(blocks).toHaveLength(5);
    expect(typeErrors(blocks)).toEqual([]);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/testing-kit.md')).toEqual([]);
  });
});
