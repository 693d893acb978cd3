import { describe, expect, it } from 'vitest';
import { INVALID_DESCRIPTORS, VALID_DESCRIPTORS } from '../../mocks/corpus.ts';
import { changed, validDescriptor, validEntry, validIndex } from '../../mocks/documents.ts';
import { judgeEntry, parse, parseIndex, type ReadOptions, serialize } from '../../src/protocol/index.ts';

const failureOf = (document: unknown, options?: ReadOptions) => {
  const reading = parse(JSON.stringify(document), options);
  return reading.ok ? undefined : reading.failure;
};

describe('parse', () => {
  it.each(VALID_DESCRIPTORS)('reads $why', ({ document }) => {
    const text = JSON.stringify(document);
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it.each(INVALID_DESCRIPTORS)('refuses $why', ({ document, fields }) => {
    const failure = failureOf(document);
    expect(failure?.code).toBe('VALIDATION_ERROR');
    expect(failure?.details?.violation_count).toBe(fields.length);
    expect(failure?.details?.violations).toHaveLength(fields.length);
  });

  it('says in its message what comes first and how much there is', () => {
    expect(failureOf(changed(validDescriptor(), '/access'))?.message).toBe(
      'The descriptor breaks the protocol schema: /access is missing; expected one of public, restricted, private.',
    );
    expect(failureOf({ protocol: { version: '1.0.0' } })?.message).toMatch(
      /^The descriptor breaks the protocol schema: \/id is missing; .* \(the first of 11 violations\)$/,
    );
    expect(failureOf([])?.details).toMatchObject({ violations: [{ field: '' }], violation_count: 1 });
  });

  it('judges the version before the shape', () => {
    const protocol = { version: '2.0.0', changelog_url: 'https://example.com/changes' };
    expect(failureOf({ protocol, another: 'shape' })).toEqual({
      code: 'VERSION_INCOMPATIBLE',
      message: 'The descriptor speaks protocol 2.0.0; this consumer supports 1.x.x.',
      details: {
        descriptor_version: '2.0.0',
        consumer_supported_range: '1.x.x',
        upgrade_url: 'https://example.com/changes',
      },
    });
    expect(failureOf({ protocol }, { protocolVersion: '2.4.0' })?.code).toBe('VALIDATION_ERROR');
    expect(failureOf(validDescriptor(), { protocolVersion: '2.4.0' })?.details).toEqual({
      descriptor_version: '1.0.0',
      consumer_supported_range: '2.x.x',
    });
  });

  it.each(['javascript:alert(1)', '/changes', 7, null])('offers no upgrade at %j', (changelog_url) => {
    const details = failureOf({ protocol: { version: '2.0.0', changelog_url } })?.details;
    expect(details).not.toHaveProperty('upgrade_url');
  });

  it.each(['v2', '2.0', 2, null, ['2.0.0']])('names every field where the version is %j', (version) => {
    expect(failureOf({ protocol: { version } })?.details?.violation_count).toBe(12);
  });

  it('passes on what is wrong with the text', () => {
    expect(parse('<html>')).toMatchObject({ failure: { code: 'HTML_INSTEAD' } });
    expect(parse('[[[]]]', { maxDepth: 2 })).toMatchObject({ failure: { code: 'TOO_DEEP' } });
  });

  it('throws for a wrong option', () => {
    expect(() => parse('', { protocolVersion: '1.x' })).toThrow(
      new TypeError('protocolVersion must be MAJOR.MINOR.PATCH'),
    );
    expect(() => parse('', { maxDepth: Number.NaN })).toThrow(TypeError);
  });
});

describe('parseIndex', () => {
  it('leaves the entries to be judged one by one', () => {
    const { protocol, provider } = validIndex();
    const skills = [validEntry(), { id: 'x' }, 7];
    expect(parseIndex(JSON.stringify({ protocol, provider, skills }))).toEqual({
      ok: true,
      value: { protocol, provider, entries: skills },
    });
  });

  it.each([
    [changed(validIndex(), '/skills'), '/skills'],
    [changed(validIndex(), '/skills', {}), '/skills'],
    [changed(validIndex(), '/provider'), '/provider'],
    [changed(validIndex(), '/protocol/version', '1'), '/protocol/version'],
    [null, ''],
  ])('refuses a broken frame %#', (document, field) => {
    expect(parseIndex(JSON.stringify(document))).toMatchObject({
      ok: false,
      failure: { code: 'VALIDATION_ERROR', details: { violations: [{ field }], violation_count: 1 } },
    });
  });

  it('judges its version like that of a descriptor', () => {
    expect(parseIndex('{"protocol":{"version":"0.9.0"}}')).toMatchObject({
      failure: {
        code: 'VERSION_INCOMPATIBLE',
        message: 'The index speaks protocol 0.9.0; this consumer supports 1.x.x.',
      },
    });
  });
});

describe('judgeEntry', () => {
  it('returns a good entry', () => {
    const entry = validEntry();
    expect(judgeEntry(entry, 3)).toEqual({ ok: true, entry });
  });

  it('points into the index and gives the id where it is valid', () => {
    expect(judgeEntry(changed(validEntry(), '/access', 'open'), 6)).toEqual({
      ok: false,
      id: validEntry().id,
      violations: [
        {
          field: '/skills/6/access',
          expected: 'one of public, restricted, private',
          actual: '"open"',
          message: '/skills/6/access is "open"; expected one of public, restricted, private.',
        },
      ],
    });
    const nameless = judgeEntry(validEntry({ id: '\u0007' }), 0);
    expect(nameless).toMatchObject({ ok: false, violations: [{ field: '/skills/0/id' }] });
    expect(nameless).not.toHaveProperty('id');
    expect(judgeEntry(null, 2)).toMatchObject({ ok: false, violations: [{ field: '/skills/2' }] });
  });
});

describe('serialize', () => {
  it('keeps unknown members and an own __proto__', () => {
    const text = '{"__proto__":{"a":1},"b":[null]}';
    expect(serialize({ ...validDescriptor(), ...JSON.parse(text) })).toContain(text.slice(1, -1));
  });

  it('[B5] writes null for a number beyond what a double holds', () => {
    const text = JSON.stringify(validDescriptor()).replace('{', '{"weight":1e400,');
    const reading = parse(text);
    expect(reading.ok && JSON.parse(serialize(reading.value))).toMatchObject({ weight: null });
  });

  it('refuses what is no descriptor or no JSON', () => {
    expect(() => serialize({} as never)).toThrow(
      new TypeError(
        'not a valid descriptor: /protocol is missing; expected object. (the first of 12 violations)',
      ),
    );
    expect(() => serialize(validDescriptor({ weight: 5n }))).toThrow(TypeError);
    const cycle = validDescriptor();
    cycle.self = cycle;
    expect(() => serialize(cycle)).toThrow(TypeError);
  });
});
