import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/cli/inspection-rules.ts';
import {
  validateErrorEnvelope,
  validateInvocationRequest,
  validateInvocationResponse,
  validateSkillDescriptor,
  validateSkillIndex,
} from '../../src/index.ts';
import { brokenLinks, codeBlocks, marked, root } from '../support/markdown.ts';

const document = readFileSync(`${root}docs/providers.md`, 'utf8');

describe('docs/providers.md', () => {
  it('has the table of findings that the command has', () => {
    const rows = Object.entries(RULES).map(
      ([code, { level, what, why, change }]) => `| \`${code}\` | ${level} | ${what} | ${why} | ${change} |`,
    );
    const table = [
      '| code | level | what | why it matters | what to change |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ];
    expect(marked(document, 'findings')).toBe(table.join('\n'));
  });

  it('has documents that are valid and agree', () => {
    const [index, descriptor] = codeBlocks(document, 'json').map((text) => JSON.parse(text));
    expect(validateSkillIndex(index)).toMatchObject({ ok: true });
    expect(validateSkillDescriptor(descriptor)).toMatchObject({ ok: true });
    const { descriptor_url, ...entry } = index.skills[0];
    expect(descriptor).toMatchObject(entry);
  });

  it('has an exchange that a consumer takes', () => {
    const [, , request, accepted, completed, error] = codeBlocks(document, 'json').map((text) =>
      JSON.parse(text),
    );
    expect(validateInvocationRequest(request)).toMatchObject({ ok: true });
    expect(Object.keys(accepted)).toEqual(['execution_id', 'status']);
    expect(validateInvocationResponse(completed)).toMatchObject({ ok: true });
    expect(validateErrorEnvelope(error)).toMatchObject({ ok: true });
    expect(completed).toMatchObject({ execution_id: accepted.execution_id, skill_id: request.skill_id });
  });

  it('has examples with flags that the command has', async () => {
    const { createProgram } = await import('../../src/cli/program.ts');
    const io = { stdout: { write: () => true }, stderr: { write: () => true } };
    const program = createProgram({ io } as never, () => {});
    const command = program.commands.find((each) => each.name() === 'check');
    const known = command?.options.map(({ long }) => long);
    const code = [...codeBlocks(document, 'sh'), ...codeBlocks(document, 'yaml')].join('\n');
    const lines = code.split('\n').filter((line) => line.includes('skillscout check'));
    expect(lines.length).toBeGreaterThan(5);
    const used = lines.flatMap((line) => line.match(/--[a-z-]+/g) ?? []);
    expect(used.filter((flag) => !known?.includes(flag))).toEqual([]);
  });

  it('links to nothing that is not there', () => {
    expect(brokenLinks(document, 'docs/providers.md')).toEqual([]);
  });
});
