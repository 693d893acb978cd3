import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT, validDescriptor } from '../../mocks/index.ts';
import { conclude } from '../../src/cli/inspection.ts';
import { renderFacets, renderRecord, renderReport, renderSkills } from '../../src/cli/render.ts';
import { renderChange, renderVerdict } from '../../src/cli/render-change.ts';
import { renderImport } from '../../src/cli/render-import.ts';
import { renderInspection } from '../../src/cli/render-inspection.ts';
import { renderProvider, renderProviders } from '../../src/cli/render-status.ts';
import { createTally } from '../../src/cli/tally.ts';
import {
  type Change,
  hasUnsafeText,
  type ImportReport,
  type LockVerdict,
  type ProviderStatus,
  type SkillRecord,
} from '../../src/index.ts';
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

const NOW = Date.UTC(2026, 0, 10);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const failing: ProviderStatus = {
  domain: 'late.example',
  status: 'failed',
  code: 'TIMEOUT',
  message: 'No complete answer within 10 s.',
  lookedAt: NOW - 3 * MINUTE,
  goodAt: NOW - 5 * DAY,
  unreachableSince: NOW - 2 * DAY,
  dueAt: NOW + 2 * HOUR,
  successes: 1200,
  failures: 9,
  failuresInRow: 4,
  skills: 17,
};

