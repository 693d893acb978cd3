import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** What goes wrong in the field for those who fetch well-known documents; each is a test that names it as `[ID]` in its title. */
const CASES = `
  A1 A2 A6 A7 A9 A12 A13 A14 A15 A17 A18
  B1 B3 B4 B5 B7 B8 B9 B11 B13 B14 B15 B20 B21 B22
  C1 C2 C3 C5 C8 C9 C11 C12 C14 C15 C18
  D1 D2 D3 D5 D7
  E1 E2 E3 E4 E5 E7 E8 E11
  F1 F3 F6 F9 F10 F11 F13 F14 F16
  G1 G6
  H3 H4 H5 H8 H9 H10
  I1 I4 I7 I9 I10`
  .trim()
  .split(/\s+/);

/** What stands in quotes; a title may be a row of a table. Comments are none. */
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

it('every case from the field has a test that names it', async () => {
  const root = new URL('../', import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const cited = new Set<string>();
  for (const name of files) {
    const source = (await readFile(new URL(name, root), 'utf8')).replace(COMMENT, '');
    for (const [text] of source.matchAll(QUOTED)) {
      for (const [, id = ''] of text.matchAll(/\[([A-I]\d+)\]/g)) cited.add(id);
    }
  }
  expect(CASES).toHaveLength(71);
  expect(CASES.filter((id) => !cited.has(id))).toEqual([]);
  expect([...cited].filter((id) => !CASES.includes(id))).toEqual([]);
});
