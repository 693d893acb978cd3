import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { createTally, withoutPrivateSkills } from '../../src/cli/tally.ts';
import { createReport, type ProviderOutcome, type Rejection } from '../../src/index.ts';
import { outcomeOf } from './support/outcome.ts';

const rejection: fc.Arbitrary<Rejection> = fc.record({
  index: fc.nat(),
  code: fc.constantFrom('DUPLICATE_ID', 'SKILL_NOT_FOUND', 'TIMEOUT'),
  message: fc.constant('why'),
});
const outcomes: fc.Arbitrary<ProviderOutcome[]> = fc
  .array(
    fc.oneof(
      fc.array(rejection, { maxLength: 5 }).map((rejected) => ({
        status: rejected.length > 0 ? ('partial' as const) : ('ok' as const),
        rejected,
      })),
      fc.constantFrom<Partial<ProviderOutcome>>(
        { status: 'failed', code: 'TIMEOUT', message: 'too slow' },
        { status: 'none', code: 'INDEX_NOT_FOUND' },
        // A last good copy stands in.
        { status: 'ok', code: 'SERVER_ERROR', message: 'status 500' },
      ),
    ),
    { maxLength: 40 },
  )
  .map((list) => list.map((members, i) => outcomeOf({ domain: `${i}.example`, ...members })));

const loss = ({ status, code, rejected }: ProviderOutcome) =>
  code !== undefined && status !== 'none' ? Math.max(1, rejected.length) : rejected.length;

test.prop([outcomes])('has the figures of the library, and the worst ten in order', (list) => {
  const tally = createTally({ startedAt: 0, keepOutcomes: true });
  const figures = createReport({ startedAt: 0, keepOutcomes: true });
  for (const outcome of list) {
    tally.add(outcome);
    figures.add(outcome);
  }

  expect(tally.report).toEqual(figures.finish(0));
  const worst = list.filter((outcome) => loss(outcome) > 0).sort((a, b) => loss(b) - loss(a));
  expect(tally.culprits).toBe(worst.length);
  expect(tally.worst.map(({ domain }) => domain)).toEqual(worst.slice(0, 10).map(({ domain }) => domain));
});

it('counts private skills without showing them', () => {
  const tally = createTally({ startedAt: 0, keepOutcomes: true });
  const skills = [{ access: 'private' }, { access: 'public' }] as ProviderOutcome['skills'];

  tally.add(outcomeOf({ skills }));

  expect(withoutPrivateSkills(tally.finish(0))).toMatchObject({
    skills: { accepted: 2 },
    outcomes: [{ skills: [{ access: 'public' }] }],
  });
});