describe('what is rendered for people', () => {
  it('cannot steer a terminal, and is bounded', () => {
    const record = hostileRecord();
    const tally = createTally({ startedAt: 0, keepOutcomes: false });
    tally.add(
      outcomeOf({ domain: HOSTILE_TEXT, status: 'failed', code: 'NOT_JSON', message: HOSTILE_TEXT + LONG }),
    );
    const document = HOSTILE_TEXT;
    const inspection = renderInspection(
      conclude(HOSTILE_TEXT, 'domain', 0, [
        { document, code: 'NOT_JSON', field: HOSTILE_TEXT, message: HOSTILE_TEXT + LONG, view: HOSTILE_TEXT },
        {
          document,
          code: 'VALIDATION_ERROR',
          field: '',
          expected: LONG,
          actual: HOSTILE_TEXT,
          message: '',
        },
        { document, code: HOSTILE_TEXT, field: '', message: HOSTILE_TEXT + LONG },
      ]),
      plain,
    );

    const change: Change = {
      at: 0,
      kind: 'changed',
      domain: HOSTILE_TEXT,
      id: HOSTILE_TEXT,
      members: [{ field: HOSTILE_TEXT, old: { [HOSTILE_TEXT]: LONG }, new: HOSTILE_TEXT + LONG }],
    };
    const provider = { ...failing, domain: HOSTILE_TEXT, message: HOSTILE_TEXT + LONG };

    const locked = {} as LockVerdict['locked'];
    const verdict: LockVerdict = {
      ...{ domain: HOSTILE_TEXT, id: HOSTILE_TEXT, state: 'drift', locked },
      code: 'NOT_JSON',
      message: HOSTILE_TEXT + LONG,
      fields: [HOSTILE_TEXT + LONG],
    };
    const imported: ImportReport = {
      ...{ imported: 0, known: 0, rejected: 1, codes: { NOT_JSON: 1 } },
      rejections: [{ line: 2, code: 'NOT_JSON', message: HOSTILE_TEXT + LONG }],
    };
    const collisions = { total: 1, first: [{ id: HOSTILE_TEXT, domains: [HOSTILE_TEXT + LONG] }] };

    for (const text of [
      renderChange(change, plain),
      renderVerdict(verdict, plain),
      renderVerdict({ ...verdict, members: change.members ?? [] }, plain),
      renderImport(imported, plain),
      renderReport({ ...tally.report, collisions }, { worst: [], culprits: 0 }, plain),
      renderProviders([provider], NOW, plain),
      renderProvider(provider, NOW, plain),
      renderSkills([record], plain),
      renderRecord(record, plain),
      renderReport(tally.report, tally, plain),
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

    const text = renderReport({ ...tally.report, bytes: 1_234_567 }, tally, plain);

    expect(text).toContain('Domains  3: 0 ok, 0 partial, 0 without an index, 3 failed\n');
    expect(text).toContain('1,234,567 bytes');
    expect(text).toMatch(/NOT_JSON +2 +The body is not JSON\.\nTIMEOUT +1 +No complete answer/);
    expect(text).not.toContain('Why skills were rejected');
  });

  it('says since when a skill is unreachable', () => {
    const { unreachableSince: _, ...reached } = hostileRecord();
    const lines = (record: SkillRecord) => renderRecord(record, plain).split('\n');

    expect(lines({ ...reached, unreachableSince: NOW })).toContain(
      '  unreachable since: 2026-01-10T00:00:00.000Z',
    );
    expect(lines(reached).join()).not.toContain('unreachable');
  });

  it('counts the values of all that match, the most frequent first', () => {
    const facets = {
      capabilityType: { api: 3, task: 1200 },
      access: { public: 1203 },
      authType: {},
    };

    expect(renderFacets(facets)).toBe('type: task 1,200, api 3\naccess: public 1,203\nauth: none');
  });

  it('lists providers with ages', () => {
    const { code, message, unreachableSince, ...good } = { ...failing, status: 'ok' as const };

    expect(
      renderProviders([failing, { ...good, domain: 'ok.example', dueAt: NOW - 3 * HOUR }], NOW, plain),
    ).toBe(
      [
        'DOMAIN        LAST LOOK       SKILLS  AGE  GOOD/FAILED  UNREACHABLE  NEXT LOOK',
        'late.example  failed TIMEOUT  17      3m   1,200/9      2d           in 2h',
        'ok.example    ok              17      3m   1,200/9                   overdue by 3h',
      ].join('\n'),
    );
  });

  it('tells one provider in full', () => {
    expect(renderProvider(failing, NOW, plain)).toBe(
      [
        'late.example: failed TIMEOUT',
        '  last look: 2026-01-09T23:57:00.000Z (3m ago)',
        '  message: No complete answer within 10 s.',
        '  last good look: 2026-01-05T00:00:00.000Z (5d ago)',
        '  unreachable since: 2026-01-08T00:00:00.000Z (2d ago)',
        '  next look: 2026-01-10T02:00:00.000Z (in 2h)',
        '  skills: 17',
        '  looks: 1,200 good, 9 failed (the last 4 in a row)',
      ].join('\n'),
    );
  });

  it('says what differs, and what is new or gone', () => {
    const change: Change = {
      at: NOW,
      kind: 'changed',
      domain: 'a.example',
      id: 'x',
      members: [
        { field: '/name', old: 'Old', new: 'New' },
        { field: '/descriptor/tags', new: ['a'] },
        { field: '/descriptor/x', old: null },
        { field: '/description', old: 'x'.repeat(500), new: '' },
      ],
    };

    expect(renderChange(change, plain)).toBe(
      [
        '2026-01-10T00:00:00.000Z  changed      a.example  x',
        '    /name: "Old" -> "New"',
        '    /descriptor/tags: nothing -> ["a"]',
        '    /descriptor/x: null -> nothing',
        `    /description: "${'x'.repeat(58)}… -> ""`,
      ].join('\n'),
    );
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

describe('what may be another\u2019s', () => {
  const record = { ...hostileRecord(), id: 'com.a.x', name: 'X', domain: 'a.example', version: '1.0.0' };
  const warnings = ['ID_COLLISION', 'NAME_LOOKALIKE', 'VERSION_DRIFT'].map((code) => ({
    code,
    message: `about ${code}`,
  }));

  it('is marked in the table with the codes, and told in full of one skill', () => {
    const doubtful = { ...record, warnings, stale: false };
    expect(renderSkills([doubtful], plain)).toMatch(/ {2}X \(!\) ID_COLLISION, NAME_LOOKALIKE$/);
    expect(renderSkills([{ ...record, warnings: [], stale: true }], plain)).toMatch(/ {2}X \(stale\)$/);
    expect(renderRecord(doubtful, plain)).toContain('  ! NAME_LOOKALIKE  about NAME_LOOKALIKE');
  });

  it('is marked where it was imported', () => {
    const imported = { ...record, origin: 'imported' as const, fetchedAt: 0, freshUntil: 0, warnings: [] };
    expect(renderSkills([imported], plain)).toMatch(/ {2}X \(imported\)$/);
    const text = renderRecord(imported, plain);
    expect(text).toContain('last confirmed: never: it was imported');
    expect(text).not.toContain('1970');
  });

  it('is listed in the report of a crawl', () => {
    const first = Array.from({ length: 12 }, (_, n) => ({
      id: `id-${n}`,
      domains: ['a.example', 'b.example'],
    }));
    const { report } = createTally({ startedAt: 0, keepOutcomes: false });
    const text = renderReport(
      { ...report, collisions: { total: 1234, first } },
      { worst: [], culprits: 0 },
      plain,
    );
    expect(text).toContain('Collisions  1,234 ids of several domains\n');
    expect(text).toMatch(/\nid-9 +a\.example, b\.example\n… and 1,224 more$/);
  });
});
