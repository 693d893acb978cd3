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
import { type Level, ruleOf } from './inspection-rules.ts';

/** What was found at one place. */
export interface Found {
  code: string;
  /** The URL or file that it is in. */
  document: string;
  /** JSON Pointer into that document; empty for the whole. */
  field: string;
  expected?: string;
  actual?: string;
  message: string;
  /** Who was shown it, where others were not: `anonymous`, or the label of the credential. */
  view?: string;
}

export interface Finding extends Found {
  level: Level;
  /** Why it matters. */
  why: string;
  /** What to change. */
  change: string;
}

export interface Inspection {
  target: string;
  kind: 'domain' | 'descriptor-url' | 'index-file' | 'descriptor-file';
  /** There is no error. */
  ok: boolean;
  /** How many skills a consumer would take. */
  skills: number;
  /** Errors first, then warnings, then notes. */
  findings: Finding[];
  /** The errors among the findings, without what is said of all of their kind. */
  violations: Found[];
  /** The others. */
  advice: (Warning & { document: string })[];
  /** What the crawl says, for what was fetched: as the credential sees it, where there is one. */
  outcome?: ProviderOutcome | DescriptorOutcome;
}

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
    return conclude(target, 'descriptor-file', 0, problems(target, reason));
  }
  const json = parseJson(text);
  return json.ok && isIndex(json.value)
    ? inspectIndex(target, text, json.value)
    : inspectDescriptor(target, text);
}

function inspectIndex(target: string, text: string, value: unknown): Inspection {
  const refused = (reason: Reason) => conclude(target, 'index-file', 0, problems(target, reason));
  // First the version: an index of another MAJOR need not look like ours.
  const reading = parseIndex(text);
  if (!reading.ok && reading.failure.code !== 'VALIDATION_ERROR') return refused(reading.failure);
  const validation = validateSkillIndex(value);
  if (!validation.ok) {
    const { violations, violationCount } = validation;
    return refused({ code: 'VALIDATION_ERROR', violations, details: { violation_count: violationCount } });
  }
  const { skills } = validation.value;
  return conclude(target, 'index-file', skills.length, adviceOn(target, lintIndex(validation.value)));
}

function inspectDescriptor(target: string, text: string): Inspection {
  const reading = parse(text);
  return reading.ok
    ? conclude(target, 'descriptor-file', 1, adviceOn(target, lintDescriptor(reading.value)))
    : conclude(
        target,
        'descriptor-file',
        0,
        problems(target, { ...reading.failure, ...reading.failure.details }),
      );
}

/** The result of an inspection that found this. What was found twice is told once. */
export function conclude(
  target: string,
  kind: Inspection['kind'],
  skills: number,
  found: Found[],
  outcome?: Inspection['outcome'],
): Inspection {
  const distinct = new Map(found.map((each) => [JSON.stringify(placed(each)), each]));
  const findings = [...distinct.values()]
    .map((each): Finding => {
      const { level, why, change } = ruleOf(each.code);
      return { level, ...each, why, change };
    })
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  const [violations, advice]: [Found[], Inspection['advice']] = [[], []];
  for (const { level, why: _, change: __, ...each } of findings) {
    if (level === 'error') violations.push(each);
    else advice.push(each);
  }
  const ok = violations.length === 0;
  return { target, kind, ok, skills, findings, violations, advice, ...(outcome && { outcome }) };
}

const LEVELS: readonly Level[] = ['error', 'warning', 'note'];

const placed = ({ code, document, field, message, view }: Found) => [code, document, field, message, view];

/** One problem for each violation, or one at `field` where there is none. */
export function problems(document: string, reason: Reason, field = ''): Found[] {
  const { code = 'VALIDATION_ERROR', message = '', violations = [], details } = reason;
  if (violations.length === 0) return [{ code, document, field, message }];
  const found: Found[] = violations.map((violation) => ({ code, document, ...violation }));
  const more = Number(details?.violation_count ?? 0) - violations.length;
  if (more > 0) found.push({ code, document, field, message: `There are ${more} more violations.` });
  return found;
}

export function adviceOn(document: string, warnings: Warning[]): Found[] {
  return warnings.map(({ code, message, field = '' }) => ({ code, document, field, message }));
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
