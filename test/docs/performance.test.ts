import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brokenLinks, codeBlocks, marked, root } from '../support/markdown.ts';

interface Goal {
  atLeast?: number;
  atMost?: number;
}

const bench = (file: string) => import(`${root}test/bench/${file}`);
const { GOALS } = (await bench('goals.mjs')) as { GOALS: Record<string, Goal> };
const { goalText } = (await bench('figures.mjs')) as { goalText: (goal: Goal) => string };
const { parseOptions, TABLES } = (await bench('options.mjs')) as {
  parseOptions: (args: string[]) => { only: string[]; skills: number };
  TABLES: string[];
};

const document = readFileSync(`${root}docs/performance.md`, 'utf8');
const measured = codeBlocks(document, 'text')
  .flatMap((block) => block.trimEnd().split('\n').slice(1))
  .map((line) => line.split(/ {2,}/));

describe('docs/performance.md', () => {
  it('states the goals that the measurements are held against', () => {
    const rows = Object.entries(GOALS).map(([name, goal]) => `| ${name} | ${goalText(goal)} |`);
    expect(marked(document, 'goals')).toBe(['| figure | goal |', '| --- | --- |', ...rows].join('\n'));
  });

  it('has commands that are understood, and a million skills for every store', () => {
    const commands = codeBlocks(document, 'sh')
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith('npm run bench'))
      .map((line) => parseOptions(line.split(/\s+/).slice(4)));
    expect(new Set(commands.flatMap(({ only }) => only))).toEqual(new Set(TABLES));
    for (const table of ['sqlite', 'memory', 'queries']) {
      expect(commands).toContainEqual(expect.objectContaining({ only: [table], skills: 1_000_000 }));
    }
  });

  it('has a place for every table, with one in it', () => {
    expect(marked(document, 'peers')).toMatch(/^@a2a-js\/sdk \d/);
    for (const table of TABLES) {
      const place = marked(document, table);
      expect(codeBlocks(place ?? '', 'text'), table).toHaveLength(1);
    }
  });

  it('shows a measured value for every goal, and judges it right', () => {
    expect(measured.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(GOALS)));
    for (const [name = '', value = '', goal, judgement] of measured) {
      const { [name]: expected } = GOALS;
      if (expected === undefined) continue;
      const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = expected;
      const number = Number.parseFloat(value.replaceAll(',', ''));
      const isMet = number >= atLeast && number <= atMost;
      expect([name, goal, judgement]).toEqual([name, goalText(expected), isMet ? 'met' : 'missed']);
    }
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/performance.md')).toEqual([]);
  });
});
