import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { brokenLinks, marked, root } from '../support/markdown.ts';

const document = readFileSync(`${root}docs/security.md`, 'utf8');
/** Threat, what is done, where, shown by. */
const rows = document
  .split('\n')
  .filter((line) => /^\| .* \|$/.test(line) && line.includes('`test/'))
  .map((line) => line.slice(2, -2).split(' | '));

describe('docs/security.md', () => {
  it('has four cells in each row', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((cells) => cells.length !== 4)).toEqual([]);
  });

  it('names files that exist', () => {
    const files = rows.flatMap(([, , where = '']) => where.split('<br>').map((file) => file.slice(1, -1)));
    expect(files.filter((file) => !file.startsWith('src/') || !existsSync(root + file))).toEqual([]);
  });

  it('names tests by the beginnings of their titles', () => {
    const shown = rows.flatMap(([, , , tests = '']) => tests.split('<br>'));
    const isThere = (test: string) => {
      const [, file = '', title = ''] = /^`(test\/[^`]+)`: (.{8,})$/.exec(test) ?? [];
      if (!existsSync(root + file) || file === '') return false;
      const source = readFileSync(root + file, 'utf8');
      return [`'${title}`, `"${title}`, `\`${title}`].some((start) => source.includes(start));
    };
    expect(shown.filter((test) => !isThere(test))).toEqual([]);
  });

  it('lists the runtime dependencies', () => {
    const listed = [...(marked(document, 'dependencies') ?? '').matchAll(/^\| `(.+?)`/gm)].map(
      ([, name]) => name,
    );
    const { dependencies, optionalDependencies } = packageJson;
    expect(listed).toEqual([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/security.md')).toEqual([]);
  });
});
