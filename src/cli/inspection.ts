import {
  type DescriptorOutcome,
  type ErrorCode,
  lintDescriptor,
  lintIndex,
  type ProviderOutcome,
  parse,
  parseIndex,
  parseJson,
  type Violation,
  validateSkillIndex,
  type Warning,
} from '../index.ts';

/** Something that a consumer will not take. */
export interface Problem {
  /** The URL or file that it is in. */
  document: string;
  code: ErrorCode;
  /** JSON Pointer into that document; empty for the whole. */
  field: string;
  expected?: string;
  actual?: string;
  message: string;
}

export interface Inspection {
  target: string;
  kind: 'domain' | 'descriptor-url' | 'index-file' | 'descriptor-file';
  ok: boolean;
  /** How many skills a consumer would take. */
  skills: number;
  violations: Problem[];
  advice: (Warning & { document: string })[];
  /** What the crawl says, for what was fetched. */
  outcome?: ProviderOutcome | DescriptorOutcome;
}

type Findings = Pick<Inspection, 'skills' | 'violations' | 'advice'>;

/** Why something was not taken, as outcomes and rejections say it. */
interface Reason {
  code?: ErrorCode;
  message?: string;
  violations?: Violation[];
  details?: Record<string, unknown>;
}

/** What a document is worth before it is published: an index or a descriptor, by the members that it has. */
export function inspectDocument(target: string, bytes: Uint8Array): Inspection {
  const text = decode(bytes);
  if (text === undefined) {
    const reason: Reason = { code: 'BAD_ENCODING', message: 'The document is not UTF-8.' };
    return conclude(target, 'descriptor-file', refused(target, reason));
  }
  const json = parseJson(text);
  return json.ok && isIndex(json.value)
    ? conclude(target, 'index-file', inspectIndex(target, text, json.value))
    : conclude(target, 'descriptor-file', inspectDescriptor(target, text));
}

function inspectIndex(document: string, text: string, value: unknown): Findings {
  // First the version: an index of another MAJOR need not look like ours.
  const reading = parseIndex(text);
  if (!reading.ok && reading.failure.code !== 'VALIDATION_ERROR') return refused(document, reading.failure);
  const validation = validateSkillIndex(value);
  if (!validation.ok) {
    const { violations, violationCount } = validation;
    return refused(document, {
      code: 'VALIDATION_ERROR',
      violations,
      details: { violation_count: violationCount },
    });
  }
  const { skills } = validation.value;
  return { skills: skills.length, violations: [], advice: adviceOn(document, lintIndex(validation.value)) };
}

function inspectDescriptor(document: string, text: string): Findings {
  const reading = parse(text);
  if (!reading.ok) return refused(document, { ...reading.failure, ...reading.failure.details });
  return { skills: 1, violations: [], advice: adviceOn(document, lintDescriptor(reading.value)) };
}

/** What a look at the domain met, every entry of its index included. That there is no index counts as a violation. */
export function inspectProvider(target: string, outcome: ProviderOutcome): Inspection {
  const { skills, rejected, warnings, finalUrl, domain } = outcome;
  const index = finalUrl ?? domain;
  const violations = outcome.code ? problems(index, outcome) : [];
  for (const rejection of rejected) {
    // The violations of an entry point into the index, those of what it leads to into the descriptor.
    const document = (rejection.violations && rejection.descriptorUrl) ?? index;
    violations.push(...problems(document, rejection, `/skills/${rejection.index}`));
  }
  const advice = adviceOn(index, warnings);
  for (const { descriptorUrl, descriptor, warnings } of skills) {
    advice.push(...adviceOn(descriptorUrl, [...warnings, ...lintDescriptor(descriptor)]));
  }
  return { ...conclude(target, 'domain', { skills: skills.length, violations, advice }), outcome };
}

/** What the descriptor at one URL is worth, with no index to hold it against. */
export function inspectDescriptorUrl(target: string, outcome: DescriptorOutcome): Inspection {
  const { warnings, finalUrl, url } = outcome;
  const document = finalUrl ?? url;
  const findings: Findings =
    outcome.status === 'ok'
      ? {
          skills: 1,
          violations: [],
          advice: adviceOn(document, [...warnings, ...lintDescriptor(outcome.descriptor)]),
        }
      : refused(document, outcome);
  return { ...conclude(target, 'descriptor-url', findings), outcome };
}

function conclude(target: string, kind: Inspection['kind'], findings: Findings): Inspection {
  return { target, kind, ok: findings.violations.length === 0, ...findings };
}

function refused(document: string, reason: Reason): Findings {
  return { skills: 0, violations: problems(document, reason), advice: [] };
}

/** One problem for each violation, or one at `field` where there is none. */
function problems(document: string, reason: Reason, field = ''): Problem[] {
  const { code = 'VALIDATION_ERROR', message = '', violations = [], details } = reason;
  if (violations.length === 0) return [{ document, code, field, message }];
  const found: Problem[] = violations.map((violation) => ({ document, code, ...violation }));
  const more = Number(details?.violation_count ?? 0) - violations.length;
  if (more > 0) found.push({ document, code, field, message: `There are ${more} more violations.` });
  return found;
}

function adviceOn(document: string, warnings: Warning[]): Inspection['advice'] {
  return warnings.map((warning) => ({ document, ...warning }));
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Even one that lacks its `skills`: then it has a provider, and no member that every descriptor has. */
function isIndex(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const has = (member: string) => Object.hasOwn(value, member);
  return has('skills') || (has('provider') && !has('id') && !has('endpoint'));
}
