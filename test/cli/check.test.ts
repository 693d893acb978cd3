import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changed,
  createProvider,
  FAULTS,
  INVALID_DESCRIPTORS,
  INVALID_INDEXES,
  VALID_DESCRIPTORS,
  VALID_INDEXES,
  validDescriptor,
  validIndex,
} from '../../mocks/index.ts';
import type { Inspection } from '../../src/cli/inspection.ts';
import { LOOPBACK, serveForTest, temporaryFolder } from '../e2e/support/cli.ts';
import { runHere } from './support/run.ts';

async function inspect(document: unknown): Promise<{ code: number; result: Inspection }> {
  const { code, stdout } = await runHere(['check', '-', '--json'], { stdin: JSON.stringify(document) });
  return { code, result: JSON.parse(stdout) };
}

async function inspectTarget(target: string): Promise<{ code: number; result: Inspection }> {
  const { code, stdout } = await runHere(['check', target, '--json', ...LOOPBACK]);
  return { code, result: JSON.parse(stdout) };
}

describe('check of a document', () => {
  it.each([...VALID_DESCRIPTORS, ...VALID_INDEXES])('passes $why', async ({ document }) => {
    expect(await inspect(document)).toMatchObject({ code: 0, result: { ok: true, violations: [] } });
  });

  it.each([...INVALID_DESCRIPTORS, ...INVALID_INDEXES].filter(({ fields }) => fields.length > 0))(
    'names every violation: $why',
    async ({ document, fields }) => {
      const { code, result } = await inspect(document);

      expect({ code, ok: result.ok }).toEqual({ code: 1, ok: false });
      expect(result.violations.map(({ field }) => field).sort()).toEqual([...fields].sort());
      for (const { code, expected, actual } of result.violations) {
        expect({ code, expected, actual }).toEqual({
          code: 'VALIDATION_ERROR',
          expected: expect.any(String),
          actual: expect.any(String),
        });
      }
    },
  );

  it('judges the version before the shape', async () => {
    for (const document of [
      { protocol: { version: '2.0.0' } },
      { protocol: { version: '2.0.0' }, skills: 7 },
    ]) {
      const { code, result } = await inspect(document);

      expect(code).toBe(1);
      expect(result.violations).toMatchObject([{ code: 'VERSION_INCOMPATIBLE', field: '' }]);
    }
  });

  it.each([
    ['NOT_JSON', '{"protocol":'],
    ['HTML_INSTEAD', '<!doctype html><html></html>'],
    ['EMPTY_BODY', ''],
    ['BAD_ENCODING', Uint8Array.from([0x22, 0xff, 0x22])],
  ])('says %s', async (code, stdin) => {
    const { code: exit, stdout } = await runHere(['check', '-', '--json'], { stdin });

    expect(exit).toBe(1);
    expect(JSON.parse(stdout).violations).toMatchObject([{ code, document: 'stdin' }]);
  });

  it('keeps advice apart from violations', async () => {
    const { code, result } = await inspect(validDescriptor({ created_at: 'yesterday' }));

    expect(code).toBe(0);
    expect(result).toMatchObject({
      violations: [],
      advice: [{ code: 'INVALID_DATE', field: '/created_at' }],
    });
  });

  it('says how many violations it does not list', async () => {
    const skills = Array.from({ length: 60 }, () => ({ id: 'x' }));

    const { result } = await inspect({ ...validIndex(), skills });

    expect(result.violations).toHaveLength(101);
    expect(result.violations.at(-1)?.message).toMatch(/^There are \d+ more violations\.$/);
  });

  it('reads a file and prints where, what was expected and what is there', async () => {
    const file = join(await temporaryFolder(), 'skill-sharing');
    await writeFile(file, JSON.stringify(changed(validIndex(), '/skills/0/access', 'secret')));

    const { code, stdout, stderr } = await runHere(['check', file]);

    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(
      [
        `${file}: 1 error, 0 warnings, 0 notes`,
        '  error VALIDATION_ERROR /skills/0/access',
        '      expected  one of public, restricted, private',
        '      actual    "secret"',
        '      why       A document that breaks the schema is rejected as a whole; in an index, the entry is.',
        '      change    Give the named member what is expected there.',
        '',
      ].join('\n'),
    );
  });
});

describe('check over the network', () => {
  it('passes a correct provider, by its origin and by the URL of its index', async () => {
    const provider = createProvider({ domain: 'good.example', name: 'Good', skills: [validDescriptor()] });
    const { origin } = await serveForTest(provider.handle);

    for (const target of [origin, `${origin}/`, `${origin}/.well-known/skill-sharing`]) {
      expect(await inspectTarget(target)).toMatchObject({
        code: 0,
        result: { target, kind: 'domain', ok: true, skills: 1, violations: [], outcome: { status: 'ok' } },
      });
    }
  });

  it.each([
    ['entry-without-access', 'VALIDATION_ERROR', '/skills/0/access', /\/\.well-known\/skill-sharing$/],
    ['descriptor-without-endpoint', 'VALIDATION_ERROR', '/endpoint', /\.json\/changed$/],
    ['descriptor-other-type', 'DESCRIPTOR_MISMATCH', '/capability_type', /\.json\/changed$/],
    ['descriptor-404', 'SKILL_NOT_FOUND', '/skills/0', /\/\.well-known\/skill-sharing$/],
    ['entry-private', 'PRIVATE_EXPOSED', '/skills/0', /\/\.well-known\/skill-sharing$/],
    ['index-404', 'INDEX_NOT_FOUND', '', /\/\.well-known\/skill-sharing$/],
    ['index-without-provider', 'VALIDATION_ERROR', '/provider', /\/\.well-known\/skill-sharing$/],
  ] as const)('%s: %s at %s', async (fault, code, field, document) => {
    const { origin } = await serveForTest(FAULTS[fault].make());

    const { code: exit, result } = await inspectTarget(origin);

    expect(exit).toBe(1);
    expect(result.violations).toMatchObject([{ code, field, document: expect.stringMatching(document) }]);
  });

  it('checks one descriptor by its URL', async () => {
    const bad = changed(validDescriptor(), '/auth/type', 'magic');
    const { origin } = await serveForTest(async (request) =>
      Response.json(request.url.endsWith('/good') ? validDescriptor({ name: ' ' }) : bad),
    );

    expect(await inspectTarget(`${origin}/good`)).toMatchObject({
      code: 0,
      result: {
        kind: 'descriptor-url',
        skills: 1,
        advice: [{ code: 'EMPTY_TEXT', field: '/name' }, { code: 'NO_VALIDATOR' }, { code: 'NO_LIFETIME' }],
      },
    });
    expect(await inspectTarget(`${origin}/bad`)).toMatchObject({
      code: 1,
      result: { violations: [{ code: 'VALIDATION_ERROR', field: '/auth/type', document: `${origin}/bad` }] },
    });
  });

  it('takes what is neither file nor domain nor URL for a mistake', async () => {
    const { code, stdout, stderr } = await runHere(['check', './no-such-file.json']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('skillscout: ./no-such-file.json: there is no such file\n');
  });
});
