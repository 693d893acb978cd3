import { expect } from 'vitest';
import { createProvider, FAULTS, type Fault, validDescriptor } from '../../mocks/index.ts';
import type { ProviderOutcome } from '../../src/index.ts';

const IDS = ['one', 'two', 'three'];

/** The provider to put faults into: three public skills. */
export const faultlessProvider = () =>
  createProvider({
    domain: 'faulty.example',
    name: 'Faulty',
    skills: IDS.map((id) => validDescriptor({ id })),
  });

/** Whether a look at {@link faultlessProvider} with this fault came to what the fault says. */
export function expectOutcome(outcome: ProviderOutcome, { hits, status, code }: Fault): void {
  expect(outcome.status).toBe(status);
  expect(outcome.code).toBe(hits === 'index' ? code : undefined);
  expect(outcome.skills.map(({ id }) => id)).toEqual({ index: [], entry: IDS.slice(1), nothing: IDS }[hits]);
  if (hits === 'entry') {
    expect(new Set(outcome.rejected.map((rejection) => rejection.code))).toEqual(new Set([code]));
  }
}

export const allFaults = Object.entries(FAULTS) as [string, Fault][];
