import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonValue } from '../../mocks/arbitraries.ts';
import { cut, evenShare, jsonTokens } from '../../src/agent/budget.ts';
import { createToolbox, toTool } from '../../src/agent/index.ts';
import { cleanJson, cleanLine } from '../../src/agent/untrusted.ts';
import { canonicalJson, hasUnsafeText } from '../../src/protocol/index.ts';
import { clientWith, skillRecord } from './support.ts';

// One for all: it compiles its own schemas first.
const ajv = new Ajv2020({ strict: true, ownProperties: true });
const anyText = () => fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'grapheme' }));

it('makes a tool of any skill: name, schema and size are right', () => {
  fc.assert(
    fc.property(skillRecord(), (record) => {
      const tool = toTool(record);
      expect(tool.name).toMatch(/^skill_[a-z0-9_]{1,40}_[a-z2-7]{16}$/);
      expect(toTool(record).name).toBe(tool.name);
      expect(() => ajv.compile({ ...tool.inputSchema })).not.toThrow();
      expect(jsonTokens([tool.description, tool.inputSchema, tool.notes])).toBeLessThan(4_000);
      // The words of the publisher cannot be told from ours where they hold something unseen.
      expect(hasUnsafeText(tool.description + tool.notes.join(''))).toBe(false);
    }),
    { numRuns: 100 },
  );
});

it('judges inputs as a validator does', () => {
  fc.assert(
    fc.property(skillRecord(), jsonValue(), (record, value) => {
      const { inputSchema } = toTool(record);
      const names = Object.keys(inputSchema.properties as object);
      const input = Object.fromEntries(names.map((name) => [name, value]));
      const validate = ajv.compile({ ...inputSchema });
      for (const given of [value, input]) {
        const result = inputSchema['~standard'].validate(given) as { issues?: unknown };
        expect(result.issues === undefined).toBe(validate(given));
      }
    }),
    { numRuns: 100 },
  );
});

it('gives different keys different names', () => {
  fc.assert(
    fc.property(skillRecord(), skillRecord(), (one, other) => {
      const isSame = canonicalJson([one.domain, one.id]) === canonicalJson([other.domain, other.id]);
      const names = [one, other].map((record) => toTool({ ...record, name: 'same' }).name);
      expect(new Set(names).size).toBe(isSame ? 1 : 2);
    }),
    { numRuns: 100 },
  );
});

it('keeps every answer to its budget, clean and complete', async () => {
  const { client } = await clientWith([]);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(skillRecord(), { selector: ({ id }) => id, minLength: 1, maxLength: 15 }),
      async (records) => {
        const box = createToolbox(
          {
            ...client,
            find: async () => ({ records }),
            get: async () => records[0],
            discover: async (domain) => ({ ...(await client.discover(domain)), skills: records }),
          },
          { discover: true, clock: { now: clockThatRuns() } },
        );
        const [found, discovered, read] = [
          await box.searchSkills({ limit: 15 }),
          await box.discoverDomain({ domain: 'a.example' }),
          await box.getSkill({ domain: 'a.example', id: 'x' }),
        ];
        expect(jsonTokens(found)).toBeLessThan(2_000);
        expect(jsonTokens(discovered)).toBeLessThan(2_000);
        expect(jsonTokens(read)).toBeLessThan(4_000);
        expect(hasUnsafeText(JSON.stringify([found, discovered]))).toBe(false);
        const ids = found.skills.map(({ id }) => id);
        expect(records.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
      },
    ),
    { numRuns: 100 },
  );
});

function clockThatRuns(): () => number {
  let now = 0;
  return () => {
    now += 60_000;
    return now;
  };
}

it('finds again any skill by the name of its tool', async () => {
  await fc.assert(
    fc.asyncProperty(skillRecord(), async (record) => {
      const { domain, id, name } = record;
      const { client } = await clientWith([{ domain, id, name }]);
      const tool = toTool(record).name;
      expect((await createToolbox(client).resolve(tool))?.name).toBe(tool);
    }),
    { numRuns: 100 },
  );
});

it('cleans and cuts once and for all', () => {
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 0, max: 60 }), (text, tokens) => {
      const line = cleanLine(text, tokens);
      expect(cleanLine(line, tokens)).toBe(line);
      expect(hasUnsafeText(line)).toBe(false);
      expect(line).not.toMatch(/[\n\t\r]/);
      expect(jsonTokens(line)).toBeLessThanOrEqual(tokens + 2);
      const whole = cleanLine(text, 10_000);
      if (jsonTokens(whole) <= tokens + 2) expect(line).toBe(whole);
      else expect(whole.startsWith(line.slice(0, -1))).toBe(true);
      expect(cut(text, tokens) === text || cut(text, tokens) === '' || cut(text, tokens).endsWith('…')).toBe(
        true,
      );
    }),
    { numRuns: 500 },
  );
});

it('keeps any output to its budget, and whole where it fits', () => {
  fc.assert(
    fc.property(jsonValue({ loneSurrogates: true }), fc.integer({ min: 130, max: 600 }), (value, tokens) => {
      const shown = cleanJson(value, tokens);
      expect(jsonTokens(shown.value)).toBeLessThanOrEqual(tokens);
      expect(cleanJson(shown.value, 10_000).value).toEqual(shown.value);
      if (!hasUnsafeText(canonicalJson(value)) && !/\\u/.test(canonicalJson(value)) && !shown.isCut) {
        expect(canonicalJson(shown.value)).toBe(canonicalJson(cleanJson(value, 10_000).value));
      }
    }),
    { numRuns: 500 },
  );
});

it('shares evenly: nobody gets more than a need, all together no more than there is', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), fc.nat(10_000), (needs, total) => {
      const share = evenShare(needs, total);
      const sum = needs.reduce((all, need) => all + Math.min(need, share), 0);
      expect(sum).toBeLessThanOrEqual(total + 1e-6);
      const wanted = needs.reduce((all, need) => all + need, 0);
      expect(sum).toBeCloseTo(Math.min(total, wanted), 6);
    }),
    { numRuns: 100 },
  );
});
