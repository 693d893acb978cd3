import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invocationRequest, invocationResponse } from '../../mocks/arbitraries.ts';
import { validateInvocationRequest, validateInvocationResponse } from '../../src/protocol/index.ts';

// Seen to fail when the schema no longer requires the caller's `type`, and when it no longer requires `timestamps`.
test('Feature: skill-sharing-protocol, Property 8: invocation messages are valid only with all of their required members', () => {
  fc.assert(
    fc.property(
      invocationRequest(),
      fc.subarray(['caller', 'caller/id', 'caller/type', 'skill_id', 'inputs'], { minLength: 1 }),
      invocationResponse(),
      fc.subarray(['execution_id', 'status', 'skill_id', 'timestamps'], { minLength: 1 }),
      (request, fromRequest, response, fromResponse) => {
        expect(validateInvocationRequest(request)).toEqual({ ok: true, value: request });
        expect(validateInvocationResponse(response)).toEqual({ ok: true, value: response });
        expect(fieldsOf(validateInvocationRequest(without(request, fromRequest)))).toEqual(
          // Of a caller that is gone, the members are not missed.
          fromRequest.includes('caller')
            ? named(fromRequest.filter((name) => !name.includes('/')))
            : named(fromRequest),
        );
        expect(fieldsOf(validateInvocationResponse(without(response, fromResponse)))).toEqual(
          named(fromResponse),
        );
      },
    ),
    { numRuns: 100 },
  );
});

function without(message: object, removed: string[]): unknown {
  const rest = structuredClone(message) as Record<string, Record<string, unknown>>;
  for (const path of removed) {
    const [member = '', inner] = path.split('/');
    if (inner === undefined) delete rest[member];
    else delete rest[member]?.[inner];
  }
  return rest;
}

const named = (members: string[]) => members.map((name) => `/${name}`).sort();
const fieldsOf = (
  judged: ReturnType<typeof validateInvocationRequest | typeof validateInvocationResponse>,
) => (judged.ok ? [] : judged.violations.map(({ field }) => field).sort());
