import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT, validDescriptor } from '../../mocks/index.ts';
import { renderRecord, renderReport, renderSkills } from '../../src/cli/render.ts';
import { renderInspection } from '../../src/cli/render-inspection.ts';
import { createTally } from '../../src/cli/tally.ts';
import { hasUnsafeText, type SkillRecord } from '../../src/index.ts';
import { outcomeOf } from './support/outcome.ts';
import { runHere } from './support/run.ts';

const plain = pc.createColors(false);
const LONG = 'x'.repeat(100_000);

function hostileRecord(): SkillRecord {
  const descriptor = validDescriptor({
    id: `id ${HOSTILE_TEXT}`,
    name: HOSTILE_TEXT + LONG,
    description: HOSTILE_TEXT + LONG,
    version: '1.0.0',
    tags: [HOSTILE_TEXT],
    [HOSTILE_TEXT]: { [HOSTILE_TEXT]: [HOSTILE_TEXT, [], {}, null, 1, true] },
  });
  const { id, name, capability_type, description, access, version } = descriptor;
  return {
    ...{ id, name, capability_type, description, access, version, descriptor },
    domain: 'hostile.example',
    descriptor_url: `https://hostile.example/${HOSTILE_TEXT}`,
    descriptorUrl: `https://hostile.example/${HOSTILE_TEXT}`,
    fetchedAt: Date.UTC(2026, 0, 1),
    freshUntil: Number.MAX_VALUE,
    stale: true,
    warnings: [{ code: HOSTILE_TEXT, message: HOSTILE_TEXT }],
    view: 'anonymous',
  };
}

describe('what is rendered for people', () => {
  it('cannot steer a terminal, and is bounded', () => {
    const record = hostileRecord();
    const tally = createTally({ startedAt: 0, keepOutcomes: false });
    tally.add(
      outcomeOf({ domain: HOSTILE_TEXT, status: 'failed', code: 'NOT_JSON', message: HOSTILE_TEXT + LONG }),
    );
    const document = HOSTILE_TEXT;
    const inspection = renderInspection(
      {
        target: HOSTILE_TEXT,
        kind: 'domain',
        ok: false,
        skills: 0,
        violations: [
          { document, code: 'NOT_JSON', field: HOSTILE_TEXT, message: HOSTILE_TEXT + LONG },
          {
            document,
            code: 'VALIDATION_ERROR',
            field: '',
            expected: LONG,
            actual: HOSTILE_TEXT,
            message: '',
          },
        ],
        advice: [{ document, code: HOSTILE_TEXT, message: HOSTILE_TEXT + LONG }],
      },
      plain,
    );

    for (const text of [
      renderSkills([record], plain),
      renderRecord(record, plain),
      renderReport(tally.report, tally.worst, plain),
      inspection,
    ]) {
      expect(hasUnsafeText(text)).toBe(false);
      expect(text).toContain('\\u{1b}[2J');
      expect(text.length).toBeLessThan(10_000);
    }
  });

  it('shows every member of a descriptor, those it does not know included', () => {
    const record = {
      ...hostileRecord(),
      descriptor: validDescriptor({ 'x-new': { list: [1, { deep: 'yes' }] } }),
    };

    const lines = renderRecord(record, plain).split('\n');

    for (const member of Object.keys(record.descriptor)) {
      expect(lines.some((line) => line.startsWith(`  ${member}:`))).toBe(true);
    }
    expect(lines).toContain('  last confirmed: 2026-01-01T00:00:00.000Z');
    expect(lines).toContain('        deep: yes');
  });

  it('names each reason with its count and meaning, the most frequent first', () => {
    const tally = createTally({ startedAt: 0, keepOutcomes: false });
    for (const code of ['TIMEOUT', 'NOT_JSON', 'NOT_JSON'] as const) {
      tally.add(outcomeOf({ domain: `${code}.example`, status: 'failed', code }));
    }

    const text = renderReport({ ...tally.report, bytes: 1_234_567 }, tally.worst, plain);

    expect(text).toContain('Domains  3: 0 ok, 0 partial, 0 without an index, 3 failed\n');
    expect(text).toContain('1,234,567 bytes');
    expect(text).toMatch(/NOT_JSON +2 +The body is not JSON\.\nTIMEOUT +1 +No complete answer/);
    expect(text).not.toContain('Why skills were rejected');
  });
});

describe('colours', () => {
  const args = ['check', '-'];

  it.each([
    ['on a terminal', { isTTY: true }, true],
    ['with NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }, false],
    ['with an empty NO_COLOR', { isTTY: true, env: { NO_COLOR: '' } }, true],
    ['on a dumb terminal', { isTTY: true, env: { TERM: 'dumb' } }, false],
    ['in a pipe', {}, false],
  ])('%s', async (_, options, colourful) => {
    const { stdout } = await runHere(args, options);

    expect(stdout.includes('\u001b[')).toBe(colourful);
  });
});
