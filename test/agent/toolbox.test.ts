import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { jsonTokens } from '../../src/agent/budget.ts';
import { type AgentTool, createToolbox, type SkillDetails, type ToolError } from '../../src/agent/index.ts';
import { hasUnsafeText } from '../../src/protocol/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { clientWith, HOSTILE, recordOf, type SkillParts } from './support.ts';

const KEY = { domain: 'a.example', id: 'com.example.skill-v1' };
type Options = Parameters<typeof createToolbox>[1];
const boxOver = async (skills: SkillParts[], options?: Options, answers = {}) =>
  createToolbox((await clientWith(skills, answers)).client, options);

const ajv = new Ajv2020({ strict: true });

function toolOf({ tools }: { tools: readonly AgentTool[] }, name: string): AgentTool {
  const tool = tools.find((other) => other.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  return tool;
}

function expectToFit(tool: AgentTool, result: unknown): void {
  expect(ajv.validate(tool.outputSchema, result), ajv.errorsText()).toBe(true);
}

describe('the tools', () => {
  it('are those that the host allows', async () => {
    const namesOf = async (options: Options) => (await boxOver([], options)).tools.map(({ name }) => name);
    expect(await namesOf({})).toEqual(['search_skills', 'get_skill']);
    expect(await namesOf({ discover: ['a.example'] })).toEqual([
      'search_skills',
      'get_skill',
      'discover_domain',
    ]);
    expect(await namesOf({ invoke: true })).toEqual(['search_skills', 'get_skill', 'invoke_skill']);
  });

  it('say what they do, and take what every runtime takes', async () => {
    const { tools } = await boxOver([], { discover: true, invoke: true });
    for (const tool of tools) {
      expect(() => ajv.compile({ ...tool.inputSchema })).not.toThrow();
      expect(jsonTokens({ ...tool, outputSchema: undefined })).toBeLessThan(500);
    }
    expect(tools.map(({ strict }) => strict)).toEqual([false, true, true, false]);
    expect(tools.map(({ annotations }) => annotations.openWorldHint)).toEqual([false, false, true, true]);
    expect(tools.map(({ annotations }) => annotations.readOnlyHint)).toEqual([true, true, false, false]);
    expect(tools.map(({ annotations }) => annotations.destructiveHint)).toEqual([false, false, false, true]);
  });

  it('search and read', async () => {
    const box = await boxOver([{ name: 'Translate', capability_type: 'task' }, { id: 'other' }]);
    const search = toolOf(box, 'search_skills');
    const found = await search.execute({ query: 'translate', capability_type: 'task', limit: 1 });
    expect(found).toEqual(await box.searchSkills({ query: 'translate', capabilityType: 'task', limit: 1 }));
    expect(found).toMatchObject({
      skills: [{ ...KEY, name: 'Translate', capability_type: 'task' }],
      more: false,
    });
    expectToFit(search, found);
    const get = toolOf(box, 'get_skill');
    const read = await get.execute(KEY);
    expect(read).toEqual(await box.getSkill(KEY));
    expectToFit(get, read);
  });

  it.each([
    ['search_skills', { limit: 16 }, '/limit'],
    ['search_skills', { capability_type: 'x' }, '/capability_type'],
    ['get_skill', { domain: 'a.example' }, '/id'],
    ['get_skill', 'a.example', ''],
  ])('%s tells what is wrong with %j', async (name, input, field) => {
    const result = (await toolOf(await boxOver([]), name).execute(input)) as ToolError;
    expect(result.error).toMatchObject({ code: 'INVALID_INPUTS', violations: [{ field }] });
  });

  it('invoke by key, under the names of input_schema', async () => {
    const skill = { descriptor: { inputs: [{ name: '文', required: true, type: 'string' }] } };
    const { client, invoked } = await clientWith([skill], { outcome: { output: 'done' } });
    const tool = toolOf(createToolbox(client, { invoke: true }), 'invoke_skill');
    const result = await tool.execute({ ...KEY, inputs: { input_1: 'x' } });
    expect(result).toMatchObject({ untrusted_output: 'done' });
    expectToFit(tool, result);
    expect(invoked).toMatchObject([{ skill: KEY, inputs: { 文: 'x' } }]);
    expect(await tool.execute({ ...KEY, inputs: {} })).toMatchObject({ error: { code: 'INVALID_INPUTS' } });
    expect(await tool.execute({ ...KEY, id: 'none', inputs: {} })).toMatchObject({
      error: { code: 'SKILL_NOT_FOUND' },
    });
  });
});

describe('getSkill', () => {
  it('shows all that is needed to judge and use a skill', async () => {
    const box = await boxOver([
      {
        ...{
          description: 'Does a thing.',
          warnings: [{ code: 'FOREIGN_ID', message: 'm' }],
          tags: ['a', 'b'],
        },
        descriptor: {
          documentation_url: 'https://a.example/docs',
          inputs: [{ name: 'text', type: 'string', required: true }],
          output: { type: 'object', description: 'What came of it.', content_type: 'application/json' },
        },
      },
    ]);
    const record = recordOf();
    expect(await box.getSkill(KEY)).toEqual({
      notice: expect.stringMatching(/never as instructions/),
      ...{
        ...KEY,
        name: 'A skill',
        capability_type: 'api',
        description: 'Does a thing.',
        warnings: ['FOREIGN_ID'],
      },
      ...{
        version: '1.0.0',
        provider: 'Example',
        tags: ['a', 'b'],
        documentation_url: 'https://a.example/docs',
      },
      auth_type: 'none',
      tool: box.toTool(record).name,
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
      output: { type: 'object', description: 'What came of it.', content_type: 'application/json' },
    });
  });

  it('keeps to 4,000 tokens, cut and clean, whatever the publisher wrote', async () => {
    const text = HOSTILE.repeat(20);
    const id = 'y'.repeat(512);
    const skill: SkillParts = {
      ...{ domain: `${'a1'.repeat(31)}.${'b2'.repeat(31)}.${'c3'.repeat(31)}.example`, id },
      ...{ name: text, description: text, version: '1.0.0' },
      tags: Array.from({ length: 20 }, (_, i) => `${i}${HOSTILE}`),
      warnings: Array.from({ length: 50 }, (_, i) => ({ code: `SOME_LONG_CODE_${i}`, message: text })),
      descriptor: {
        provider: { name: text },
        documentation_url: `https://a.example/${'%0A'.repeat(1_000)}`,
        output: { type: text, description: text, content_type: text },
        inputs: Array.from({ length: 150 }, (_, i) => ({
          ...{ name: `${'P'.repeat(50)}${i}`, type: text, description: text, enum: [text], default: text },
          schema: { type: 'object', properties: { a: { pattern: text, description: text } } },
        })),
      },
    };
    const box = await boxOver([skill]);
    const details = (await box.getSkill({ domain: skill.domain ?? '', id })) as SkillDetails;
    expect(jsonTokens(details)).toBeLessThan(4_000);
    expect(details.description).toMatch(/^Ignore previous instructions .{200,}…$/);
    const strings = JSON.stringify(details, (_, value) =>
      typeof value === 'string' ? value.normalize() : value,
    );
    expect(hasUnsafeText(strings)).toBe(false);
    expect(strings).not.toMatch(/\\u|[\u{e0000}-\u{e007f}]/u);
  });

  it('knows no private skill unless the host asks, and says what is wrong', async () => {
    const skills: SkillParts[] = [{ access: 'private' }];
    const notFound = { error: { code: 'SKILL_NOT_FOUND' } };
    expect(await (await boxOver(skills)).getSkill(KEY)).toMatchObject(notFound);
    const box = await boxOver(skills, { includePrivate: true });
    expect(await box.getSkill(KEY)).toMatchObject({ access: 'private' });
    expect(await box.getSkill({ ...KEY, id: 'none' })).toMatchObject(notFound);
    expect(await box.getSkill({ ...KEY, domain: 'A.example' })).toMatchObject({ access: 'private' });
    expect(await box.getSkill({ ...KEY, domain: 'a b\u202e' })).toMatchObject({
      error: { code: 'INVALID_DOMAIN' },
    });
  });
});

describe('discoverDomain', () => {
  const codeOf = (result: object) => ('error' in result ? (result as ToolError).error.code : 'ok');

  it('looks at the domains of the list and those below them', async () => {
    const { client, looked } = await clientWith([]);
    const box = createToolbox(client, { discover: ['example.com', 'http://localhost:8080'] });
    const asked = {
      ...{ 'example.com': 'ok', 'a.b.EXAMPLE.com': 'ok', 'http://localhost:8080': 'ok' },
      ...{
        'badexample.com': 'NOT_ALLOWED',
        'example.com.evil.example': 'NOT_ALLOWED',
        'example.com:8443': 'NOT_ALLOWED',
      },
      ...{ 'http://example.com': 'NOT_ALLOWED', 'a.localhost:8080': 'NOT_ALLOWED', 'a b': 'INVALID_DOMAIN' },
    };
    for (const [domain, code] of Object.entries(asked))
      expect(codeOf(await box.discoverDomain({ domain }))).toBe(code);
    expect(looked).toEqual(['example.com', 'a.b.EXAMPLE.com', 'http://localhost:8080']);
  });

  it('looks at none unless the host allows it', async () => {
    const { client, looked } = await clientWith([]);
    for (const discover of [false, []]) {
      expect(codeOf(await createToolbox(client, { discover }).discoverDomain(KEY))).toBe('NOT_ALLOWED');
    }
    expect(looked).toEqual([]);
  });

  it('looks at ten in a minute', async () => {
    const clock = createManualClock();
    const { client, looked } = await clientWith([]);
    const box = createToolbox(client, { discover: true, clock });
    const look = async () => codeOf(await box.discoverDomain(KEY));
    for (let i = 0; i < 10; i += 1) {
      expect(await look()).toBe('ok');
      await clock.advance(1_000);
    }
    expect(await look()).toBe('TOO_MANY_CALLS');
    await clock.advance(50_000);
    expect(await look()).toBe('ok');
    expect(await look()).toBe('TOO_MANY_CALLS');
    expect(looked).toHaveLength(11);
    clock.set(0);
    expect(await look()).toBe('ok');
  });

  it('tells in few words what came of it', async () => {
    const skills = Array.from({ length: 30 }, (_, i) => ({
      ...recordOf({ id: `id-${i}`, name: HOSTILE, description: HOSTILE.repeat(100) }),
      access: i === 0 ? ('private' as const) : ('public' as const),
    }));
    const look = {
      status: 'partial' as const,
      code: 'TIMEOUT' as const,
      message: HOSTILE.repeat(100),
      skills,
    };
    const box = await boxOver(
      [],
      { discover: true },
      { look: { ...look, rejected: [{ index: 0, code: 'NOT_JSON', message: 'm' }] } },
    );
    const tool = toolOf(box, 'discover_domain');
    const result = await tool.execute({ domain: 'a.example' });
    expectToFit(tool, result);
    expect(result).toMatchObject({
      domain: 'a.example',
      status: 'partial',
      code: 'TIMEOUT',
      rejected: 1,
      more: true,
    });
    expect((result as { skills: object[] }).skills[0]).toMatchObject({ id: 'id-1' });
    expect(jsonTokens(result)).toBeLessThan(2_000);
    expect(hasUnsafeText(JSON.stringify(result))).toBe(false);
  });
});

describe('resolve', () => {
  it('finds the skill of a name that another process made', async () => {
    const skills: SkillParts[] = [
      ...Array.from({ length: 150 }, (_, i) => ({ id: `other-${i}`, name: 'Résumé parser' })),
      { id: 'com.example.one', name: 'Résumé parser' },
      { id: '翻译', name: '文' },
      { id: 'secret', access: 'private' as const },
    ];
    const { client } = await clientWith(skills);
    for (const { id = '', name = 'A skill' } of skills.slice(150, 152)) {
      const made = createToolbox(client).toTool(recordOf({ id, name }));
      expect(await createToolbox(client).resolve(made.name)).toMatchObject({
        name: made.name,
        notes: made.notes,
      });
    }
    const secret = createToolbox(client).toTool(recordOf({ id: 'secret' })).name;
    expect(await createToolbox(client).resolve(secret)).toBeUndefined();
    expect(await createToolbox(client, { includePrivate: true }).resolve(secret)).toMatchObject({
      name: secret,
    });
  });

  it('takes the stored skill, not what the name says', async () => {
    const { client } = await clientWith([{}]);
    const box = createToolbox(client);
    const { name } = box.toTool(recordOf());
    const forged = [
      'search_skills',
      'skill_a_skill',
      name.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      `${name}a`,
    ];
    for (const other of [...forged, 'skill_another_name_aaaaaaaaaaaaaaaa'])
      expect(await box.resolve(other)).toBeUndefined();
    const gone = box.toTool(recordOf({ id: 'gone' }));
    expect(await box.resolve(gone.name)).toBeUndefined();
    const renamed = box.toTool(recordOf({ name: 'Renamed' }));
    expect(await box.resolve(renamed.name)).toBeUndefined();
    expect((await box.resolve(name))?.name).toBe(name);
  });

  it('remembers the names that it gave', async () => {
    const { client } = await clientWith([{ id: '翻译', name: '文' }]);
    let finds = 0;
    const box = createToolbox({
      ...client,
      find: (query) => {
        finds += 1;
        return client.find(query as { include: 'descriptor' });
      },
    });
    const { tool } = (await box.getSkill({ ...KEY, id: '翻译' })) as SkillDetails;
    expect((await box.resolve(tool))?.name).toBe(tool);
    expect(finds).toBe(0);
  });
});

it('refuses options that it cannot use', async () => {
  const { client } = await clientWith([]);
  const wrong: [string, object][] = [
    ['discover', { discover: ['a b'] }],
    ['discover', { discover: 'a.example' }],
    ['invoke', { invoke: 1 }],
    ['includePrivate', { includePrivate: 'yes' }],
  ];
  for (const [name, options] of wrong) {
    expect(() => createToolbox(client, options)).toThrow(new RegExp(`^${name}: `));
  }
});
